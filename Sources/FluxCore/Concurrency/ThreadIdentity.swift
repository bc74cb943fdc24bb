// The one file that asks the platform's C library for anything.
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

/// A number that tells the running thread from every other that is alive.
@frozen @usableFromInline
package struct ThreadIdentity: Hashable, Sendable {
  @usableFromInline package let rawValue: UInt

  @inlinable
  package init(rawValue: UInt) {
    self.rawValue = rawValue
  }

  /// The identity of the thread that asks; never zero.
  @inlinable
  package static var current: ThreadIdentity {
    @inline(__always) get { ThreadIdentity(rawValue: currentThreadNumber()) }
  }
}

@inlinable @inline(__always)
func currentThreadNumber() -> UInt {
  #if os(Windows)
    UInt(GetCurrentThreadId())
  #elseif canImport(Glibc)
    UInt(pthread_self())
  #else
    UInt(bitPattern: pthread_self())
  #endif
}

/// Lets another thread run, if one is ready.
@usableFromInline
func yieldToAnotherThread() {
  #if os(Windows)
    SwitchToThread()
  #else
    sched_yield()
  #endif
}
