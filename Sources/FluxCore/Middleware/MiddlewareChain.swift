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

  /// Connects the middleware of a store.
  ///
  /// Each middleware first receives `dispatch` and `getState`, in order. Each middleware then
  /// receives its `next`, from the last middleware to the first.
  ///
  /// - Parameters:
  ///   - middleware: The middleware, in the order in which an action passes through them.
  ///   - core: The core of the store, which reduces an action at the end of the chain.
  @inlinable
  init<State>(_ middleware: [Middleware<State>], of core: StoreCore<State>) {
    let last: DispatchFunction = { action in core.arrive(action) }
    let links = middleware.map { link in Link(link(core.dispatchThroughChain, core.readState)) }
    var first = last
    for link in links.reversed() { first = link.wrap(first) }
    dispatch = first
  }

  /// Adds the links of plug-ins that defer actions to the beginning of the chain.
  @usableFromInline
  mutating func deferActions<State>(by plugins: [Plugin<State>], in context: ActionContext) {
    dispatch = plugins.reversed().compactMap(\.deferral).reduce(dispatch) { next, deferral in
      deferral(context, next)
    }
  }
}
