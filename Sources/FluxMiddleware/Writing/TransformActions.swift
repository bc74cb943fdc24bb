public import FluxCore

/// Returns a middleware that calls a closure with each action, and passes on the action that the
/// closure returns.
///
/// ```swift
/// let guarding: Middleware<AppState> = transformActions { store, action in
///   store.state?.isLocked == true ? nil : action
/// }
/// ```
///
/// The closure returns the same action, another action, or `nil` to pass no action on. The
/// closure runs on the thread that dispatched the action, outside the store's lock. The closure
/// can dispatch other actions. The idea is borrowed from SwiftDux's `HandleActionMiddleware`.
@inlinable
public func transformActions<State>(
  _ transform:
    @escaping @Sendable (_ store: MiddlewareContext<State>, _ action: any Action) -> (any Action)?
) -> Middleware<State> {
  interceptActions { store, action, next in
    if let action = transform(store, action) { next(action) }
  }
}

/// Returns a middleware that transforms actions of one type with a closure, and passes all
/// other actions on unchanged.
///
/// ```swift
/// let trimming: Middleware<AppState> = transformActions(of: Search.self) { _, search in
///   search.words.isEmpty ? nil : Search(words: search.words.lowercased())
/// }
/// ```
///
/// The middleware works like ``transformActions(_:)``, but calls the closure only for actions of
/// exactly the given type. An action of another type costs one comparison.
@inlinable
public func transformActions<State, Transformed: Action>(
  of type: Transformed.Type,
  _ transform:
    @escaping @Sendable (_ store: MiddlewareContext<State>, _ action: Transformed) -> (any Action)?
) -> Middleware<State> {
  interceptActions(of: type) { store, action, next in
    if let action = transform(store, action) { next(action) }
  }
}
