public import FluxCore

/// An action that reports an error of work if the store has no error handler.
///
/// If the work of an action throws, the handler that the store was created with receives the
/// error (``FluxCore/Plugin/asyncWork(clock:policies:chance:onError:)``). Without a handler,
/// the error is dispatched as this action, through the whole chain. Logs then show the error,
/// and reducers can handle it: `on(WorkFailed.self) { state, failure in … }`.
public struct WorkFailed: Action {
  /// The error that the work threw.
  public let error: any Error
  /// The action whose work failed.
  public let action: any Action

  /// Creates the action.
  public init(error: any Error, action: any Action) {
    self.error = error
    self.action = action
  }
}

extension WorkFailed: CustomStringConvertible {
  /// A description with the type of the action and the error.
  public var description: String { "WorkFailed(\(type(of: action)): \(ValueDescription.text(of: error)))" }
}
