public import FluxCore

/// How a thunk dispatches: called like a function, with an action, or with a thunk whose result comes back.
public struct ThunkDispatch<State: Sendable>: Sendable {
  /// The plain function, to hand on.
  public let function: DispatchFunction

  /// Sends an action through the whole chain.
  public func callAsFunction(_ action: any Action) {
    function(action)
  }

  /// Sends a thunk through the whole chain, and returns its result.
  ///
  /// - Returns: The result, or `nil` if the thunk was not run before this returned.
  @discardableResult
  public func callAsFunction<Value>(_ thunk: ResultThunk<State, Value>) -> Value? {
    thunk.result(dispatchedBy: function)
  }
}
