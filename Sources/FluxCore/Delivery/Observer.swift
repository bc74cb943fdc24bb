public import Synchronization

/// A subscription in the store's core.
@usableFromInline
final class Observer<Receiver: Sendable>: Sendable {
  /// The position of the observer in the order in which the observers subscribed.
  @usableFromInline let id: UInt64
  /// The closure that receives the states.
  @usableFromInline let receiver: Receiver
  /// The status of the observer, which changes only under the store's lock.
  @usableFromInline let status = Atomic<ObserverStatus>(.starting)
  /// The newest version that the observer was called with, or the greatest possible number while
  /// passes skip the observer.
  ///
  /// A pass loads this number once to determine whether to call the observer, and then writes the
  /// new version. If the observer is canceled between the load and the write, the pass overwrites
  /// the cancellation. Overwriting the cancellation is harmless for three reasons:
  ///
  /// - Only one pass runs at a time.
  /// - The pass calls the observer only once more, immediately after the write.
  /// - Later passes use lists from which the observer has already been removed.
  ///
  /// A pass never writes the version of an observer whose status is `starting`, so the pass
  /// cannot overwrite the version that ``join(seen:)`` writes.
  @usableFromInline let seen = Atomic<UInt64>(.max)

  @inlinable
  init(id: UInt64, receiver: Receiver) {
    self.id = id
    self.receiver = receiver
  }

  /// Returns whether a pass must call the observer with a version, and if so, records the
  /// version.
  @inlinable @inline(__always)
  func takes(_ version: UInt64) -> Bool {
    guard seen.load(ordering: .acquiring) < version else { return false }
    seen.store(version, ordering: .relaxed)
    return true
  }

  /// Includes the observer in passes with versions newer than the given version.
  ///
  /// The caller must hold the store's lock.
  @inlinable
  func join(seen version: UInt64) {
    status.store(.active, ordering: .relaxed)
    seen.store(version, ordering: .releasing)
  }

  /// Excludes the observer from all passes.
  ///
  /// The caller must hold the store's lock.
  @inlinable
  func cancel() {
    status.store(.cancelled, ordering: .relaxed)
    seen.store(.max, ordering: .releasing)
  }
}

/// The status of an observer.
@frozen @usableFromInline
enum ObserverStatus: UInt8, AtomicRepresentable {
  /// The subscriber calls the observer, and passes skip the observer.
  case starting
  case active
  /// The final status.
  case cancelled
}

/// The closure that delivers a state to an observer on the delivering thread.
@frozen @usableFromInline
struct StateReceiver<State: Sendable>: Sendable {
  @usableFromInline let call: @Sendable (State) -> Void

  @inlinable
  init(call: @escaping @Sendable (State) -> Void) {
    self.call = call
  }
}

/// The closure that delivers a state to an observer on the main actor.
@usableFromInline
struct MainReceiver<State: Sendable>: Sendable {
  @usableFromInline let call: @MainActor (State) -> Void

  @inlinable
  init(call: @escaping @MainActor (State) -> Void) {
    self.call = call
  }
}
