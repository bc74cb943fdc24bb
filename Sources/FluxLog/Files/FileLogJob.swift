import Foundation

/// A call of a file log that waits for its turn.
enum FileLogJob: Sendable {
  case append([Data], at: LogPosition, report: @Sendable (Result<LogPosition, LogError>) -> Void)
  /// A call that uses the files for something else.
  ///
  /// The first closure uses the files, and returns a closure that reports the result, and the error
  /// after which the files can no longer be used, or `nil`.
  case other(
    run: @Sendable () -> (report: @Sendable () -> Void, failure: LogError?),
    refuse: @Sendable (LogError) -> Void)

  /// The entries to append.
  var entries: [Data] {
    if case .append(let entries, _, _) = self { entries } else { [] }
  }

  /// Reports the new end of the log.
  func succeed(at end: LogPosition) {
    if case .append(_, _, let report) = self { report(.success(end)) }
  }

  /// Reports that the call has failed without a turn.
  func refuse(_ error: LogError) {
    switch self {
    case .append(_, _, let report): report(.failure(error))
    case .other(_, let refuse): refuse(error)
    }
  }
}
