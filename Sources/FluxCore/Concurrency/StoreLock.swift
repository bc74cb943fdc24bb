public import Synchronization

/// The store's lock, with the value inside, that knows which thread holds it and what for.
///
/// A lock that is not recursive would stop the program by itself when a reducer touches its store, with a message
/// of the system's that names nothing. Knowing its holder, this one names the action and what to do instead.
@usableFromInline
struct StoreLock<Value: Sendable>: ~Copyable, Sendable {
  @usableFromInline let mutex: Mutex<Value>
  @usableFromInline let holder = Atomic<UInt>(0)
  /// The address of the action in the reducer; zero while `withState` holds the lock.
  ///
  /// Only the holder reads it, from inside the reducer, while the action is where it was.
  @usableFromInline let reducing = Atomic<UInt>(0)
  /// The mark of a thread that is in a `withState` closure, of this store or another one.
  @usableFromInline let borrowing = BorrowingMark()

  @inlinable
  init(_ value: sending Value) {
    mutex = Mutex(value)
  }

  /// Whether the thread holds the lock, and so must not ask for it.
  @inlinable @inline(__always)
  borrowing func isHeld(by thread: ThreadIdentity) -> Bool {
    holder.load(ordering: .relaxed) == thread.rawValue
  }

  /// The action in the reducer, if the thread, which holds the lock, is in the reducer.
  @usableFromInline
  var reduced: (any Action)? {
    UnsafePointer<any Action>(bitPattern: reducing.load(ordering: .relaxed))?.pointee
  }

  /// Runs `body` with the value while no other thread does.
  ///
  /// If the thread holds this lock, or is in a `withState` closure of another store, the program
  /// stops.
  ///
  /// - Parameters:
  ///   - thread: The thread that calls.
  ///   - attempt: What the thread is about to do, for the message.
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

  /// Runs `body` with the value while no other thread does.
  ///
  /// The thread must not hold the lock.
  @inlinable @inline(__always)
  borrowing func withLock<Result: Sendable, Failure: Error>(
    by thread: ThreadIdentity, _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try withLock(by: thread, reducingAt: 0, body)
  }

  /// Runs `body`, which reduces an action, with the value while no other thread does.
  ///
  /// The thread must not hold the lock.
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
      // As `Locked` does, so that the thread sanitizer sees the order.
      _ = holder.load(ordering: .acquiring)
      holder.store(thread.rawValue, ordering: .relaxed)
      reducing.store(address, ordering: .relaxed)
      defer { holder.store(0, ordering: .releasing) }
      return try body(&value)
    }
  }
}
