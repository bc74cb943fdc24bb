/// A link of the chain that every dispatched action passes on its way to the reducer.
///
/// A middleware is three closures, one in another:
///
/// ```swift
/// let counting: Middleware<AppState> = { dispatch, getState in
///   { next in
///     { action in
///       next(action)
///     }
///   }
/// }
/// ```
///
/// The outer two run once, while the store is made. The innermost runs for each action, on the thread that
/// dispatched it and outside the store's lock. It may call `next` never, once, many times, now or later, from any
/// thread. `dispatch` sends an action through the whole chain again; called before the chain is complete it stops
/// the program with a message. `getState` is `nil` once the store has gone, and both then do nothing. Nothing
/// that a middleware is given keeps the store alive.
///
/// The shape is Redux's, by way of SwiftUIFlux.
public typealias Middleware<State> =
  @Sendable (_ dispatch: @escaping DispatchFunction, _ getState: @escaping @Sendable () -> State?)
  -> @Sendable (_ next: @escaping DispatchFunction) -> DispatchFunction

/// Combines middleware into one, the first of which sees an action first.
///
/// The combination is associative, and that of none passes everything on.
@inlinable
public func combine<State>(_ middleware: Middleware<State>...) -> Middleware<State> {
  { dispatch, getState in
    let links = middleware.map { $0(dispatch, getState) }
    return { next in links.reversed().reduce(next) { next, link in link(next) } }
  }
}
