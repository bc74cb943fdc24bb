public import Synchronization

/// The store's lock, with the value inside, that knows which thread holds it and what for.
///
/// A lock that is not recursive would stop the program by itself when a reducer touches its store, with a message
/// of the system's that names nothing. Knowing its holder, this one names the action and what to do instead.
@usableFromInline
struct StoreLock<Value: Sendable>: ~Copyable, Sendable {
  @usableFromInline let mutex: Mutex<Value>
  @usableFromInline let holder = Atomic<UInt>(0)
  /// The type of the action in the reducer, as a bit pattern; zero while `withState` holds the lock.
  @usableFromInline let actionType = Atomic<UInt>(0)

  @inlinable
  init(_ value: sending Value) {
    mutex = Mutex(value)
  }

  /// Whether the thread holds the lock, and so must not ask for it.
  @inlinable @inline(__always)
  borrowing func isHeld(by thread: ThreadIdentity) -> Bool {
    holder.load(ordering: .relaxed) == thread.rawValue
  }

  /// Runs `body` with the value while no other thread does, if the thread may.
  ///
  /// - Parameters:
  ///   - thread: The thread that calls.
  ///   - attempt: What the thread is about to do, for the message if it holds the lock already.
  @inlinable
  borrowing func withLock<Result: Sendable, Failure: Error>(
    by thread: ThreadIdentity, attempt: Misuse.Attempt,
    _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    if isHeld(by: thread) {
      Misuse.underLock(attempt, reducing: actionType.load(ordering: .relaxed))
    }
    return try withLock(by: thread, reducing: 0, body)
  }

  /// Runs `body` with the value while no other thread does.
  ///
  /// The thread must not hold the lock.
  ///
  /// - Parameters:
  ///   - thread: The thread that calls.
  ///   - reducing: The type of the action that `body` reduces, as ``typeBits(of:)`` gives it, or zero.
  @inlinable @inline(__always)
  borrowing func withLock<Result: Sendable, Failure: Error>(
    by thread: ThreadIdentity, reducing: UInt, _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try mutex.withLock { value throws(Failure) -> Result in
      holder.store(thread.rawValue, ordering: .relaxed)
      actionType.store(reducing, ordering: .relaxed)
      defer { holder.store(0, ordering: .relaxed) }
      return try body(&value)
    }
  }
}

/// The type of an action as a bit pattern, which can be noted without a lock.
@inlinable
func typeBits<Reduced: Action>(of action: Reduced) -> UInt {
  UInt(bitPattern: unsafeBitCast(Reduced.self as Any.Type, to: UnsafeRawPointer.self))
}
