// The one file that asks the platform's C library for anything.
#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#elseif canImport(WinSDK)
  import WinSDK
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

@usableFromInline
func currentThreadNumber() -> UInt {
  #if os(Windows)
    UInt(GetCurrentThreadId())
  #elseif canImport(Glibc)
    UInt(pthread_self())
  #else
    UInt(bitPattern: pthread_self())
  #endif
}
