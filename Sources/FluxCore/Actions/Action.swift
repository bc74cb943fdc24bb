/// A type whose values say what happened, or what should.
///
/// Actions are dispatched to a ``Store`` as `any Action` and told apart in reducers by casting
/// (`case let action as SetMovie`) or by look-up (``on(_:_:)-(_,MutatingHandler<State,Handled>)``). An action
/// that fits in three words needs no heap allocation on its way.
public protocol Action: Sendable {
  /// Starts the work that the action carries, if it carries any.
  ///
  /// The last link of the chain asks every action once for each arrival, just before the reducer. The default
  /// does nothing; kinds of action that carry work (`AsyncAction`) refine it. An app does not call it, and
  /// implements it only to add a kind of action of its own.
  ///
  /// - Returns: What is to be done once the action has been reduced, on the same thread: most often, starting a task, whose
  ///   results must not be reduced before the action is. `nil` if that is nothing.
  ///
  /// - Important: A conditional conformance to such a kind (`extension Boxed: AsyncAction where …`) is not
  ///   seen here: the type's conformance to `Action` was settled without it.
  func _startWork(in context: ActionContext) -> (() -> Void)?
}

extension Action {
  /// Does nothing: an ordinary action carries no work.
  @inlinable
  public func _startWork(in context: ActionContext) -> (() -> Void)? { nil }
}

/// A function that sends an action on its way.
///
/// What a store, a middleware and an async action call to dispatch. It may be called from any thread, and
/// does nothing once the store has gone.
public typealias DispatchFunction = @Sendable (_ action: any Action) -> Void
