public import FluxCore

/// What the short forms of middleware know of their store: its state, and how to dispatch to it.
///
/// It does not keep the store alive: once the store has gone, ``state`` is `nil`, and dispatching does nothing.
public struct MiddlewareContext<State>: Sendable {
  /// Sends an action through the whole chain again, from any thread.
  public let dispatch: DispatchFunction
  @usableFromInline let getState: @Sendable () -> State?

  /// Creates a context from what a middleware is given.
  @inlinable
  public init(dispatch: @escaping DispatchFunction, getState: @escaping @Sendable () -> State?) {
    self.dispatch = dispatch
    self.getState = getState
  }

  /// The state as it is now; `nil` once the store has gone.
  ///
  /// A copy, made under the store's lock. While other threads dispatch it may be newer than the action at hand.
  @inlinable public var state: State? { getState() }
}
