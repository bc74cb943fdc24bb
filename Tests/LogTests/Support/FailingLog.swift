import FluxLog
import TestSupport

/// A log in memory, one of whose operations fails.
struct FailingLog {
  let log: MemoryLog
  private let operations: Shared<Int>

  /// Creates an empty log.
  ///
  /// - Parameters:
  ///   - number: The number of the operation that fails, beginning with 1.
  ///   - fault: The way in which the operation fails.
  init(at number: Int, _ fault: MemoryLog.Fault) {
    let operations = Shared(0)
    self.operations = operations
    log = MemoryLog { _ in
      operations.change { count in
        count += 1
        return count == number ? fault : nil
      }
    }
  }

  /// The number of operations so far.
  var count: Int { operations.value }

  /// Lets all later operations succeed.
  func repair() {
    operations.value = Int.min
  }
}
