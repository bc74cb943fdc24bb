/// An object that contains a state and changes it only in response to actions.
///
/// ```swift
/// let store = Store(reducer: appReducer, middleware: [counting], state: AppState())
/// let token = store.subscribe(to: \.movies) { movies in show(movies) }
/// store.dispatch(SetMovie(movie))
/// ```
///
/// Each action passes through a chain of middleware to one reducer. The app must retain the
/// store. When the last reference to the store is released, the store releases its state,
/// observers, middleware, plug-ins, and services, and cancels the tasks in its scope.
///
/// ## The contract
///
/// 1. **Total order.** Reductions run one at a time. Each action that reaches the reducer is
///    reduced exactly once, and produces the next version of the state.
/// 2. **Synchronous.** When ``dispatch(_:)`` returns, the action has been reduced if every
///    middleware passed the action on. A subsequent read of ``state`` on the dispatching thread
///    returns the state after the action, or a newer state.
/// 3. **Monotonic.** Each observer receives strictly increasing versions, one call at a time.
///    - A pass delivers one snapshot to all observers, in the order in which they subscribed.
///      Passes repeat while there is a newer version.
///    - If only one thread dispatches and no dispatch is nested, an observer of the whole state
///      is called exactly once for each action, before `dispatch` returns. The calls for nested
///      and concurrent dispatches can be coalesced. When no dispatch, delivery, or batch is in
///      progress, every observer has received the latest version.
///    - The subscribing thread calls the observer for the first time before `subscribe` returns,
///      unless the subscription skips the first call. In the first call, the observer receives
///      the state that ``state`` would return. Passes skip an observer during its first call. If
///      there is a newer version after the first call, the subscribing thread calls the observer
///      again. If the newest version comes from another thread after 16 calls, the next pass
///      calls the observer instead.
///    - After 16 rounds of delivery, a thread that delivers for other threads offers to hand over
///      the delivery to another dispatching thread.
/// 4. **Re-entry is safe.** An observer that dispatches is not called recursively. The action
///    that the observer dispatches is reduced immediately, and the passes follow in a loop. A
///    dispatch from middleware is an ordinary nested call, limited only by the depth of the
///    stack.
/// 5. **Every transition is observable** by a ``Plugin``: exactly once, in commit order, with
///    its version, and before the passes with that version. Coalescing of passes does not
///    affect transitions. An observer of transitions must be quick. If the observer requests
///    states, the store keeps copies of the state.
/// 6. **Canceling is final.** After ``SubscriptionToken/cancel()`` returns, the delivering
///    thread makes no further call. A call that is already running on another thread can
///    finish.
/// 7. **Only the reducer and a ``withState(_:)`` closure run under the store's lock.** All your
///    other code runs outside the lock.
///    - The reducer and the closure must be quick, and must not use the store. If the reducer or
///      the closure uses the store, the program stops with a message.
///    - A `withState` closure must not use another store, because two threads that use two
///      stores in opposite orders would wait for each other forever. If the closure reads
///      another store, subscribes to it, or releases it, the program stops with a message. A
///      dispatch to another store is not reliably detected.
///    - The reducers of two stores must not read each other's store, because two threads could
///      wait for each other forever. The store does not detect these reads.
///    - The `deinit` of a value inside the state must not use the store.
/// 8. **Middleware can call `next` any number of times, or not at all, immediately or later, and
///    from any thread.** A dispatch from middleware goes through the whole chain again. After
///    the store is released, calls to `next` and `dispatch` have no effect. While the chain is
///    being built:
///    - A dispatch by a middleware stops the program with a message.
///    - A dispatch by another thread returns before the action is reduced, and the store queues
///      the action.
///    - When the chain is complete, the queued actions are reduced in the order of their
///      dispatches, before the initializer returns. While the queued actions are being reduced,
///      dispatches from other threads wait. Therefore, code that runs for a queued action must
///      not wait for a thread that dispatches.
/// 9. **Nothing leaks.** The chain, tokens, and proxies do not keep the store alive. A closure
///    that captures the store keeps the store alive. An observer is released when its
///    subscription is canceled.
/// 10. **Values, not references.** State and actions are `Sendable`. The public interface makes
///     data races impossible.
/// 11. **Batches.** ``batch(_:)`` is synchronous and applies to one store. Batches can be nested.
///     The newest version is delivered after the closure of the outermost batch returns or
///     throws. While a batch is open, no new pass starts on any thread. Each action still has its
///     own transition.
/// 12. **`replaceReducer`** is serialized with reductions, and does not notify observers by
///     itself. A call inside a reducer stops the program with a message.
/// 13. **Main-actor observers** follow rules 3 and 6 on the main actor, but receive only the
///     newest value. Main-actor observers can be called after `dispatch` returns, unless the
///     dispatch was made through an interface that is isolated to the main actor.
/// 14. **Work follows its action.** An action is reduced before any action that its work
///     dispatches. The work starts on the thread that reduced the action, before `dispatch`
///     returns. The policy of the work can delay the start of the work. No effect of the work is
///     visible on any thread before the reduction. This guarantee applies to every action that
///     carries work and reaches the reducer. A middleware that runs work itself calls `next`
///     first.
///
/// A plug-in that defers every dispatch, such as `deferredToMain` in FluxMiddleware, changes
/// rules 2, 7, and 8 of the contract. With this plug-in, a dispatch returns before the reduction,
/// and is allowed under the store's lock and while the chain is being built.
///
/// You can use every member from any thread.
public final class Store<State: FluxState>: Sendable {
  @usableFromInline let core: StoreCore<State>
  /// The chain of middleware, which ends with the reducer.
  @usableFromInline let chain: MiddlewareChain

  /// Creates a store with a reducer that returns the next state.
  ///
  /// - Parameters:
  ///   - reducer: A pure, fast function that returns the next state for a state and an action.
  ///   - middleware: The middleware, in the order in which an action passes through them.
  ///   - plugins: Plug-ins that observe exact transitions or wrap the reducer. The middleware of
  ///     the plug-ins follows `middleware` in the chain.
  ///   - services: The services that the work of the store's actions, the plug-ins, and the
  ///     middleware can look up.
  ///   - state: The initial state.
  @inlinable
  public convenience init(
    reducer: @escaping Reducer<State>,
    middleware: [Middleware<State>]? = nil,
    plugins: [Plugin<State>] = [],
    services: Services = Services(),
    state: State
  ) {
    self.init(
      reducer: { state, action in state = reducer(state, action) },
      middleware: middleware, plugins: plugins, services: services, state: state)
  }

  /// Creates a store with a reducer that changes the state in place.
  ///
  /// - Parameters:
  ///   - reducer: A pure, fast function that changes a state in response to an action.
  ///   - middleware: The middleware, in the order in which an action passes through them.
  ///   - plugins: Plug-ins that observe exact transitions or wrap the reducer. The middleware of
  ///     the plug-ins follows `middleware` in the chain.
  ///   - services: The services that the work of the store's actions, the plug-ins, and the
  ///     middleware can look up.
  ///   - state: The initial state.
  @inlinable
  public init(
    reducer: @escaping MutatingReducer<State>,
    middleware: [Middleware<State>]? = nil,
    plugins: [Plugin<State>] = [],
    services: Services = Services(),
    state: State
  ) {
    let core = StoreCore(state: state, reducer: reducer, plugins: plugins)
    StoreCreation.begin(core, with: services)
    for plugin in plugins { plugin.onStoreStart?(ActionContext(host: core).ofStore) }
    for plugin in plugins { plugin.onStoreProxy?(StoreProxy(core: core)) }
    var chain = MiddlewareChain(middleware, plugins, of: core)
    if core.defersActions { chain.deferActions(by: plugins, in: ActionContext(host: core).ofStore) }
    StoreCreation.leave()
    self.core = core
    self.chain = chain
    core.begin(chain.dispatch)
  }

  /// Creates a store with handlers that are looked up by the type of the action.
  ///
  /// - Parameters:
  ///   - reducer: The handlers.
  ///   - middleware: The middleware, in the order in which an action passes through them.
  ///   - plugins: Plug-ins that observe exact transitions or wrap the reducer. The middleware of
  ///     the plug-ins follows `middleware` in the chain.
  ///   - services: The services that the work of the store's actions, the plug-ins, and the
  ///     middleware can look up.
  ///   - state: The initial state.
  @inlinable
  public convenience init(
    reducer: ActionHandlers<State>,
    middleware: [Middleware<State>]? = nil,
    plugins: [Plugin<State>] = [],
    services: Services = Services(),
    state: State
  ) {
    self.init(
      reducer: reducer.reducer, middleware: middleware, plugins: plugins, services: services, state: state)
  }

  @inlinable
  deinit {
    core.end()
  }

  // MARK: - The state

  /// The current state.
  ///
  /// The value is a copy of the state. The copy shares the storage of collections and objects, so
  /// it costs only as much as copying the state's stored properties. While your code keeps the
  /// copy, the next in-place change of a shared collection copies the collection. To avoid these
  /// copies, use ``withState(_:)``.
  @inlinable
  public var state: State {
    core.isRead()
    guard let state = core.readState() else { preconditionFailure("A store must have a state.") }
    return state
  }

  /// Calls a closure with the state in place, without copying the state.
  ///
  /// The closure runs under the store's lock, so it must be quick, and must not use this store
  /// or another store. To compare the states of two stores, copy the values that you need out of
  /// the first closure, and then read the second store.
  ///
  /// - Parameter body: A closure that reads the state.
  /// - Returns: The value that `body` returns.
  /// - Throws: The error that `body` throws.
  @inlinable
  public func withState<Result, Failure: Error>(
    _ body: (State) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    core.isRead()
    return try core.withState(body)
  }

  /// The scope in which the tasks of the store's actions run.
  ///
  /// The scope ends when the store is released.
  @inlinable package var effects: EffectScope { core.effects }

  /// A context of this store, for modules that extend the store.
  @inlinable package var context: ActionContext { ActionContext(host: core) }

  /// The services that the store was created with.
  ///
  /// The contexts of requests, tasks, plans, and listeners provide the same services.
  public var services: Services { context.services }

  // MARK: - Dispatching

  /// Sends an action through the chain to the reducer, and then delivers the new state.
  ///
  /// When the method returns, the action has been reduced if every middleware passed the action
  /// on. If only one thread dispatches and no dispatch is nested, every observer has also been
  /// called when the method returns. If an observer dispatches, the action is reduced
  /// immediately, and the observers are called after the dispatching observer has returned. A
  /// dispatch from a reducer or a ``withState(_:)`` closure stops the program with a message,
  /// unless a plug-in defers actions.
  ///
  /// The dispatch itself is O(1) and allocates no heap memory. The middleware, the reducer, and
  /// the observers add their own costs.
  @inlinable @Sendable
  public func dispatch(_ action: any Action) {
    if core.lock.record.isHeld(by: .current) { return core.dispatchUnderLock(action) }
    chain.dispatch(action)
  }

  /// Sends an action through the chain to the reducer.
  ///
  /// This method is equivalent to ``dispatch(_:)``, with the argument label that SwiftUIFlux
  /// uses.
  @inlinable @_disfavoredOverload @Sendable
  public func dispatch(action: any Action) {
    dispatch(action)
  }

  /// Sends an action through the chain to the reducer.
  ///
  /// This method is equivalent to ``dispatch(_:)``, with the name that SwiftDux uses.
  @inlinable @Sendable
  public func send(_ action: any Action) {
    dispatch(action)
  }

  /// Calls a closure, and then delivers the combined result of all its dispatches.
  ///
  /// Reductions are not delayed: the state is up to date inside the closure. While a batch is
  /// open on any thread, no new pass starts. Batches can be nested. The newest version is
  /// delivered after the closure of the outermost batch returns or throws.
  ///
  /// - Parameter body: A closure that dispatches actions.
  /// - Returns: The value that `body` returns.
  /// - Throws: The error that `body` throws.
  @inlinable
  public func batch<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
    core.openBatch()
    defer { core.closeBatch() }
    return try body()
  }

  // MARK: - The reducer

  /// Replaces the reducer, without changing the state or calling observers.
  ///
  /// The replacement is serialized with reductions: each action is reduced by either the old or
  /// the new reducer. The plug-ins also wrap the new reducer.
  @inlinable
  public func replaceReducer(_ reducer: @escaping Reducer<State>) {
    core.replaceReducer { state, action in state = reducer(state, action) }
  }

  /// Replaces the reducer with a reducer that changes the state in place.
  ///
  /// The state stays the same, and no observer is called. The replacement is serialized with
  /// reductions: each action is reduced by either the old or the new reducer. The plug-ins also
  /// wrap the new reducer.
  @inlinable
  public func replaceReducer(_ reducer: @escaping MutatingReducer<State>) {
    core.replaceReducer(reducer)
  }

  /// Replaces the reducer with handlers.
  ///
  /// The state stays the same, and no observer is called. The replacement is serialized with
  /// reductions: each action is reduced by either the old or the new reducer. The plug-ins also
  /// wrap the new reducer.
  @inlinable
  public func replaceReducer(_ reducer: ActionHandlers<State>) {
    core.replaceReducer(reducer.reducer)
  }
}
