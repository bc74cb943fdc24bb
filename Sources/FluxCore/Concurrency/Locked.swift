public import Synchronization

/// A value behind a lock, reached by a closure: the one plain lock of the package.
///
/// Each holder hands over to the next through an atomic of its own, too. The order is there without it; but where
/// the lock is contended it is made inside the operating system, and the thread sanitizer does not see it there.
@usableFromInline
package struct Locked<Value: Sendable>: ~Copyable, Sendable {
  @usableFromInline let mutex: Mutex<Value>
  @usableFromInline let handOver = Atomic<Bool>(false)

  @inlinable
  package init(_ value: sending Value) {
    mutex = Mutex(value)
  }

  /// Runs `body` with the value while no other thread does.
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

  /// Puts another value in, and takes the old one out, for it to be released outside the lock.
  @inlinable
  package borrowing func exchange(_ new: Value) -> Value {
    withLock { value in
      let old = value
      value = new
      return old
    }
  }
}
