/// What an action that carries work is given: the state, a way to dispatch, and a scope for its tasks.
///
/// See ``Action/_startWork(in:)``. The context does not keep the store alive. Once the store has gone the state
/// is `nil`, dispatching does nothing, and ``effects`` runs nothing more.
public struct ActionContext: Sendable {
  @usableFromInline let host: any ActionHost

  @inlinable
  init(host: any ActionHost) {
    self.host = host
  }

  /// The state as it is now, or `nil` when the store has gone.
  public var state: (any FluxState)? {
    host.noteWork()
    return host.currentState
  }

  /// A function that dispatches through the store's whole chain.
  public var dispatch: DispatchFunction {
    host.noteWork()
    return { [host] action in host.dispatchThroughChain(action) }
  }

  /// Where the work runs: its tasks are cancelled when the store goes, and can be awaited.
  public var effects: EffectScope {
    host.noteWork()
    return host.effects
  }
}

/// The store's core, as an action's work sees it.
@usableFromInline
protocol ActionHost: AnyObject, Sendable {
  var currentState: (any FluxState)? { get }
  var effects: EffectScope { get }
  func dispatchThroughChain(_ action: any Action)

  /// Tells the plug-ins that want to know that an action uses its context.
  func noteWork()
}
