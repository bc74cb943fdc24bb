public import FluxCore

/// Returns a middleware that passes every action on, and then calls a closure with the action.
///
/// ```swift
/// let counting: Middleware<AppState> = observeActions { store, action in
///   analytics.note("\(action)", movies: store.state?.movies.count)
/// }
/// ```
///
/// When the closure is called, the action has been reduced, unless a later middleware drops or
/// delays the action. The closure runs on the thread that dispatched the action, outside the
/// store's lock. The closure can dispatch other actions.
@inlinable
public func observeActions<State>(
  _ observe: @escaping @Sendable (_ store: MiddlewareContext<State>, _ action: any Action) -> Void
) -> Middleware<State> {
  interceptActions { store, action, next in
    next(action)
    observe(store, action)
  }
}

/// Returns a middleware that passes every action on, and then calls a closure if the action has
/// a given type.
///
/// ```swift
/// let receipts: Middleware<AppState> = observeActions(of: Purchase.self) { store, purchase in
///   mail(purchase.receipt)
/// }
/// ```
///
/// The middleware works like ``observeActions(_:)``, but calls the closure only for actions of
/// exactly the given type. An action of another type costs one comparison.
@inlinable
public func observeActions<State, Observed: Action>(
  of type: Observed.Type,
  _ observe: @escaping @Sendable (_ store: MiddlewareContext<State>, _ action: Observed) -> Void
) -> Middleware<State> {
  interceptActions(of: type) { store, action, next in
    next(action)
    observe(store, action)
  }
}
