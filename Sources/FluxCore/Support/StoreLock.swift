public import Synchronization

/// The store's lock and the value that it protects, with a record of the holding thread and its
/// operation.
///
/// If the record shows that another thread holds the lock, a thread backs off before it acquires
/// the mutex. A thread that waits for a mutex reads the mutex in a loop, and the reads move the
/// cache lines of the lock away from the processor of the holder. During the backoff, the cache
/// lines stay there, so the holder can acquire the lock many times at a low cost. The backoff is
/// bounded. After the backoff, the thread waits for the mutex, which blocks the thread if
/// necessary.
@usableFromInline
struct StoreLock<Value: Sendable>: ~Copyable, Sendable {
  @usableFromInline let record = LockRecord()
  /// The marker for a thread that is running a `withState` closure of any store.
  @usableFromInline let borrowing = BorrowingMark()
  // The mutex comes last, so that its first values share a cache line with the record.
  @usableFromInline let mutex: Mutex<Value>

  @inlinable
  init(_ value: sending Value) {
    mutex = Mutex(value)
  }

  /// Calls `body` with the value while no other thread has access.
  ///
  /// If the calling thread holds this lock, or is running a `withState` closure of another store,
  /// the program stops.
  ///
  /// - Parameters:
  ///   - attempt: The attempted operation, for the message.
  ///   - body: A closure that uses the value.
  @inlinable
  borrowing func withLock<Result: Sendable, Failure: Error>(
    attempt: Misuse.Attempt, _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    if record.isHeld { record.backOff(before: attempt) }
    if borrowing.isSet { Misuse.underOtherLock(attempt) }
    return try withLock(by: .current, reducingAt: 0, body)
  }

  /// Calls `body` with the value while no other thread has access.
  ///
  /// The calling thread must not already hold the lock.
  @inlinable @inline(__always)
  borrowing func withLock<Result: Sendable, Failure: Error>(
    by thread: ThreadIdentity, _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    if record.isHeld { record.backOff() }
    return try withLock(by: thread, reducingAt: 0, body)
  }

  /// Calls `body`, which reduces an action, with the value while no other thread has access.
  ///
  /// The calling thread must not already hold the lock.
  @inlinable @inline(__always)
  borrowing func withLock<Result: Sendable>(
    by thread: ThreadIdentity, reducing action: any Action, _ body: (inout Value) -> Result
  ) -> Result {
    withUnsafePointer(to: action) { withLock(by: thread, reducingAt: UInt(bitPattern: $0), body) }
  }

  @inlinable @inline(__always)
  borrowing func withLock<Result: Sendable, Failure: Error>(
    by thread: ThreadIdentity, reducingAt address: UInt, _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try mutex.withLock { value throws(Failure) -> Result in
      record.acquired(by: thread, reducingAt: address)
      defer { record.released() }
      return try body(&value)
    }
  }
}
