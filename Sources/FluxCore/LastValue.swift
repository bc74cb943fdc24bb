public import Synchronization

/// The value that an observer of a slice was last called with.
///
/// One thread at a time calls an observer, so nobody ever waits for this lock, and comparisons run outside it.
@usableFromInline
final class LastValue<Value: Sendable>: Sendable {
  @usableFromInline let storage = Mutex<Value?>(nil)

  @inlinable
  init() {}

  @inlinable var value: Value? { storage.withLock { $0 } }

  @inlinable
  func replace(by new: Value) {
    // The old value is released outside the lock.
    _ = storage.withLock { value -> Value? in
      defer { value = new }
      return value
    }
  }
}
