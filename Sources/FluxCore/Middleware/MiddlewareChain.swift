/// The connected middleware of a store, in which each middleware calls the next one and the last
/// middleware calls the reducer.
@usableFromInline
struct MiddlewareChain: Sendable {
  /// Sends an action to the first middleware, or to the reducer if there is no middleware.
  @usableFromInline var dispatch: DispatchFunction

  /// Connects the middleware of a store.
  ///
  /// - Parameters:
  ///   - middleware: The middleware, in the order in which an action passes through them.
  ///   - plugins: The plug-ins, whose middleware follows `middleware`.
  ///   - core: The core of the store, which reduces an action at the end of the chain.
  @inlinable
  init<State>(
    _ middleware: [Middleware<State>]?, _ plugins: [Plugin<State>], of core: StoreCore<State>
  ) {
    let middleware = (middleware ?? []) + plugins.compactMap(\.middleware)
    let arrive: DispatchFunction = { action in core.arrive(action) }
    dispatch =
      middleware.isEmpty
      ? arrive
      : connect(middleware, dispatch: core.dispatchThroughChain, getState: core.stateReader, arrive: arrive)
    addFirstLinks(of: plugins, to: core)
  }

  /// Adds the first links of the plug-ins to the beginning of the chain.
  @usableFromInline
  mutating func addFirstLinks<State>(of plugins: [Plugin<State>], to core: StoreCore<State>) {
    let links = plugins.compactMap(\.firstLink)
    guard !links.isEmpty else { return }
    core.carrySenders()
    let next = links.reversed().reduce(dispatch) { next, link in link(next) }
    dispatch = { action in DispatchSender.enterChain(with: action) { next(action) } }
  }

  /// Adds a link to the beginning of the chain for each plug-in that defers actions.
  @usableFromInline
  mutating func deferActions<State>(by plugins: [Plugin<State>], in context: ActionContext) {
    dispatch = plugins.reversed().compactMap(\.deferral).reduce(dispatch) { next, deferral in
      deferral(context, next)
    }
  }
}

/// Connects middleware, and returns the first link of the chain.
///
/// The function first passes `dispatch` and `getState` to each middleware, from the first
/// middleware to the last. The function then passes `next` to each middleware, from the last
/// middleware to the first.
///
/// Swift stores the functions in an array with the calling convention of generic code. Because
/// the types of the functions are generic parameters, this function does not have to convert each
/// `next`. A conversion would cost about fifteen instructions for each action.
@inlinable
func connect<Dispatch, GetState>(
  _ middleware: [@Sendable (Dispatch, GetState) -> @Sendable (Dispatch) -> Dispatch], dispatch: Dispatch,
  getState: GetState, arrive: Dispatch
) -> Dispatch {
  var links: [@Sendable (Dispatch) -> Dispatch] = []
  for link in middleware { links.append(link(dispatch, getState)) }
  var first = arrive
  for link in links.reversed() { first = link(first) }
  return first
}

// MARK: - Lifting

// Lifting makes the middleware and plug-ins of a part of the state work on the whole state.

/// Lifts a middleware for a part of the state to the whole state.
///
/// ```swift
/// Store(
///   reducer: appReducer, middleware: [lift(thunkMiddleware(), to: { $0.movies })],
///   state: AppState())
/// ```
///
/// The middleware receives every action, but reads only the part of the state.
///
/// - Parameters:
///   - middleware: The middleware for the part.
///   - part: A key path or a closure that returns the part, or `nil` if the part does not exist.
///     If the part does not exist, or if the store has been released, `getState` returns `nil`.
@inlinable
public func lift<Whole, Part>(
  _ middleware: @escaping Middleware<Part>, to part: @escaping @Sendable (Whole) -> Part?
) -> Middleware<Whole> {
  { dispatch, getState in middleware(dispatch, { getState().flatMap(part) }) }
}

/// Lifts a plug-in for a part of the state to the whole state.
///
/// ```swift
/// Store(reducer: appReducer, plugins: [lift(history.plugin, to: \.marks)], state: AppState())
/// ```
///
/// The plug-in's middleware and its observer of transitions receive every action, but only the
/// part of each state. The plug-in's reducer wrapper affects only the part of the state. Each
/// action changes the rest of the state exactly once, however often the wrapper runs its reducer.
///
/// The wrapper can run its reducer more than once, or with a different type of action. For
/// example, a history runs the reducer again to repeat an action. In every run except the first
/// run with the dispatched action, the reducer receives a copy of the whole state, and only the
/// changed part is used.
///
/// During the reduction, there are two copies of the part. Therefore, the first change to a
/// collection in the part copies the collection. The rest of the state still changes in place.
@inlinable
public func lift<Whole, Part>(
  _ plugin: Plugin<Part>, to path: any WritableKeyPath<Whole, Part> & Sendable
) -> Plugin<Whole> {
  lift(plugin, get: { $0[keyPath: path] }, set: { whole, part in whole[keyPath: path] = part })
}

/// Lifts a plug-in for a part of the state to the whole state, with closures that get and set
/// the part.
///
/// The plug-in behaves like a plug-in that is lifted along a key path. If the part can be
/// absent, `get` can return a default value, and `set` can do nothing.
@inlinable
public func lift<Whole, Part>(
  _ plugin: Plugin<Part>, get: @escaping @Sendable (Whole) -> Part,
  set: @escaping @Sendable (inout Whole, Part) -> Void
) -> Plugin<Whole> {
  var lifted = Plugin<Whole>(
    middleware: plugin.middleware.map { middleware in lift(middleware, to: get) },
    wrapReducer: plugin.wrapReducer.map { wrap in
      { @Sendable reducer in lift(wrap, around: reducer, get: get, set: set) }
    },
    onTransition: plugin.onTransition?.lifted(to: get),
    onStoreStart: plugin.onStoreStart,
    onStoreEnd: plugin.onStoreEnd.map { end in { @Sendable last in end(get(last)) } })
  lifted.onStoreProxy = plugin.onStoreProxy.map { connect in
    { @Sendable store in connect(store.proxy(for: get)) }
  }
  lifted.onWork = plugin.onWork
  lifted.configuresStore = plugin.configuresStore
  lifted.deferral = plugin.deferral
  lifted.firstLink = plugin.firstLink
  return lifted
}

extension TransitionObserver {
  @inlinable
  func lifted<Whole>(to get: @escaping @Sendable (Whole) -> State) -> TransitionObserver<Whole> {
    switch kind {
    case .actions(let observe): .actions(observe)
    case .states(let observe):
      .states { transition in
        observe(
          StateTransition(
            action: transition.action, version: transition.version, before: get(transition.before),
            after: get(transition.after), duration: transition.duration, scope: transition.scope))
      }
    }
  }
}

/// Lifts the reducer wrapper of a part so that it wraps the reducer of the whole state.
@usableFromInline
func lift<Whole, Part>(
  _ wrap: (@escaping MutatingReducer<Part>) -> MutatingReducer<Part>,
  around reducer: @escaping MutatingReducer<Whole>, get: @escaping @Sendable (Whole) -> Part,
  set: @escaping @Sendable (inout Whole, Part) -> Void
) -> MutatingReducer<Whole> {
  let current = StateBeingReduced<Whole>()
  let wrapped = wrap { part, action in
    current.reduce(action) { whole, isFirst in
      guard isFirst else {
        var copy = whole
        set(&copy, part)
        reducer(&copy, action)
        part = get(copy)
        return
      }
      set(&whole, part)
      reducer(&whole, action)
      part = get(whole)
    }
  }
  return { whole, action in
    var part = get(whole)
    let isReduced = current.lend(&whole, to: action) { wrapped(&part, action) }
    if !isReduced { reducer(&whole, action) }
    set(&whole, part)
  }
}
