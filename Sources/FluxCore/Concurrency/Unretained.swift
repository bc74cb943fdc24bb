// The one file that uses `Unmanaged`: what the store holds on to anyway is called without being retained.

/// A reducer that its owner calls without retaining it for the length of the call.
///
/// Whoever calls it keeps it where it is meanwhile: the store does so under its lock.
@usableFromInline
struct HeldReducer<State>: Sendable {
  @usableFromInline
  final class Box: Sendable {
    @usableFromInline let reducer: MutatingReducer<State>

    @inlinable
    init(_ reducer: @escaping MutatingReducer<State>) {
      self.reducer = reducer
    }
  }

  @usableFromInline let box: Box
  @usableFromInline let unretained: Unmanaged<Box>

  @inlinable
  init(_ reducer: @escaping MutatingReducer<State>) {
    box = Box(reducer)
    unretained = .passUnretained(box)
  }
}

extension Unmanaged {
  @inlinable @inline(__always)
  func reduce<State>(_ state: inout State, _ action: any Action) where Instance == HeldReducer<State>.Box {
    _withUnsafeGuaranteedRef { $0.reducer(&state, action) }
  }
}

extension ObserverList {
  /// Delivers one snapshot to all observers that take it, in the order in which they subscribed.
  ///
  /// The list is retained for the length of the pass, and with it every observer in it, so that none needs a
  /// retain of its own, which would cost more than the call.
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
