public import FluxCore

/// A middleware that passes on what a closure makes of an action, or nothing.
///
/// ```swift
/// let guarding: Middleware<AppState> = transformActions { store, action in
///   store.state?.isLocked == true ? nil : action
/// }
/// ```
///
/// The closure returns the action, another one, or `nil` to block it. It runs on the thread that dispatched, outside
/// the store's lock, and may dispatch. The idea is SwiftDux's `HandleActionMiddleware`.
@inlinable
public func transformActions<State>(
  _ transform:
    @escaping @Sendable (_ store: MiddlewareContext<State>, _ action: any Action) -> (any Action)?
) -> Middleware<State> {
  interceptActions { store, action, next in
    if let action = transform(store, action) { next(action) }
  }
}

/// A middleware that passes on what a closure makes of an action of one type, and all other actions as they are.
///
/// ```swift
/// let trimming: Middleware<AppState> = transformActions(of: Search.self) { _, search in
///   search.words.isEmpty ? nil : Search(words: search.words.lowercased())
/// }
/// ```
///
/// As ``transformActions(_:)``, for actions of exactly this type; another action costs a comparison.
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
