/// The value that an observer of a part of the state was last called with.
///
/// Only one thread at a time calls an observer, so no thread ever waits for the lock.
/// Comparisons run outside the lock.
@usableFromInline
final class LastValue<Value: Sendable>: Sendable {
  @usableFromInline let storage = Locked<Value?>(nil)

  @inlinable
  init() {}

  @inlinable var value: Value? { storage.withLock { $0 } }

  @inlinable
  func replace(by new: Value) {
    _ = storage.exchange(new)
  }
}
