public import Synchronization

/// The store's lock and the value that it protects, with a record of the holding thread and its
/// operation.
///
/// If a reducer uses its store, an ordinary non-recursive lock stops the program with a system
/// message that does not explain the mistake. Because this lock records its holder, its message
/// can name the action and the remedy.
@usableFromInline
struct StoreLock<Value: Sendable>: ~Copyable, Sendable {
  @usableFromInline let mutex: Mutex<Value>
  @usableFromInline let holder = Atomic<UInt>(0)
  /// The address of the action that is being reduced, or zero while `withState` holds the lock.
  ///
  /// Only the thread that holds the lock reads the address, from inside the reducer, while the
  /// action is still at that address.
  @usableFromInline let reducing = Atomic<UInt>(0)
  /// The marker for a thread that is running a `withState` closure of any store.
  @usableFromInline let borrowing = BorrowingMark()

  @inlinable
  init(_ value: sending Value) {
    mutex = Mutex(value)
  }

  /// Returns whether the thread holds the lock, and therefore must not acquire it.
  @inlinable @inline(__always)
  borrowing func isHeld(by thread: ThreadIdentity) -> Bool {
    holder.load(ordering: .relaxed) == thread.rawValue
  }

  /// The action that is being reduced, or `nil` if the lock is held for another operation.
  @usableFromInline
  var reduced: (any Action)? {
    UnsafePointer<any Action>(bitPattern: reducing.load(ordering: .relaxed))?.pointee
  }

  /// Calls `body` with the value while no other thread has access.
  ///
  /// If the thread holds this lock, or is running a `withState` closure of another store, the
  /// program stops.
  ///
  /// - Parameters:
  ///   - thread: The calling thread.
  ///   - attempt: The attempted operation, for the message.
  ///   - body: A closure that uses the value.
  @inlinable
  borrowing func withLock<Result: Sendable, Failure: Error>(
    by thread: ThreadIdentity, attempt: Misuse.Attempt,
    _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    if isHeld(by: thread) {
      Misuse.underLock(attempt, reducing: reduced)
    }
    if borrowing.isSet { Misuse.underOtherLock(attempt) }
    return try withLock(by: thread, reducingAt: 0, body)
  }

  /// Calls `body` with the value while no other thread has access.
  ///
  /// The calling thread must not already hold the lock.
  @inlinable @inline(__always)
  borrowing func withLock<Result: Sendable, Failure: Error>(
    by thread: ThreadIdentity, _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try withLock(by: thread, reducingAt: 0, body)
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
      // As in `Locked`, these atomic operations make the order of accesses visible to the thread
      // sanitizer.
      _ = holder.load(ordering: .acquiring)
      holder.store(thread.rawValue, ordering: .relaxed)
      reducing.store(address, ordering: .relaxed)
      defer { holder.store(0, ordering: .releasing) }
      return try body(&value)
    }
  }
}
