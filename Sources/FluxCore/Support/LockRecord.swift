public import Synchronization

/// A record of the thread that holds the lock of a store, and of the operation of the thread.
///
/// If a reducer uses its store, an ordinary non-recursive lock stops the program with a system
/// message that does not explain the mistake. Because the record contains the holder, the message
/// of the store can name the action and the remedy.
///
/// The type is not generic, so a program does not contain a copy of the slow path for each type of
/// state.
@usableFromInline
struct LockRecord: ~Copyable, Sendable {
  /// The number of the thread that holds the lock, or zero.
  @usableFromInline let holder = Atomic<UInt>(0)
  /// The address of the action that is being reduced, or zero during another operation.
  ///
  /// Only the thread that holds the lock reads the address, from inside the reducer, while the
  /// action is still at that address.
  @usableFromInline let reducing = Atomic<UInt>(0)

  @inlinable
  init() {}

  /// A Boolean value that indicates whether any thread holds the lock.
  ///
  /// The value is a hint, because other threads can acquire and release the lock at any time.
  @inlinable
  var isHeld: Bool {
    @inline(__always) get { holder.load(ordering: .relaxed) != 0 }
  }

  /// Returns whether the thread holds the lock, and therefore must not acquire it.
  ///
  /// The identity of the thread is read only if a thread holds the lock.
  @inlinable @inline(__always)
  borrowing func isHeld(by thread: @autoclosure () -> ThreadIdentity) -> Bool {
    let number = holder.load(ordering: .relaxed)
    return number != 0 && number == thread().rawValue
  }

  /// The action that is being reduced, or `nil` if the lock is held for another operation.
  @usableFromInline
  var reduced: (any Action)? {
    UnsafePointer<any Action>(bitPattern: reducing.load(ordering: .relaxed))?.pointee
  }

  /// Records that the thread has acquired the lock.
  ///
  /// As in `Locked`, the atomic operations make the order of accesses visible to the thread
  /// sanitizer.
  @inlinable @inline(__always)
  borrowing func acquired(by thread: ThreadIdentity, reducingAt address: UInt) {
    _ = holder.load(ordering: .acquiring)
    holder.store(thread.rawValue, ordering: .relaxed)
    reducing.store(address, ordering: .relaxed)
  }

  /// Records that the thread is about to release the lock.
  @inlinable @inline(__always)
  borrowing func released() {
    holder.store(0, ordering: .releasing)
  }

  /// Waits until no thread holds the lock, or until the backoff ends.
  ///
  /// The calling thread must not hold the lock.
  @usableFromInline @inline(never)
  borrowing func backOff() {
    for interval in Backoff() {
      let end = ContinuousClock.now + interval
      while ContinuousClock.now < end {}
      if !isHeld { return }
    }
  }

  /// Waits until no thread holds the lock, or until the backoff ends.
  ///
  /// If the calling thread holds the lock, the program stops.
  ///
  /// - Parameter attempt: The attempted operation, for the message.
  @usableFromInline @inline(never)
  borrowing func backOff(before attempt: Misuse.Attempt) {
    if isHeld(by: .current) { Misuse.underLock(attempt, reducing: reduced) }
    backOff()
  }

  /// Waits until no thread holds the lock, or until the backoff ends.
  ///
  /// If the calling thread holds the lock, the program stops.
  ///
  /// - Parameter action: The action that the calling thread dispatched, for the message.
  @usableFromInline @inline(never)
  borrowing func backOff(beforeReducing action: any Action) {
    if isHeld(by: .current) { Misuse.dispatchedUnderLock(action, reducing: reduced) }
    backOff()
  }
}
