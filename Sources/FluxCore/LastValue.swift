import Synchronization

/// The value that an observer of a slice was last called with.
///
/// One thread at a time calls an observer, so nobody ever waits for this lock, and comparisons run outside it.
final class LastValue<Value: Sendable>: Sendable {
  private let storage = Mutex<Value?>(nil)

  var value: Value? { storage.withLock { $0 } }

  func replace(by new: Value) {
    // The old value is released outside the lock.
    _ = storage.withLock { value -> Value? in
      defer { value = new }
      return value
    }
  }
}
