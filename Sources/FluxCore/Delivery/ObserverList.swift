/// A list of observers in the order in which they subscribed.
///
/// Inserting an observer is amortized O(1). Removing an observer by id is O(log n), because the
/// ids are in ascending order. The slot of a removed observer becomes empty. When more than half
/// of the slots are empty, the empty slots are removed. A pass retains ``slots`` as they were
/// when the pass began. If the list changes during a pass, the list is copied once, which costs
/// no more than the pass.
@usableFromInline
struct ObserverList<Receiver: Sendable>: Sendable {
  @frozen @usableFromInline
  struct Slot: Sendable {
    @usableFromInline let id: UInt64
    @usableFromInline var observer: Observer<Receiver>?

    @inlinable
    init(id: UInt64, observer: Observer<Receiver>?) {
      self.id = id
      self.observer = observer
    }
  }

  @usableFromInline var slots: [Slot] = []
  @usableFromInline var gaps = 0

  @inlinable
  init() {}

  /// Inserts an observer at the end, or before newer observers that are already in the list.
  @inlinable
  mutating func insert(_ observer: Observer<Receiver>) {
    slots.insert(Slot(id: observer.id, observer: observer), at: position(of: observer.id))
  }

  /// Removes an observer, and returns the observer so that the caller can release the observer
  /// outside the lock.
  @inlinable
  mutating func remove(_ id: UInt64) -> Observer<Receiver>? {
    let index = position(of: id)
    guard index < slots.count, slots[index].id == id, let observer = slots[index].observer else { return nil }
    observer.cancel()
    slots[index].observer = nil
    gaps += 1
    if gaps * 2 > slots.count {
      slots.removeAll { $0.observer == nil }
      gaps = 0
    }
    return observer
  }

  /// Marks every observer as canceled, so that passes in progress skip the observers.
  @inlinable
  func cancelAll() {
    for slot in slots { slot.observer?.cancel() }
  }

  @inlinable
  func position(of id: UInt64) -> Int {
    if let last = slots.last, last.id < id { return slots.count }
    var low = 0
    var high = slots.count
    while low < high {
      let middle = (low + high) / 2
      if slots[middle].id < id { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

extension ObserverList {
  /// Delivers one snapshot to all observers that need it, in the order in which they
  /// subscribed.
  ///
  /// By retaining the list during the pass, the function also retains every observer in the
  /// list. Retaining each observer individually would cost more than calling the observer.
  @inlinable
  static func deliver<State>(_ state: State, version: UInt64, to slots: [Slot])
  where Receiver == StateReceiver<State> {
    withExtendedLifetime(slots) {
      slots.withUnsafeBufferPointer { slots in
        for index in slots.indices {
          guard let observer = slots[index].observer.map(Unmanaged.passUnretained) else { continue }
          observer._withUnsafeGuaranteedRef { observer in
            if observer.takes(version) { observer.receiver.call(state) }
          }
        }
      }
    }
  }
}
