/// The value that an observer of a slice was last called with.
///
/// One thread at a time calls an observer, so nobody ever waits for this lock, and comparisons run outside it.
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
