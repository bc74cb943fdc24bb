public import Synchronization

/// A value that is protected by a lock, and accessed through closures.
///
/// All simple locks of the package use this type.
///
/// Each holder of the lock also synchronizes with the next holder through an atomic value. The
/// lock already orders the threads that hold it. However, under contention, a library that is
/// compiled without the thread sanitizer acquires the lock, so the sanitizer cannot detect this
/// order.
@usableFromInline
package struct Locked<Value: Sendable>: ~Copyable, Sendable {
  @usableFromInline let mutex: Mutex<Value>
  @usableFromInline let handOver = Atomic<Bool>(false)

  @inlinable
  package init(_ value: sending Value) {
    mutex = Mutex(value)
  }

  /// Calls `body` with the value while no other thread has access.
  @inlinable
  package borrowing func withLock<Result: Sendable, Failure: Error>(
    _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try mutex.withLock { value throws(Failure) -> Result in
      _ = handOver.load(ordering: .acquiring)
      defer { handOver.store(false, ordering: .releasing) }
      return try body(&value)
    }
  }

  /// Replaces the value, and returns the old value so that the caller can release it outside
  /// the lock.
  @inlinable
  package borrowing func exchange(_ new: Value) -> Value {
    withLock { value in
      let old = value
      value = new
      return old
    }
  }
}
