import FluxLog

/// A reason why a call has no result.
enum CallFailure: Error, Hashable, Sendable {
  /// The connection ended. The server may have performed the statement.
  case lost(String)
  /// The server refused the statement, which has no effect.
  case refused(String)
  /// The call is invalid, and has no effect.
  case log(LogError)

  /// Returns the error of a call.
  ///
  /// - Parameter code: The code of a call that the connection or the server failed.
  func error(_ code: LogError.Code) -> LogError {
    switch self {
    case .lost(let reason): LogError(code, "The connection to the server was lost: \(reason)")
    case .refused(let reason): LogError(code, "The server refused the call: \(reason)")
    case .log(let error): error
    }
  }
}
