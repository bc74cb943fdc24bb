/// What an action that carries work is given: the state, a way to dispatch, and a scope for its tasks.
///
/// `_startWork(in:)` of an ``Action`` gets one. The context does not keep the store alive. Once the store has gone the state
/// is `nil`, dispatching does nothing, and ``effects`` runs nothing more.
public struct ActionContext: Sendable {
  @usableFromInline let host: any ActionHost
  /// Whether what is done with it belongs to the dispatch that is current, too.
  @usableFromInline let isForActions: Bool

  // Always, since otherwise the store may be retained for every action that it asks for its work.
  @inlinable @inline(__always)
  init(host: any ActionHost, isForActions: Bool = true) {
    self.host = host
    self.isForActions = isForActions
  }

  /// The same store, for those who are no action's work: plug-ins that start tasks of their own.
  @usableFromInline var ofStore: ActionContext { ActionContext(host: host, isForActions: false) }

  /// Whether another context is of the same store.
  package func isOfSameStore(as other: ActionContext) -> Bool { host === other.host }

  /// The state as it is now, or `nil` when the store has gone.
  public var state: (any FluxState)? {
    host.noteWork()
    return host.functions.state(host)
  }

  /// A function that dispatches through the store's whole chain.
  ///
  /// What is dispatched by it belongs to the same dispatch as this action, if that is one to be waited for.
  public var dispatch: DispatchFunction {
    host.noteWork()
    let dispatch = host.functions.dispatch
    guard isForActions, let scope = EffectScope.current else {
      return { [host] action in dispatch(host, action) }
    }
    return { [host] action in scope.gather { dispatch(host, action) } }
  }

  /// Where the work runs: its tasks are cancelled when the store goes, and can be awaited.
  ///
  /// For an action that a piece of work has dispatched, or a dispatch that is to be waited for, it is a scope within that
  /// of the store, whose tasks belong to that work or dispatch too. The context that a plug-in is given when the store is
  /// made has the store's own.
  public var effects: EffectScope {
    host.noteWork()
    return isForActions ? host.effects.joinedByCurrent : host.effects
  }

  /// The store as seen for a type of state: that of the store, or one that the state turns out to have.
  ///
  /// - Returns: A proxy that does not keep the store alive; `nil` when the state is of another type, or the store has
  ///   gone.
  public func store<State: Sendable>(of type: State.Type) -> StoreProxy<State>? {
    host.noteWork()
    return host.proxy(as: type)
  }

  /// Dispatches, and then calls a closure once the action has been handled: before this method
  /// returns, unless a plug-in defers actions.
  package func dispatching(_ dispatch: () -> Void, then act: @escaping @Sendable () -> Void) {
    guard host.defersActions else {
      dispatch()
      return act()
    }
    let ticket = DispatchTicket()
    ticket.carry(dispatch)
    ticket.whenSettled { _ in act() }
  }

  /// The store's own scope, for those who are no action's work.
  package var scope: EffectScope { host.effects }

  /// Delivers what is due on the main actor now, as far as it may be, for a dispatch made through a face that is isolated
  /// to it.
  ///
  /// - Returns: Whether something newer is due there all the same, most often because a batch is open, or because another
  ///   thread is still telling plug-ins of it. Never inside an observer: the others are called once that has returned.
  @MainActor
  package func deliverOnMain() -> Bool {
    let functions = host.functions
    functions.deliverOnMain(host)
    return functions.isMainBehind(host)
  }

  /// What a module keeps in the store: one object of a type, made when it is first asked for.
  package func attachment<Kept: AnyObject & Sendable>(_ type: Kept.Type, make: () -> Kept) -> Kept {
    host.attachments.object(type, make: make)
  }
}

extension EffectScope {
  /// This scope, or one within it to which work that is started here belongs.
  package var joinedByCurrent: EffectScope { joined(by: .current) }

  /// This scope, or one within it to which work belongs that is started for a dispatch of another scope.
  package func joined(by other: EffectScope?) -> EffectScope {
    guard let other else { return self }
    return other.isWithin(self) ? other : EffectScope(within: other, self)
  }
}
