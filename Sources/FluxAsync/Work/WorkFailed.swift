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
