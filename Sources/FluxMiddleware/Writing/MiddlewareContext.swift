public import FluxCore

/// A value that contains the dispatch function of a store and provides access to its state, for
/// functions such as ``interceptActions(_:)``.
///
/// The context does not retain the store. After the store is released, ``state`` is `nil`, and
/// dispatching an action has no effect.
public struct MiddlewareContext<State>: Sendable {
  /// A function that sends an action through the whole chain again, from any thread.
  public let dispatch: DispatchFunction
  @usableFromInline let getState: @Sendable () -> State?

  /// Creates a context from the functions that a middleware receives.
  @inlinable
  public init(dispatch: @escaping DispatchFunction, getState: @escaping @Sendable () -> State?) {
    self.dispatch = dispatch
    self.getState = getState
  }

  /// The current state, or `nil` if the store has been released.
  ///
  /// The value is a copy that is made under the store's lock. While other threads dispatch
  /// actions, the value can be newer than the state that the current action produced.
  @inlinable public var state: State? { getState() }
}
