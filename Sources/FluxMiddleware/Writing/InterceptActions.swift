public import FluxCore

/// Returns a middleware that calls a closure with the store, each action, and the rest of the
/// chain.
///
/// ```swift
/// let retrying: Middleware<AppState> = interceptActions { store, action, next in
///   next(action)
///   if store.state?.needsRefresh == true { store.dispatch(Refresh()) }
/// }
/// ```
///
/// The closure replaces the three nested closures of a ``/FluxCore/Middleware``. The closure can
/// call `next` any number of times, or not at all. The closure can call `next` immediately or
/// later, and on any thread.
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

/// Returns a middleware that calls a closure with actions of one type, and passes all other
/// actions on.
///
/// ```swift
/// let confirming: Middleware<AppState> = interceptActions(of: Delete.self) { store, delete, next in
///   confirm(delete) { isSure in if isSure { next(delete) } }
/// }
/// ```
///
/// The middleware works like ``interceptActions(_:)``, but only for actions of exactly the given
/// type. The middleware compares types instead of casting, so an action of another type costs
/// only a few instructions, as `Documentation/Performance.md` shows.
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
