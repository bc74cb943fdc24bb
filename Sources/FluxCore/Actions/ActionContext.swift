/// What an action that carries work is given: the state, a way to dispatch, and a scope for its tasks.
///
/// See ``Action/_startWork(in:)``. The context does not keep the store alive. Once the store has gone the state
/// is `nil`, dispatching does nothing, and ``effects`` runs nothing more.
public struct ActionContext: Sendable {
  @usableFromInline let host: any ActionHost

  // Always, since otherwise the store may be retained for every action that it asks for its work.
  @inlinable @inline(__always)
  init(host: any ActionHost) {
    self.host = host
  }

  /// The same store, for what is no action's and belongs to no dispatch.
  @usableFromInline var ofStore: ActionContext { ActionContext(host: StoreHost(host: host)) }

  /// Whether another context is of the same store.
  package func isOfSameStore(as other: ActionContext) -> Bool { host === other.host }

  /// The state as it is now, or `nil` when the store has gone.
  public var state: (any FluxState)? {
    host.noteWork()
    return host.currentState
  }

  /// A function that dispatches through the store's whole chain.
  ///
  /// What is dispatched by it belongs to the same dispatch as this action, if that is one to be waited for.
  public var dispatch: DispatchFunction {
    host.noteWork()
    guard host.isForActions, let scope = EffectScope.current else {
      return { [host] action in host.dispatchThroughChain(action) }
    }
    return { [host] action in scope.gather { host.dispatchThroughChain(action) } }
  }

  /// Where the work runs: its tasks are cancelled when the store goes, and can be awaited.
  ///
  /// For an action that a piece of work has dispatched, or a dispatch that is to be waited for, it is a scope within that
  /// of the store, whose tasks belong to that work or dispatch too. The context that a plug-in is given when the store is
  /// made has the store's own.
  public var effects: EffectScope {
    host.noteWork()
    return host.isForActions ? host.effects.joinedByCurrent : host.effects
  }

  /// The store as seen for a type of state: that of the store, or one that the state turns out to have.
  ///
  /// - Returns: A proxy that does not keep the store alive; `nil` when the state is of another type, or the store has
  ///   gone.
  public func store<State: Sendable>(of type: State.Type) -> StoreProxy<State>? {
    host.noteWork()
    return host.proxy(as: type)
  }

  /// The store's own scope, for those who are no action's work.
  package var scope: EffectScope { host.effects }

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

/// The store's core, as an action's work sees it.
@usableFromInline
protocol ActionHost: AnyObject, Sendable {
  var currentState: (any FluxState)? { get }
  /// Whether its work belongs to the dispatch that is current, too.
  var isForActions: Bool { get }
  var effects: EffectScope { get }
  var attachments: StoreAttachments { get }
  func dispatchThroughChain(_ action: any Action)
  func openBatch()
  func closeBatch()

  /// Tells the plug-ins that want to know that an action uses its context.
  func noteWork()

  /// The store, for a type that its state turns out to have.
  func proxy<Part: Sendable>(as type: Part.Type) -> StoreProxy<Part>?
}

/// A store's core for those who are no action's work: plug-ins that start tasks of their own.
private final class StoreHost: ActionHost {
  private let host: any ActionHost

  init(host: any ActionHost) {
    self.host = host
  }

  var isForActions: Bool { false }
  var currentState: (any FluxState)? { host.currentState }
  var effects: EffectScope { host.effects }
  var attachments: StoreAttachments { host.attachments }

  func dispatchThroughChain(_ action: any Action) { host.dispatchThroughChain(action) }
  func openBatch() { host.openBatch() }
  func closeBatch() { host.closeBatch() }
  func noteWork() { host.noteWork() }
  func proxy<Part: Sendable>(as type: Part.Type) -> StoreProxy<Part>? { host.proxy(as: type) }
}
