public import Synchronization

/// A value that provides the work of an action with the state, a dispatch function, and a scope
/// for tasks.
///
/// The `_startWork(in:)` method of an ``Action`` receives a context. The context does not keep
/// the store alive. After the store is released, the state is `nil`, a dispatch does nothing,
/// and ``effects`` starts no more tasks.
public struct ActionContext: Sendable {
  @usableFromInline let host: ActionHost
  /// The code that uses the context, and the services of this code.
  @usableFromInline let role: ContextRole

  // Without inlining, the compiler may retain the store for every action that could carry work.
  @inlinable @inline(__always)
  init(host: ActionHost, role: ContextRole = .action) {
    self.host = host
    self.role = role
  }

  /// A Boolean value that indicates whether the dispatches and tasks of this context also belong
  /// to the current dispatch.
  @usableFromInline var isForActions: Bool { role.isForActions }

  /// A context of the same store, for code that is not part of the work of an action, such as a
  /// plug-in's tasks.
  @usableFromInline package var ofStore: ActionContext { ActionContext(host: host, role: role.ofStore) }

  /// Returns a Boolean value that indicates whether another context belongs to the same store.
  package func isOfSameStore(as other: ActionContext) -> Bool { host === other.host }

  /// The current state, or `nil` if the store has been released.
  public var state: (any FluxState)? {
    if isForActions { host.noteWork() }
    readsState()
    return host.functions.state(host)
  }

  /// A function that dispatches through the store's whole chain.
  ///
  /// If the action of this context belongs to a dispatch that a caller awaits, the actions that
  /// the function dispatches also belong to that dispatch.
  public var dispatch: DispatchFunction {
    if isForActions { host.noteWork() }
    let dispatch = host.functions.dispatch
    guard isForActions, let scope = EffectScope.current else {
      return { [host] action in dispatch(host, action) }
    }
    return { [host] action in scope.gather { dispatch(host, action) } }
  }

  /// Returns a function that dispatches actions as part of the dispatch or work that a scope
  /// belongs to, until that dispatch or work is canceled.
  ///
  /// - Parameter scope: The scope, or `nil` if the actions belong to no other dispatch or work.
  package func dispatchFunction(in scope: EffectScope?) -> DispatchFunction {
    if isForActions { host.noteWork() }
    guard let scope else { return { [host] action in host.functions.dispatch(host, action) } }
    return { [self] action in dispatch(action, in: scope) }
  }

  /// Dispatches an action through the store's whole chain as part of the work or the dispatch
  /// that a scope belongs to, even if the scope has ended.
  ///
  /// - Parameter scope: The scope, or `nil` if the action belongs to no other dispatch or work.
  package func dispatch(_ action: any Action, belongingTo scope: EffectScope?) {
    guard EffectScope.current !== scope else { return host.functions.dispatch(host, action) }
    EffectScope.withCurrent(scope) { host.functions.dispatch(host, action) }
  }

  /// The scope in which the work runs.
  ///
  /// The tasks of the scope can be awaited, and are canceled when the store is released. If
  /// other work dispatched the action, or if a caller awaits the dispatch, the scope is nested
  /// in the store's scope. The tasks of a nested scope also belong to the dispatching work or
  /// the awaited dispatch. In the context that a plug-in receives while the store is created,
  /// this property is the store's own scope.
  public var effects: EffectScope {
    if isForActions { host.noteWork() }
    return isForActions ? host.effects.joinedByCurrent : scope
  }

  /// Returns a proxy of the store for a type of state.
  ///
  /// - Parameter type: The type of the store's state, or a type to which the state can be cast.
  /// - Returns: A proxy that does not keep the store alive, or `nil` if the state is not of the
  ///   given type or the store has been released.
  @inlinable
  public func store<State: Sendable>(of type: State.Type) -> StoreProxy<State>? {
    store(of: type, usedBy: nil)
  }

  /// Returns a proxy of the store for a type of state and for the code that uses the proxy.
  @inlinable
  package func store<State: Sendable>(of type: State.Type, usedBy user: (any ProxyUser)?) -> StoreProxy<
    State
  >? {
    if isForActions { host.noteWork() }
    guard let functions = host.functions.proxyFunctions as? ProxyFunctions<State> else {
      return host.proxy(as: type)?.like(self).used(by: user)
    }
    return hasStoreGone
      ? nil : StoreProxy(functions, in: ActionContext(host: host, role: role.ofAction), usedBy: user)
  }

  /// Returns the current state for a context that keeps it, or `nil` if the state is not of the
  /// given type or the store has been released.
  ///
  /// If the type is the type of the store's state, the state is not boxed. A test that observes
  /// reads does not receive this read. The context calls ``readsKeptState()`` when it provides the
  /// state.
  @inlinable
  package func stateToKeep<State: Sendable>(of type: State.Type) -> State? {
    guard let functions = host.functions.proxyFunctions as? ProxyFunctions<State> else {
      return state as? State
    }
    if isForActions { host.noteWork() }
    return functions.keptState(host)
  }

  /// Reports to the running test that the present step reads the state.
  package func readsState() {
    host.functions.executorOfTest?.stepReadsState()
  }

  /// Reports to the running test that the order of the ends of work is observed.
  package func observesEnds() {
    host.functions.executorOfTest?.endsAreObserved()
  }

  /// Reports to the running test that a context keeps the state.
  @inlinable
  package func keepsState() {
    host.functions.executorOfTest?.stepKeepsState()
  }

  /// Reports to the running test that a context reads the state that it keeps.
  @inlinable
  package func readsKeptState() {
    host.functions.executorOfTest?.stepReadsKeptState()
  }

  /// A Boolean value that indicates whether the store has been released.
  @inlinable package var hasStoreGone: Bool {
    host.hasEnded.load(ordering: .acquiring)
  }

  /// A Boolean value that indicates whether a plug-in defers every action.
  package var defersActions: Bool { host.defersActions }

  /// Calls a closure that dispatches an action, and calls another closure after the action has
  /// been handled.
  ///
  /// The second closure is called before this method returns, unless a plug-in defers actions. If
  /// ``defersActions`` is `false`, dispatching and then acting has the same effect.
  package func dispatching(_ dispatch: () -> Void, then act: @escaping @Sendable () -> Void) {
    let ticket = DispatchTicket()
    ticket.carry(dispatch)
    ticket.whenSettled { _ in act() }
  }

  /// The scope for code that is not part of the work of an action: the store's own scope, or the
  /// scope of the feature that the code belongs to.
  package var scope: EffectScope {
    role.isOfStore ? host.effects : host.contexts.scope(role.number) ?? host.effects
  }

  /// Delivers pending states on the main actor immediately, for a dispatch through a
  /// main-actor-isolated interface.
  ///
  /// - Returns: A Boolean value that indicates whether a newer state is still pending on the
  ///   main actor. For example, a state remains pending while a batch is open, or while another
  ///   thread is still notifying plug-ins of the state. The value is `false` inside an observer,
  ///   because the other observers are called after that observer has returned.
  @MainActor
  package func deliverOnMain() -> Bool {
    let functions = host.functions
    functions.deliverOnMain(host)
    return functions.isMainBehind(host)
  }

  /// Returns the object of a type that the store keeps for a module, and creates the object on
  /// first use.
  package func attachment<Kept: AnyObject & Sendable>(_ type: Kept.Type, make: () -> Kept) -> Kept {
    host.attachments.object(type, make: make)
  }
}
