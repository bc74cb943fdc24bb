/// A state, changed only by actions, through one reducer and a chain of middleware.
///
/// ```swift
/// let store = Store(reducer: appReducer, middleware: [counting], state: AppState())
/// let token = store.subscribe(to: \.movies) { movies in show(movies) }
/// store.dispatch(SetMovie(movie))
/// ```
///
/// The store is the handle that an app holds. When the last reference to it goes, the store ends: its state,
/// observers, middleware and plug-ins are released, and the effects in its scope are cancelled.
///
/// ## The contract
///
/// 1. **Total order.** Reducers run one at a time. Each action that reaches the reducer is reduced once, and makes
///    the next version of the state.
/// 2. **Synchronous.** When ``dispatch(_:)`` returns and no middleware held the action, it has been reduced: a read
///    of ``state`` on that thread sees it, or something later.
/// 3. **Monotonic.** Each observer gets strictly increasing versions, one call at a time. A pass delivers one
///    snapshot to all observers in the order in which they subscribed, and repeats while there is a newer version.
///    With one thread and nothing nested an observer of the whole state is called exactly once for each action,
///    before `dispatch` returns. Nested and concurrent dispatches may be coalesced; when the store is quiet,
///    every observer has seen the last version. The first call, unless skipped, is made by the subscriber
///    before `subscribe` returns, with the state as ``state`` would give it; passes leave out an observer whose
///    first call is running, and the subscriber brings it up to date, unless other threads are faster 16 times in a
///    row: then the next pass does. A thread that delivers for others hands over after 16 rounds when another
///    dispatcher is there to take over.
/// 4. **Re-entry is safe.** An observer that dispatches is not called recursively: its action is reduced at once,
///    and the passes follow by iteration. A dispatch from middleware is an ordinary call, as deep as the stack.
/// 5. **Every transition is observable** by a ``Plugin``: once, in commit order, with its version, before the
///    passes with that version, whatever is coalesced for them. An observer of transitions that asks for states keeps
///    copies; it must be quick.
/// 6. **Cancelling is final.** After ``SubscriptionToken/cancel()`` returns, no further call is made on the thread
///    that delivers; a call already running on another thread may finish.
/// 7. **Only the reducer and a ``withState(_:)`` closure run under the store's lock.** Both are
///    quick, and neither may touch the store: that stops the program with a message. Everything
///    else of yours runs outside. A `withState` closure must not touch another store either: two
///    threads that do so in opposite orders would wait for each other forever. Reading the other
///    store, subscribing to it, and releasing it stop the program with a message; a dispatch to it
///    is not reliably detected. For the same reason, reducers of two stores must not read each other's
///    store, which is not detected. The `deinit` of a value inside the state must not touch the
///    store.
/// 8. **Middleware may call `next` never, once, many times, now or later, from any thread.** A
///    dispatch from middleware goes through the whole chain again. A dispatch by a middleware
///    while the chain is being built stops the program with a message. An action that another
///    thread dispatches meanwhile is held, and that dispatch returns before the action is reduced.
///    Once the chain is complete, the held actions are reduced in the order of their dispatches,
///    before the initializer returns; other threads' dispatches wait for that. (Code that a held
///    action calls must not wait for a thread that dispatches.) After the store was
///    released, late calls have no effect.
/// 9. **Nothing leaks.** Nothing in the chain, and no token or proxy, keeps the store alive. (What you let
///    capture the store, does: an observer is released when it is cancelled.)
/// 10. **Values, not references.** State and actions are `Sendable`; no data race is possible through the public
///     interface.
/// 11. **Batches.** ``batch(_:)`` is synchronous and per store, nests, and flushes when the outermost one leaves,
///     also by a throw. While one is open no new pass starts, on any thread; transitions are still one per action.
/// 12. **`replaceReducer`** is serialised with reductions, and notifies nobody by itself. Inside a reducer it is misuse.
/// 13. **Main-actor observers** get lines 3 and 6 on the main actor, the newest value only, and are exempt from
///     "before `dispatch` returns", unless the dispatch was made through a face that is isolated to the main actor.
/// 14. **Work follows its action.** An action is reduced before anything that its work dispatches. The work starts on
///     the thread that brought the action to the reducer, before `dispatch` returns or when its policy allows. Nothing
///     that the work does is visible before the reduction, on any thread. The rule covers every kind of action that
///     carries work and reaches the reducer. Middleware that runs work itself calls `next` first.
///
/// A plug-in that defers every dispatch, such as `deferredToMain` in FluxMiddleware, changes lines 2, 7, and 8: a dispatch
/// returns before the reduction, and may be made under the store's lock and while the chain is being built.
///
/// Every member may be called from any thread.
public final class Store<State: FluxState>: Sendable {
  @usableFromInline let core: StoreCore<State>
  /// The first link of the chain, which is the last one when there is no middleware.
  @usableFromInline let chain: Chain

  /// Creates a store with a reducer that returns the next state.
  ///
  /// - Parameters:
  ///   - reducer: Makes the next state of a state and an action. It has to be pure and quick.
  ///   - middleware: The chain, in the order in which an action passes it.
  ///   - plugins: Extensions that see exact transitions or wrap the reducer. Their middleware follows the chain.
  ///   - state: The first state.
  @inlinable
  public convenience init(
    reducer: @escaping Reducer<State>,
    middleware: [Middleware<State>]? = nil,
    plugins: [Plugin<State>] = [],
    state: State
  ) {
    self.init(
      reducer: { state, action in state = reducer(state, action) },
      middleware: middleware, plugins: plugins, state: state)
  }

  /// Creates a store with a reducer that changes the state in place.
  ///
  /// - Parameters:
  ///   - reducer: Changes a state for an action. It has to be pure and quick.
  ///   - middleware: The chain, in the order in which an action passes it.
  ///   - plugins: Extensions that see exact transitions or wrap the reducer. Their middleware follows the chain.
  ///   - state: The first state.
  @inlinable
  public init(
    reducer: @escaping MutatingReducer<State>,
    middleware: [Middleware<State>]? = nil,
    plugins: [Plugin<State>] = [],
    state: State
  ) {
    let core = StoreCore(state: state, reducer: reducer, plugins: plugins)
    for plugin in plugins { plugin.onStoreStart?(ActionContext(host: core).ofStore) }
    let links = (middleware ?? []) + plugins.compactMap(\.middleware)
    let last: DispatchFunction = { action in core.arrive(action) }
    let built = links.map { link in Link(link(core.dispatchThroughChain, core.readState)) }
    var first = last
    for link in built.reversed() { first = link.wrap(first) }
    if core.defersActions { first = plugins.deferActions(in: ActionContext(host: core).ofStore, to: first) }
    self.core = core
    chain = Chain(first)
    core.begin(first)
  }

  /// Creates a store with handlers that are found by the type of the action.
  ///
  /// - Parameters:
  ///   - reducer: The handlers.
  ///   - middleware: The chain, in the order in which an action passes it.
  ///   - plugins: Extensions that see exact transitions or wrap the reducer. Their middleware follows the chain.
  ///   - state: The first state.
  @inlinable
  public convenience init(
    reducer: ActionHandlers<State>,
    middleware: [Middleware<State>]? = nil,
    plugins: [Plugin<State>] = [],
    state: State
  ) {
    self.init(reducer: reducer.reducer, middleware: middleware, plugins: plugins, state: state)
  }

  @inlinable
  deinit {
    core.end()
  }

  // MARK: - The state

  /// The state as it is now.
  ///
  /// A copy, which costs what copying the state's fields costs, and shares their storage. While it is kept, the
  /// next in-place change of a shared collection copies the collection; ``withState(_:)`` avoids that.
  @inlinable
  public var state: State {
    guard let state = core.readState() else { preconditionFailure("A store that is alive has a state.") }
    return state
  }

  /// Reads the state in place, without a copy.
  ///
  /// The closure runs under the store's lock. It must be quick, and must not touch this store or
  /// another one. To compare two states, copy what is needed of the first out of the closure, then
  /// read the second.
  ///
  /// - Parameter body: Reads what it needs of the state.
  /// - Returns: What `body` returns.
  /// - Throws: What `body` throws.
  @inlinable
  public func withState<Result, Failure: Error>(
    _ body: (State) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try core.withState(body)
  }

  /// The scope in which the tasks of its actions run, which ends with it.
  package var effects: EffectScope { core.effects }

  /// The store, for the modules that add to what it does.
  package var context: ActionContext { ActionContext(host: core) }

  // MARK: - Dispatching

  /// Sends an action through the chain to the reducer, then delivers the new state.
  ///
  /// When it returns and no middleware held the action, the action has been reduced. With one
  /// thread and nothing nested, every observer has been called. From inside an observer the action
  /// is reduced at once and the observers are called after this one has returned. From inside a
  /// reducer or a ``withState(_:)`` closure it stops the program with a message, unless a plug-in
  /// defers actions.
  ///
  /// O(1), and no heap allocation of its own; then what middleware, reducer and observers cost.
  @inlinable @Sendable
  public func dispatch(_ action: any Action) {
    if core.lock.isHeld(by: .current) { return core.dispatchUnderLock(action) }
    chain.dispatch(action)
  }

  /// Sends an action through the chain to the reducer: SwiftUIFlux's spelling of ``dispatch(_:)``.
  @inlinable @_disfavoredOverload @Sendable
  public func dispatch(action: any Action) {
    dispatch(action)
  }

  /// Sends an action through the chain to the reducer: SwiftDux's spelling of ``dispatch(_:)``.
  @inlinable @Sendable
  public func send(_ action: any Action) {
    dispatch(action)
  }

  /// Runs a closure, and delivers once what it has dispatched when it leaves.
  ///
  /// Reductions are not held back: the state is up to date inside the closure. While a batch is open on any
  /// thread no new pass starts. Batches nest; the outermost one flushes, also when the closure throws.
  ///
  /// - Returns: What `body` returns.
  /// - Throws: What `body` throws.
  @inlinable
  public func batch<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
    core.openBatch()
    defer { core.closeBatch() }
    return try body()
  }

  // MARK: - The reducer

  /// Replaces the reducer; the state stays, and nobody is notified.
  ///
  /// Serialised with reductions: an action is reduced by the old or the new reducer. Plug-ins wrap the new one.
  @inlinable
  public func replaceReducer(_ reducer: @escaping Reducer<State>) {
    core.replaceReducer { state, action in state = reducer(state, action) }
  }

  /// Replaces the reducer by one that changes the state in place; the state stays, and nobody is notified.
  ///
  /// Serialised with reductions: an action is reduced by the old or the new reducer. Plug-ins wrap the new one.
  @inlinable
  public func replaceReducer(_ reducer: @escaping MutatingReducer<State>) {
    core.replaceReducer(reducer)
  }

  /// Replaces the reducer by handlers; the state stays, and nobody is notified.
  ///
  /// Serialised with reductions: an action is reduced by the old or the new reducer. Plug-ins wrap the new one.
  @inlinable
  public func replaceReducer(_ reducer: ActionHandlers<State>) {
    core.replaceReducer(reducer.reducer)
  }
}

// Functions in an array or an optional are wrapped in thunks; in a struct they are not.

/// The first link of a chain.
@usableFromInline
struct Chain: Sendable {
  @usableFromInline let dispatch: DispatchFunction

  @inlinable
  init(_ dispatch: @escaping DispatchFunction) {
    self.dispatch = dispatch
  }
}

/// A middleware that has been given the store, and waits for the link behind it.
@usableFromInline
struct Link: Sendable {
  @usableFromInline let wrap: @Sendable (@escaping DispatchFunction) -> DispatchFunction

  @inlinable
  init(_ wrap: @escaping @Sendable (@escaping DispatchFunction) -> DispatchFunction) {
    self.wrap = wrap
  }
}
