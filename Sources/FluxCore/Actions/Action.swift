/// A type whose values describe events or request changes.
///
/// Actions are dispatched to a ``Store`` as `any Action`. Reducers distinguish actions with
/// casts (`case let action as SetMovie`) or with a lookup (``on(_:_:)``). An action that fits in
/// three words needs no heap allocation when it is dispatched.
public protocol Action: Sendable {
  /// Prepares the work that the action carries, and returns a closure that starts the work.
  ///
  /// Each time the action arrives at the end of the chain, the store calls this method once. The
  /// store makes this call before the reduction, on the thread that passed the action on. If the
  /// implementation reads the state, it receives the state from before the reduction. The
  /// implementation must not dispatch. Rule 14 of the ``Store`` contract requires that an action
  /// be reduced before any action that its work dispatches.
  ///
  /// The default implementation returns `nil`. Protocols for actions that carry work, such as
  /// `AsyncAction`, implement this method. Apps do not call this method. Implement this method
  /// only to define a new kind of action that carries work.
  ///
  /// - Parameter context: A context that provides the state, a dispatch function, and a scope
  ///   for tasks.
  /// - Returns: A closure that starts the work, or `nil` if the action has no work to start. The
  ///   store calls the closure once, after the reduction and before `dispatch` returns, on the
  ///   thread that called this method, and with a context that is equal to `context`.
  ///
  /// - Important: A conditional conformance of a type to `AsyncAction` has no effect on this
  ///   method, because the type's conformance to `Action` does not depend on the condition.
  func _startWork(in context: ActionContext) -> WorkStart?
}

extension Action {
  /// Returns `nil`, because an ordinary action carries no work.
  @inlinable
  public func _startWork(in context: ActionContext) -> WorkStart? { nil }
}

/// A function that starts the work of an action.
///
/// The function receives the context of the action, so that a closure does not have to capture it.
/// A closure that captures one object, or nothing, needs no heap allocation.
public typealias WorkStart = (_ context: ActionContext) -> Void

/// A function that dispatches an action.
///
/// Stores, middleware, and asynchronous actions use functions of this type to dispatch. Any
/// thread can call a dispatch function. After the store is released, a call has no effect.
public typealias DispatchFunction = @Sendable (_ action: any Action) -> Void
