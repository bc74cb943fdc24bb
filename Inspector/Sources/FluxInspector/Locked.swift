import Synchronization

/// A value that a lock protects.
///
/// The atomic is only for the thread sanitizer. The lock guarantees the order of accesses, but
/// the operating system passes a contended lock from thread to thread, and the thread sanitizer
/// does not observe this. The sanitizer observes the store and the load of the atomic instead.
package struct Locked<Value: Sendable>: ~Copyable, Sendable {
  private let mutex: Mutex<Value>
  private let handOver = Atomic(false)

  package init(_ value: sending Value) {
    mutex = Mutex(value)
  }

  /// Runs `body` with the value while no other thread accesses it.
  package borrowing func withLock<Result: Sendable>(_ body: (inout Value) -> Result) -> Result {
    mutex.withLock { value in
      _ = handOver.load(ordering: .acquiring)
      defer { handOver.store(false, ordering: .releasing) }
      return body(&value)
    }
  }
}
