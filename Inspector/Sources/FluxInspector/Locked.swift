import Synchronization

/// A value behind a lock: the one plain lock of this package.
///
/// Each holder hands over to the next through an atomic of its own, too. The order is there without it; but where
/// the lock is contended it is made inside the operating system, and the thread sanitizer does not see it there.
package struct Locked<Value: Sendable>: ~Copyable, Sendable {
  private let mutex: Mutex<Value>
  private let handOver = Atomic(false)

  package init(_ value: sending Value) {
    mutex = Mutex(value)
  }

  /// Runs `body` with the value while no other thread does.
  package borrowing func withLock<Result: Sendable>(_ body: (inout Value) -> Result) -> Result {
    mutex.withLock { value in
      _ = handOver.load(ordering: .acquiring)
      defer { handOver.store(false, ordering: .releasing) }
      return body(&value)
    }
  }
}
