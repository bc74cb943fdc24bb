public import FluxCore

/// Says that work has thrown an error, and nobody was set to take it.
///
/// What the work of an action throws goes to the handler that the store was made with
/// (``FluxCore/Plugin/asyncWork(clock:policies:chance:onError:)``). Without one it is dispatched as this, through the whole
/// chain, so that logs show it and reducers can handle it: `on(WorkFailed.self) { state, failure in … }`.
public struct WorkFailed: Action {
  /// What was thrown.
  public let error: any Error
  /// Whose work it was.
  public let action: any Action

  /// Creates the action.
  public init(error: any Error, action: any Action) {
    self.error = error
    self.action = action
  }
}

extension WorkFailed: CustomStringConvertible {
  /// Whose work failed, and why.
  public var description: String { "WorkFailed(\(type(of: action)): \(ValueDescription.text(of: error)))" }
}

/// An action that says that an attempt of retried work has thrown an error, and that another attempt follows.
///
/// The store dispatches it through the whole chain once the attempt is over, with all that it has started, and before the
/// wait for the next attempt. Logs show each failed attempt by it; a reducer need not handle it. If the work has no attempts
/// left, its error is reported as the error of the work, and there is no such action.
public struct WorkAttemptFailed: Action {
  /// The error that the attempt threw.
  public let error: any Error
  /// The action whose work is tried again.
  public let action: any Action
  /// The number of the attempt, from 1 on.
  public let attempt: Int

  /// Creates the action: for tests of reducers.
  public init(error: any Error, action: any Action, attempt: Int) {
    self.error = error
    self.action = action
    self.attempt = attempt
  }

  /// Starts nothing.
  ///
  /// An action with work is not reported as unhandled by the development checks.
  public func _startWork(in context: ActionContext) -> (() -> Void)? { {} }
}

extension WorkAttemptFailed: CustomStringConvertible {
  /// The type of the action, the number of the attempt, and the error.
  public var description: String {
    "WorkAttemptFailed(\(type(of: action)), attempt \(attempt): \(ValueDescription.text(of: error)))"
  }
}
