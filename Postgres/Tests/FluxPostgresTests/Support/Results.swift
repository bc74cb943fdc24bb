import FluxLog
import Foundation
import Synchronization

@testable import FluxPostgres

/// The results of appends in the order of their submission, for which a test can wait.
final class Results: Sendable {
  private let contents = Mutex<(submitted: Int, results: [Int: Result<LogPosition, LogError>])>((0, [:]))

  /// Returns a closure that receives the result of the next append.
  func next() -> @Sendable (Result<LogPosition, LogError>) -> Void {
    let number = contents.withLock { contents in
      contents.submitted += 1
      return contents.submitted
    }
    return { result in self.contents.withLock { $0.results[number] = result } }
  }

  /// Waits until a number of appends have ended.
  func all(_ count: Int) async throws -> [Result<LogPosition, LogError>] {
    while true {
      let results = contents.withLock { $0.results }
      if results.count >= count { return results.sorted { $0.key < $1.key }.map(\.value) }
      try Task.checkCancellation()
      await Task.yield()
    }
  }
}

extension PostgresLog {
  /// Submits an append before the method returns, so that the order of appends is known.
  func submit(_ text: String, at offset: UInt64, _ results: Results) {
    calls.append([Data(text)], at: LogPosition(offset), report: results.next())
  }
}
