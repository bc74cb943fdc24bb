import Synchronization

/// A value behind a lock: the one plain lock of this package.
///
/// Each holder hands over to the next through an additional atomic. The lock alone guarantees
/// the order. However, a contended lock is handed over inside the operating system, where the
/// thread sanitizer does not observe it.
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
