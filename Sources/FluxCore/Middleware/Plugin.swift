/// An extension of a store that sees exactly what each action did, or changes how reducing works.
///
/// A middleware sees an action go by; when other threads dispatch too it cannot know just what that action did. A
/// plug-in can. Each part is optional:
///
/// ```swift
/// let audit = Plugin<AppState>(onTransition: .states { transition in
///   record(transition.version, transition.action, transition.before, transition.after)
/// })
/// let store = Store(reducer: appReducer, plugins: [audit], state: AppState())
/// ```
public struct Plugin<State: Sendable>: Sendable {
  /// A link of the chain.
  ///
  /// Those of plug-ins stand behind the store's middleware, in the plug-ins' order.
  public var middleware: Middleware<State>?

  /// Makes of the store's reducer the one that runs.
  ///
  /// The wrapped reducer runs inside the serial order, under the store's lock, and follows a reducer's rules. The
  /// first plug-in is the outermost. It is asked again for each ``Store/replaceReducer(_:)-(Reducer<State>)``.
  public var wrapReducer: (@Sendable (_ reducer: @escaping MutatingReducer<State>) -> MutatingReducer<State>)?

  /// Hears of every action that has been reduced.
  public var onTransition: TransitionObserver<State>?

  /// Called once while the store is made, before its middleware is, with what work is given.
  ///
  /// It may keep the context, and use it from the first action on; a dispatch now stops the program with a message, as
  /// one of a middleware does. Plug-ins that start tasks of their own run them in the context's
  /// ``ActionContext/effects``. What keeps the context is released with the store's plug-ins.
  public var onStoreStart: (@Sendable (_ context: ActionContext) -> Void)?

  /// Called when an action uses its ``ActionContext``, which tells that it carries work.
  ///
  /// On the thread that uses it, outside any lock: while the action arrives at the end of the chain, and perhaps later.
  public var onWork: (@Sendable () -> Void)?

  /// Called once when the store has gone, after the last transition, with the state as it was last.
  ///
  /// On the thread that released the store, or on that which was delivering then, outside any lock.
  public var onStoreEnd: (@Sendable (_ last: State) -> Void)?

  /// A link in front of the store's middleware that calls `next` only after the dispatch has
  /// returned.
  ///
  /// A store with such a link lets an action be dispatched where the store must not be touched: in
  /// a reducer, in a ``Store/withState(_:)`` closure, and in the outer closures of a middleware.
  @usableFromInline
  package var deferral:
    (@Sendable (_ context: ActionContext, _ next: @escaping DispatchFunction) -> DispatchFunction)?

  /// Creates a plug-in from the parts it needs.
  @inlinable
  public init(
    middleware: Middleware<State>? = nil,
    wrapReducer: (@Sendable (_ reducer: @escaping MutatingReducer<State>) -> MutatingReducer<State>)? = nil,
    onTransition: TransitionObserver<State>? = nil,
    onStoreStart: (@Sendable (_ context: ActionContext) -> Void)? = nil,
    onWork: (@Sendable () -> Void)? = nil,
    onStoreEnd: (@Sendable (_ last: State) -> Void)? = nil
  ) {
    self.middleware = middleware
    self.wrapReducer = wrapReducer
    self.onTransition = onTransition
    self.onStoreStart = onStoreStart
    self.onWork = onWork
    self.onStoreEnd = onStoreEnd
  }
}

extension Array {
  /// Whether a plug-in wants to hear of work.
  @inlinable
  func observesWork<State>() -> Bool where Element == Plugin<State> {
    contains { $0.onWork != nil }
  }

  /// A Boolean value that indicates whether a plug-in defers every action.
  @inlinable
  func defersActions<State>() -> Bool where Element == Plugin<State> {
    contains { $0.deferral != nil }
  }

  /// Puts the links that defer actions in front of a chain.
  @usableFromInline
  func deferActions<State>(
    in context: ActionContext, to first: @escaping DispatchFunction
  ) -> DispatchFunction where Element == Plugin<State> {
    reversed().compactMap(\.deferral).reduce(first) { next, deferral in deferral(context, next) }
  }

  /// Puts a reducer inside those of the plug-ins, the first of which is the outermost.
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

/// A step of a store from one version to the next: an action, and the states around it.
public struct StateTransition<State: Sendable>: Sendable {
  /// The action that was reduced.
  public let action: any Action
  /// The version that the action made.
  ///
  /// Versions count from 1, one an action.
  public let version: UInt64
  /// The state before the action.
  public let before: State
  /// The state after the action.
  public let after: State
  /// How long the reducer took, with what plug-ins have wrapped around it, by the system's continuous clock.
  public let duration: Duration
  /// The scope of the dispatch that the action belongs to, for plug-ins that start tasks because of it.
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

/// What a plug-in hears of transitions: the actions, or the states around them too.
///
/// It is called once for every action that was reduced, in commit order, one call at a time, before the state
/// observers hear of that version, whatever is coalesced for them. It runs outside the store's lock on the thread
/// that delivers, and may dispatch. It must be quick: what is slow needs a bounded buffer of its own.
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

  /// Hears of each action with its version.
  @inlinable
  public static func actions(_ observe: @escaping @Sendable (_ action: any Action, _ version: UInt64) -> Void)
    -> TransitionObserver
  {
    TransitionObserver(kind: .actions(observe))
  }

  /// Hears of each action with its version and the states before and after.
  ///
  /// The store then keeps a copy of the state across each action, so that changing a collection in place copies
  /// it, as ``MutatingReducer`` explains.
  @inlinable
  public static func states(_ observe: @escaping @Sendable (StateTransition<State>) -> Void)
    -> TransitionObserver
  {
    TransitionObserver(kind: .states(observe))
  }
}
