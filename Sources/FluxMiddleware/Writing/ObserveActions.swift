public import FluxCore

/// A middleware that passes every action on and then calls a closure with it.
///
/// ```swift
/// let counting: Middleware<AppState> = observeActions { store, action in
///   analytics.note("\(action)", movies: store.state?.movies.count)
/// }
/// ```
///
/// When the closure is called the action has been reduced, unless a middleware behind this one held it. It runs on
/// the thread that dispatched, outside the store's lock, and may dispatch.
@inlinable
public func observeActions<State>(
  _ observe: @escaping @Sendable (_ store: MiddlewareContext<State>, _ action: any Action) -> Void
) -> Middleware<State> {
  interceptActions { store, action, next in
    next(action)
    observe(store, action)
  }
}

/// A middleware that passes every action on, and calls a closure with those of one type.
///
/// ```swift
/// let receipts: Middleware<AppState> = observeActions(of: Purchase.self) { store, purchase in
///   mail(purchase.receipt)
/// }
/// ```
///
/// As ``observeActions(_:)``, for actions of exactly this type; another action costs a comparison.
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
