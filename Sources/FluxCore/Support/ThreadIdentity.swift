// This is the only file that imports the platform's C library.
#if canImport(Darwin)
  public import Darwin
#elseif canImport(Glibc)
  public import Glibc
#elseif canImport(Musl)
  public import Musl
#elseif canImport(Android)
  public import Android
#elseif canImport(WinSDK)
  public import WinSDK
#endif

/// A number that distinguishes the running thread from every other live thread.
@frozen @usableFromInline
package struct ThreadIdentity: Hashable, Sendable {
  @usableFromInline package let rawValue: UInt

  @inlinable
  package init(rawValue: UInt) {
    self.rawValue = rawValue
  }

  /// The identity of the calling thread, which is never zero.
  @inlinable
  package static var current: ThreadIdentity {
    @inline(__always) get { ThreadIdentity(rawValue: currentThreadNumber()) }
  }
}

#if os(Windows)
  @inlinable @inline(__always)
  func currentThreadNumber() -> UInt { UInt(GetCurrentThreadId()) }
#else
  /// Returns the number that `pthread_self` returns.
  ///
  /// The C declaration promises that each call returns the same number, so the compiler keeps the
  /// number from before a suspension point of an asynchronous function, which can continue on
  /// another thread. This declaration makes no such promise, and costs nothing.
  @_silgen_name("pthread_self") @usableFromInline
  func currentThreadNumber() -> UInt
#endif

/// Yields to another thread that is ready to run.
@usableFromInline
func yieldToAnotherThread() {
  #if os(Windows)
    SwitchToThread()
  #else
    sched_yield()
  #endif
}

/// A marker for a thread that is running a `withState` closure of any store.
///
/// All `BorrowingMark` values represent the same marker. Each lock has its own copy of the
/// marker, so that the lock does not have to access a global variable.
@frozen @usableFromInline
struct BorrowingMark: Sendable {
  #if os(Windows)
    @usableFromInline typealias Key = DWORD
  #else
    @usableFromInline typealias Key = pthread_key_t
  #endif

  @usableFromInline let key: Key

  @usableFromInline
  init() {
    key = keyOfBorrowingMark
  }

  /// A Boolean value that indicates whether the running thread has the marker.
  @inlinable
  var isSet: Bool {
    @inline(__always) get {
      #if os(Windows)
        TlsGetValue(key) != nil
      #else
        pthread_getspecific(key) != nil
      #endif
    }
  }

  /// Sets or removes the marker of the running thread.
  @usableFromInline
  func set(_ isSet: Bool) {
    let value = isSet ? UnsafeMutableRawPointer(bitPattern: 1) : nil
    #if os(Windows)
      TlsSetValue(key, value)
    #else
      pthread_setspecific(key, value)
    #endif
  }
}

#if os(Windows)
  private let keyOfBorrowingMark = TlsAlloc()
#else
  private let keyOfBorrowingMark: pthread_key_t = {
    var key = pthread_key_t()
    let result = pthread_key_create(&key, nil)
    precondition(result == 0, "Cannot create a key for thread-local storage.")
    return key
  }()
#endif
