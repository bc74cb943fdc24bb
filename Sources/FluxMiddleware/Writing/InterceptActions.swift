public import FluxCore

/// A middleware from one closure, which is given the store, the action and the rest of the chain.
///
/// ```swift
/// let retrying: Middleware<AppState> = interceptActions { store, action, next in
///   next(action)
///   if store.state?.needsRefresh == true { store.dispatch(Refresh()) }
/// }
/// ```
///
/// It is a ``/FluxCore/Middleware`` with its three closures folded into one: `next` may be called never, once, many times, now or
/// later, from any thread.
@inlinable
public func interceptActions<State>(
  _ intercept:
    @escaping @Sendable (
      _ store: MiddlewareContext<State>, _ action: any Action, _ next: @escaping DispatchFunction
    ) -> Void
) -> Middleware<State> {
  { dispatch, getState in
    let store = MiddlewareContext(dispatch: dispatch, getState: getState)
    return { next in { action in intercept(store, action, next) } }
  }
}

/// A middleware for one type of action, from one closure; all other actions it passes on.
///
/// ```swift
/// let confirming: Middleware<AppState> = interceptActions(of: Delete.self) { store, delete, next in
///   confirm(delete) { isSure in if isSure { next(delete) } }
/// }
/// ```
///
/// As ``interceptActions(_:)``, for actions of exactly this type, found by comparing types and not by casting: another
/// action costs a handful of instructions, as `Documentation/Performance.md` shows.
@inlinable
public func interceptActions<State, Intercepted: Action>(
  of type: Intercepted.Type,
  _ intercept:
    @escaping @Sendable (
      _ store: MiddlewareContext<State>, _ action: Intercepted, _ next: @escaping DispatchFunction
    ) -> Void
) -> Middleware<State> {
  let intercepted = ActionType(type)
  return { dispatch, getState in
    let store = MiddlewareContext(dispatch: dispatch, getState: getState)
    return { next in
      intercepted.branch(
        to: { action in intercept(store, action.knownToBe(Intercepted.self), next) }, otherwise: next)
    }
  }
}
