/// A type whose values say what happened, or what should.
///
/// Actions are dispatched to a ``Store`` as `any Action` and told apart in reducers by casting
/// (`case let action as SetMovie`) or by look-up (``on(_:_:)``). An action
/// that fits in three words needs no heap allocation on its way.
public protocol Action: Sendable {
  /// Prepares the work that the action carries, and returns a closure that starts it.
  ///
  /// The last link of the chain calls this method once for each arrival, before the reducer, on the thread that sent
  /// the action on. The implementation may read the state that the action found. It must not dispatch: line 14 of the
  /// contract of ``Store`` requires that an action is reduced before anything that its work dispatches.
  ///
  /// The default returns `nil`. Kinds of action that carry work, such as `AsyncAction`, implement this method. An app
  /// does not call it, and implements it only to add a kind of action.
  ///
  /// - Returns: A closure that starts the work. The store calls it once, on the same thread, after the action is reduced
  ///   and before `dispatch` returns. `nil` if the action has no work to start.
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
