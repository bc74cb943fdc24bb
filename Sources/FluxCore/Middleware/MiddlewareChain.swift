/// The middleware of a store, connected so that each middleware calls the next one, and the
/// last one calls the reducer.
///
/// Each function is stored in a struct, because Swift wraps a function that is stored directly
/// in an array or an optional in a thunk.
@usableFromInline
struct MiddlewareChain: Sendable {
  /// Sends an action to the first middleware, or to the reducer if there is no middleware.
  @usableFromInline var dispatch: DispatchFunction

  /// A middleware that has received `dispatch` and `getState`, but not `next`.
  @usableFromInline
  struct Link: Sendable {
    @usableFromInline let wrap: @Sendable (@escaping DispatchFunction) -> DispatchFunction

    @inlinable
    init(_ wrap: @escaping @Sendable (@escaping DispatchFunction) -> DispatchFunction) {
      self.wrap = wrap
    }
  }

  /// Connects middleware to a chain.
  ///
  /// First, each middleware receives `dispatch` and `getState`, in order. Then, each middleware
  /// receives its `next`, from the last to the first.
  ///
  /// - Parameters:
  ///   - middleware: The middleware, in the order in which an action passes through them.
  ///   - dispatch: A function that sends an action through the whole chain.
  ///   - getState: A function that returns the current state.
  ///   - arrive: The function at the end of the chain, which reduces an action.
  // Inlined, because a middleware that a generic function returns would be wrapped in a thunk.
  @inlinable @inline(__always)
  init<State: FluxState>(
    _ middleware: [Middleware<State>], dispatch: @escaping DispatchFunction,
    getState: @escaping @Sendable () -> State?, arrive: @escaping DispatchFunction
  ) {
    let links = middleware.map { Link($0(dispatch, getState)) }
    var first = arrive
    for link in links.reversed() { first = link.wrap(first) }
    self.dispatch = first
  }

  /// Adds the links of plug-ins that defer actions to the beginning of the chain.
  @usableFromInline
  mutating func deferActions<State>(by plugins: [Plugin<State>], in context: ActionContext) {
    dispatch = plugins.reversed().compactMap(\.deferral).reduce(dispatch) { next, deferral in
      deferral(context, next)
    }
  }
}
