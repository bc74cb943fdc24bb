/// An action that reports that an attempt at the work failed with an error, and that the work
/// will be retried.
///
/// The store dispatches the action through the whole chain after the attempt and everything that
/// the attempt started have ended. After this dispatch, the store waits for the retry delay, and
/// then makes the next attempt. The action serves as the log line for the failed attempt. A
/// reducer does not have to handle the action, a history does not record it, and the development
/// checks do not report it as unhandled. If no attempts are left, the error is reported as the
/// error of the work, and no `WorkAttemptFailed` action is dispatched.
public struct WorkAttemptFailed: Action {
  /// The error that the attempt threw.
  public let error: any Error
  /// The action whose work will be retried.
  public let action: any Action
  /// The number of the attempt, starting at 1.
  public let attempt: Int

  /// Creates the action.
  public init(error: any Error, action: any Action, attempt: Int) {
    self.error = error
    self.action = action
    self.attempt = attempt
  }
}

extension WorkAttemptFailed: CustomStringConvertible {
  /// The type of the action, the number of the attempt, and the error.
  public var description: String {
    "WorkAttemptFailed(\(type(of: action)), attempt \(attempt): \(ValueDescription.text(of: error)))"
  }
}
