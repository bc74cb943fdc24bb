public import FluxCore

/// A function that dispatches for a thunk: call it with an action, or with a thunk whose result
/// it returns.
public struct ThunkDispatch<State: Sendable>: Sendable {
  /// The plain dispatch function, to pass to other code.
  public let function: DispatchFunction

  /// Sends an action through the whole chain.
  public func callAsFunction(_ action: any Action) {
    function(action)
  }

  /// Sends a thunk through the whole chain, and returns its result.
  ///
  /// - Returns: The result, or `nil` if the thunk was not run before this method returned.
  @discardableResult
  public func callAsFunction<Value>(_ thunk: ResultThunk<State, Value>) -> Value? {
    thunk.result(dispatchedBy: function)
  }
}
