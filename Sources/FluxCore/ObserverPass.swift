// The one file that uses `Unmanaged`: observers are called without being retained one by one.

extension ObserverList {
  /// Delivers one snapshot to all observers that take it, in the order in which they subscribed.
  ///
  /// The list is retained for the length of the pass, and with it every observer in it, so that none needs a
  /// retain of its own: 18 instructions an observer in place of 84.
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
