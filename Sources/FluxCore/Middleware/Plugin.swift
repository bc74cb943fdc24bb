/// An extension of a store that observes the exact effect of each action, or changes how
/// actions are reduced.
///
/// If several threads dispatch, a middleware cannot determine the effect of a single action, but
/// a plug-in can. All components of a plug-in are optional:
///
/// ```swift
/// let audit = Plugin<AppState>(onTransition: .states { transition in
///   record(transition.version, transition.action, transition.before, transition.after)
/// })
/// let store = Store(reducer: appReducer, plugins: [audit], state: AppState())
/// ```
public struct Plugin<State: Sendable>: Sendable {
  /// The plug-in's link in the chain.
  ///
  /// The middleware of plug-ins follows the store's own middleware, in the order of the
  /// plug-ins.
  public var middleware: Middleware<State>?

  /// A function that wraps the store's reducer.
  ///
  /// The returned reducer runs as part of each reduction, under the store's lock, and must
  /// follow the rules for reducers. The wrapper of the first plug-in is the outermost wrapper.
  /// The store calls the function again for each call to
  /// ``Store/replaceReducer(_:)-(Reducer<State>)``.
  public var wrapReducer: (@Sendable (_ reducer: @escaping MutatingReducer<State>) -> MutatingReducer<State>)?

  /// An observer of every transition.
  public var onTransition: TransitionObserver<State>?

  /// A closure that is called once with a context, while the store is created and before its
  /// middleware is called.
  ///
  /// You can keep the context, and use it after the store has been created. If the closure
  /// dispatches, the program stops with a message, as it does for the outer closures of a
  /// middleware. A plug-in starts its own tasks in the ``ActionContext/effects`` of the
  /// context. Objects that keep the context are released with the store's plug-ins.
  public var onStoreStart: (@Sendable (_ context: ActionContext) -> Void)?

  /// A closure that is called once with a proxy of the store for the plug-in's state, while the
  /// store is created.
  ///
  /// The closure is called after the ``onStoreStart`` closures of all plug-ins, and before the
  /// middleware is called. No action has been reduced before the call. The closure must not
  /// dispatch. If the plug-in is lifted, the proxy is limited to the part of the state.
  @usableFromInline
  package var onStoreProxy: (@Sendable (_ store: StoreProxy<State>) -> Void)?

  /// A closure that is called when the ``ActionContext`` of an action is used, and when work
  /// starts.
  ///
  /// The store calls this closure only if an action carries work. The closure is called on the
  /// thread that uses the context, outside any lock. The context is used when the action arrives
  /// at the end of the chain, and possibly later.
  @usableFromInline
  package var onWork: (@Sendable () -> Void)?

  /// A closure that is called once with the last state, after the store has been released and
  /// the last transition has been delivered.
  ///
  /// The closure is called outside any lock, on the thread that released the store or on the
  /// thread that was delivering at that time.
  public var onStoreEnd: (@Sendable (_ last: State) -> Void)?

  /// A link in front of the store's middleware that calls `next` only after the dispatch has
  /// returned.
  ///
  /// With this link, code can dispatch even where it must not use the store: in a reducer, in a
  /// ``Store/withState(_:)`` closure, and in the outer closures of a middleware.
  @usableFromInline
  package var deferral:
    (@Sendable (_ context: ActionContext, _ next: @escaping DispatchFunction) -> DispatchFunction)?

  /// A link in front of the store's middleware, and behind the links that defer actions.
  ///
  /// The link calls `next` before it returns. Each action that is dispatched passes the link, also
  /// an action that a middleware dispatches. If a plug-in has such a link, the actions of work have
  /// a ``DispatchSender`` from this link to the reducer.
  @usableFromInline
  package var firstLink: (@Sendable (_ next: @escaping DispatchFunction) -> DispatchFunction)?

  /// A Boolean value that indicates whether the plug-in keeps an object in the store, or changes
  /// the settings of the store.
  ///
  /// Such a plug-in must be part of the store from the beginning.
  @usableFromInline
  package var configuresStore = false

  /// A Boolean value that indicates whether the plug-in must be part of the store from the
  /// beginning, and therefore cannot be part of a feature that is attached to a running store.
  package var isOnlyForStore: Bool {
    configuresStore || deferral != nil || firstLink != nil || onWork != nil
  }

  /// Creates a plug-in with the given components.
  @inlinable
  public init(
    middleware: Middleware<State>? = nil,
    wrapReducer: (@Sendable (_ reducer: @escaping MutatingReducer<State>) -> MutatingReducer<State>)? = nil,
    onTransition: TransitionObserver<State>? = nil,
    onStoreStart: (@Sendable (_ context: ActionContext) -> Void)? = nil,
    onStoreEnd: (@Sendable (_ last: State) -> Void)? = nil
  ) {
    self.middleware = middleware
    self.wrapReducer = wrapReducer
    self.onTransition = onTransition
    self.onStoreStart = onStoreStart
    self.onStoreEnd = onStoreEnd
  }
}

extension Array {
  /// Returns a Boolean value that indicates whether a plug-in observes work.
  @inlinable
  func observesWork<State>() -> Bool where Element == Plugin<State> {
    contains { $0.onWork != nil }
  }

  /// Returns a Boolean value that indicates whether a plug-in defers every action.
  @inlinable
  func defersActions<State>() -> Bool where Element == Plugin<State> {
    contains { $0.deferral != nil }
  }

  /// Wraps a reducer in the wrappers that the plug-ins provide.
  ///
  /// The wrapper of the first plug-in is the outermost wrapper.
  @inlinable @Sendable
  func wrap<State>(_ reducer: @escaping MutatingReducer<State>) -> MutatingReducer<State>
  where Element == Plugin<State> {
    var wrapped = reducer
    for plugin in reversed() {
      if let wrapReducer = plugin.wrapReducer { wrapped = wrapReducer(wrapped) }
    }
    return wrapped
  }
}

/// A change of a store's state from one version to the next, with the action and the states
/// before and after the action.
public struct StateTransition<State: Sendable>: Sendable {
  /// The action that was reduced.
  public let action: any Action
  /// The version that the action produced.
  ///
  /// The version is 1 for the first action, and increases by 1 with each action.
  public let version: UInt64
  /// The state before the action.
  public let before: State
  /// The state after the action.
  public let after: State
  /// The duration of the reduction, including the plug-ins' wrappers, as measured by the
  /// system's continuous clock.
  public let duration: Duration
  /// The scope of the dispatch that the action belongs to, for plug-ins that start tasks for
  /// the action.
  @usableFromInline package let scope: EffectScope?

  /// Creates a transition.
  @inlinable
  public init(
    action: any Action, version: UInt64, before: State, after: State, duration: Duration = .zero
  ) {
    self.init(action: action, version: version, before: before, after: after, duration: duration, scope: nil)
  }

  @inlinable
  init(
    action: any Action, version: UInt64, before: State, after: State, duration: Duration, scope: EffectScope?
  ) {
    self.action = action
    self.version = version
    self.before = before
    self.after = after
    self.duration = duration
    self.scope = scope
  }
}

/// An observer that receives the action of each transition, and optionally the states before
/// and after the action.
///
/// The observer is called once for each reduced action, in commit order, one call at a time. The
/// observer is called with a version before any state observer is called with the same version.
/// Transitions are never coalesced. The observer runs outside the store's lock on the delivering
/// thread, and can dispatch. An observer of transitions must be quick. If the processing of
/// transitions is slow, the observer must put them into a bounded buffer for other code to
/// process.
public struct TransitionObserver<State: Sendable>: Sendable {
  @usableFromInline
  enum Kind: Sendable {
    case actions(@Sendable (_ action: any Action, _ version: UInt64) -> Void)
    case states(@Sendable (StateTransition<State>) -> Void)
  }

  @usableFromInline let kind: Kind

  @inlinable
  init(kind: Kind) {
    self.kind = kind
  }

  /// Creates an observer that receives each action with its version.
  @inlinable
  public static func actions(_ observe: @escaping @Sendable (_ action: any Action, _ version: UInt64) -> Void)
    -> TransitionObserver
  {
    TransitionObserver(kind: .actions(observe))
  }

  /// Creates an observer that receives each action with its version and the states before and
  /// after the action.
  ///
  /// This observer requires the store to keep a copy of the state during each reduction.
  /// Therefore, an in-place change of a collection copies the collection, as ``MutatingReducer``
  /// explains.
  @inlinable
  public static func states(_ observe: @escaping @Sendable (StateTransition<State>) -> Void)
    -> TransitionObserver
  {
    TransitionObserver(kind: .states(observe))
  }
}
