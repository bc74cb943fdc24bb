/// A type whose values describe events or request changes.
///
/// Actions are dispatched to a ``Store`` as `any Action`. Reducers distinguish them with casts
/// (`case let action as SetMovie`) or with a lookup (``on(_:_:)``). An action that fits in
/// three words needs no heap allocation when it is dispatched.
public protocol Action: Sendable {
  /// Prepares the work that the action carries, and returns a closure that starts the work.
  ///
  /// Each time the action arrives at the end of the chain, this method is called once, before
  /// the reducer runs, on the thread that passed the action on. The implementation can read the
  /// state as it is before the reduction. It must not dispatch: line 14 of the contract of
  /// ``Store`` requires that an action is reduced before any action that its work dispatches.
  ///
  /// The default implementation returns `nil`. Protocols for actions that carry work, such as
  /// `AsyncAction`, implement this method. An app does not call this method, and implements it
  /// only to define a new kind of action.
  ///
  /// - Parameter context: A context that provides the state, a function to dispatch, and a
  ///   scope for tasks.
  /// - Returns: A closure that starts the work, or `nil` if the action has no work to start.
  ///   The store calls the closure once, on the same thread, after the action is reduced and
  ///   before `dispatch` returns.
  ///
  /// - Important: A conditional conformance to such a protocol (`extension Boxed: AsyncAction
  ///   where …`) has no effect on this method, because the type's conformance to `Action` does
  ///   not depend on the condition.
  func _startWork(in context: ActionContext) -> (() -> Void)?
}

extension Action {
  /// Returns `nil`, because an ordinary action carries no work.
  @inlinable
  public func _startWork(in context: ActionContext) -> (() -> Void)? { nil }
}

/// A function that dispatches an action.
///
/// Stores, middleware, and asynchronous actions use functions of this type to dispatch. Any
/// thread can call such a function. After the store was released, a call has no effect.
public typealias DispatchFunction = @Sendable (_ action: any Action) -> Void
