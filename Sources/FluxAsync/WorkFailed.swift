public import FluxCore

/// Tells that work which an action had started has failed, where nobody was there to be told.
///
/// It is dispatched through the whole chain, so that logs show it and a reducer can keep it:
///
/// ```swift
/// on(WorkFailed.self) { state, failed in state.trouble = "\(failed.error)" }
/// ```
///
/// Cancellation is no failure: work that was cancelled is not told of.
public struct WorkFailed: Action {
  /// What the work threw.
  public let error: any Error
  /// The action that had started the work.
  public let action: any Action

  /// Creates an action that tells of a failure.
  public init(error: any Error, action: any Action) {
    self.error = error
    self.action = action
  }
}

extension WorkFailed: CustomStringConvertible {
  /// The type of the action, and the error, in a line of a log.
  public var description: String { "WorkFailed(\(type(of: action)): \(error))" }
}
