/// A link of the chain through which every dispatched action passes on its way to the reducer.
///
/// A middleware consists of three nested closures:
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
/// The outer two closures run once, while the store is created. The innermost closure runs for
/// each action, on the thread that dispatched it and outside the store's lock. The innermost
/// closure can call `next` any number of times, or not at all. Each call to `next` can be made
/// immediately or later, and from any thread.
///
/// The `dispatch` function sends an action through the whole chain again. If a middleware calls
/// `dispatch` before the chain is complete, the program stops with a message. After the store is
/// released, `getState` returns `nil`, `dispatch` does nothing, and an action that is passed to
/// `next` is not reduced. The arguments of a middleware do not keep the store alive.
///
/// The design comes from Redux, by way of SwiftUIFlux.
public typealias Middleware<State> =
  @Sendable (_ dispatch: @escaping DispatchFunction, _ getState: @escaping @Sendable () -> State?)
  -> @Sendable (_ next: @escaping DispatchFunction) -> DispatchFunction

/// Combines middleware into one middleware, through which an action passes in the given order.
///
/// Combining middleware is associative. If there are no arguments, the combined middleware passes
/// every action on.
@inlinable
public func combine<State>(_ middleware: Middleware<State>...) -> Middleware<State> {
  { dispatch, getState in
    let links = middleware.map { $0(dispatch, getState) }
    return { next in links.reversed().reduce(next) { next, link in link(next) } }
  }
}
