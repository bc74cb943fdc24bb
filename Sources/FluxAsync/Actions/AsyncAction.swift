public import FluxCore

/// An action that starts asynchronous work and dispatches the results.
///
/// ```swift
/// struct FetchDetail: AsyncAction {
///   let movie: Int
///
///   func execute(state: (any FluxState)?, dispatch: @escaping DispatchFunction) {
///     service.detail(of: movie) { result in
///       switch result {
///       case .success(let detail): dispatch(SetDetail(detail))
///       case .failure(let error): dispatch(FetchFailed(movie: movie, reason: "\(error)"))
///       }
///     }
///   }
/// }
/// ```
///
/// An async action needs no middleware. The store starts the work after the action has passed
/// through the chain and the reducer. The action is therefore reduced before any action that
/// ``execute(state:dispatch:)`` dispatches, even if the method dispatches immediately.
/// Middleware receives an async action like any other action, and does not have to pass the
/// action on.
///
/// An async action has no access to the services of the store. If the work needs services, use a
/// ``TaskAction``, an ``AsyncRequest``, or an ``ActionPlan`` instead.
///
/// - Important: Declare the conformance where the type first conforms to ``/FluxCore/Action``.
///   The store never calls `execute` if the type already conforms to `Action` in another module
///   or in a superclass, or if the conformance to `AsyncAction` is conditional.
///
/// The design of the protocol comes from SwiftUIFlux.
public protocol AsyncAction: Action {
  /// Starts the work, and returns without waiting for the work to end.
  ///
  /// The store calls this method each time the action arrives at the end of the chain, after the
  /// action is reduced and before `dispatch` returns. The store makes the call outside its lock,
  /// on the thread that reduced the action. This thread is the dispatching thread if no
  /// middleware deferred the action.
  ///
  /// - Parameters:
  ///   - state: The state before this action is reduced. The store retains this state during the
  ///     reduction, so a reducer that changes a collection in place copies the collection. For
  ///     other actions that have work, the store does not retain the state.
  ///   - dispatch: A closure that dispatches an action through the whole chain. You can call the
  ///     closure from any thread. The closure does nothing after the store was released, or
  ///     after the dispatch or work that the action belongs to was canceled.
  func execute(state: (any FluxState)?, dispatch: @escaping DispatchFunction)
}

extension AsyncAction {
  /// Returns a closure that executes the action, or `nil` if the store was released or the
  /// dispatch that the action belongs to was canceled.
  public func _startWork(in context: ActionContext) -> WorkStart? {
    let scope = EffectScope.current
    guard let state = context.state, scope?.hasEnded != true else { return nil }
    // The store cannot determine when a callback is done, so the work counts as idle immediately.
    scope?.countIdleArrival()
    return { context in
      // An observer of the action can cancel the dispatch before the work starts.
      if scope?.hasEnded != true { execute(state: state, dispatch: context.dispatchFunction(in: scope)) }
    }
  }
}

/// A middleware that passes every action on unchanged.
///
/// In SwiftUIFlux, this middleware runs async actions before they are reduced. In Flux, the
/// store runs an async action after the action is reduced. The middleware exists only for source
/// compatibility, and does not run any action a second time.
@Sendable
public func asyncActionsMiddleware<State>(
  dispatch: @escaping DispatchFunction, getState: @escaping @Sendable () -> State?
) -> @Sendable (_ next: @escaping DispatchFunction) -> DispatchFunction {
  { next in next }
}
