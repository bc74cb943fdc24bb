import FluxLog
import Foundation

/// A call that waits for its turn.
enum Job: Sendable {
  case append([Data], at: LogPosition, report: @Sendable (Result<LogPosition, LogError>) -> Void)
  /// A call that is not an append.
  ///
  /// The closure `run` returns a closure that reports the result. The code is that of the error if
  /// the connection or the server fails the call.
  case other(
    code: LogError.Code, run: @Sendable (LogTables) throws(CallFailure) -> @Sendable () -> Void,
    refuse: @Sendable (LogError) -> Void)

  /// The code of the error if the connection or the server fails the call.
  var code: LogError.Code {
    switch self {
    case .append: .unwritable
    case .other(let code, _, _): code
    }
  }

  /// The entries to append.
  var entries: [Data] {
    if case .append(let entries, _, _) = self { entries } else { [] }
  }

  /// Reports that an append has succeeded.
  func succeed() {
    if case .append(let entries, let start, let report) = self {
      report(.success(start.advanced(by: entries.count)))
    }
  }

  /// Reports that the call has failed.
  func refuse(_ error: LogError) {
    switch self {
    case .append(_, _, let report): report(.failure(error))
    case .other(_, _, let refuse): refuse(error)
    }
  }
}
