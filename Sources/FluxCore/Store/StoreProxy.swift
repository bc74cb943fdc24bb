/// A view of a store for a part of its state, or for a protocol that the state conforms to.
///
/// ```swift
/// let movies = store.proxy(for: \.movies)
/// movies.dispatch(SetMovie(movie))
/// let token = movies.subscribe { movies in show(movies) }
///
/// let session = store.proxy(for: { $0 as any HasSession })
/// ```
///
/// A proxy does not keep the store alive: once the store has gone, ``state`` is `nil`, dispatching does nothing, and
/// a subscription made then is over at once. Every member may be called from any thread. The idea is SwiftDux's.
public struct StoreProxy<State: Sendable>: StateSource {
  @usableFromInline let readState: @Sendable () -> State?
  @usableFromInline let subscribing: @Sendable (_StateObserver<State>) -> SubscriptionToken
  @usableFromInline let subscribingOnMain: @MainActor (_MainStateObserver<State>) -> SubscriptionToken

  @usableFromInline let dispatcher: DispatchFunction
  /// The store, for the modules that add to what it does.
  @usableFromInline package let context: ActionContext
  /// Tells it from proxies of other states: one object for each store, and for each proxy made for a part.
  @usableFromInline package let identity: any AnyObject & Sendable

  @inlinable
  init(core: StoreCore<State>) where State: FluxState {
    context = ActionContext(host: core)
    identity = core
    readState = core.readState
    subscribing = core.subscribe
    subscribingOnMain = core.subscribeOnMain
    dispatcher = core.dispatchThroughChain
  }

  private init<Whole>(of whole: StoreProxy<Whole>, part: @escaping @Sendable (Whole) -> State?) {
    readState = { whole.readState().flatMap(part) }
    subscribing = { whole.subscribing($0.pullback(part)) }
    subscribingOnMain = { whole.subscribingOnMain($0.pullback(part)) }
    dispatcher = whole.dispatcher
    context = whole.context
    identity = PartIdentity()
  }

  /// The same proxy, whose observers are somebody else's.
  init(
    of other: StoreProxy, subscribing: @escaping @Sendable (_StateObserver<State>) -> SubscriptionToken,
    onMain subscribingOnMain: @escaping @MainActor (_MainStateObserver<State>) -> SubscriptionToken
  ) {
    readState = other.readState
    self.subscribing = subscribing
    self.subscribingOnMain = subscribingOnMain
    dispatcher = other.dispatcher
    context = other.context
    identity = other.identity
  }

  /// The same proxy, which dispatches in another way.
  package func dispatching(by dispatch: @escaping DispatchFunction) -> StoreProxy {
    StoreProxy(of: self, dispatcher: dispatch)
  }

  private init(of other: StoreProxy, dispatcher: @escaping DispatchFunction) {
    readState = other.readState
    subscribing = other.subscribing
    subscribingOnMain = other.subscribingOnMain
    self.dispatcher = dispatcher
    context = other.context
    identity = other.identity
  }

  /// The part of the state as it is now, or `nil` when the store has gone.
  ///
  /// It is `nil`, too, while a state that changes its dynamic type is not of the type of ``proxy(as:)``; observers then
  /// hear nothing.
  public var state: State? { readState() }

  /// Whether the store has gone.
  @usableFromInline var hasGone: Bool { context.scope.hasEnded }

  /// Sends an action through the store's whole chain, as ``Store/dispatch(_:)`` does.
  @Sendable
  public func dispatch(_ action: any Action) {
    dispatcher(action)
  }

  /// Sends an action through the store's whole chain: SwiftUIFlux's spelling of ``dispatch(_:)``.
  @_disfavoredOverload @Sendable
  public func dispatch(action: any Action) {
    dispatcher(action)
  }

  /// Sends an action through the store's whole chain: SwiftDux's spelling of ``dispatch(_:)``.
  @Sendable
  public func send(_ action: any Action) {
    dispatcher(action)
  }

  /// Runs a closure, and delivers once what it has dispatched when it leaves, as ``Store/batch(_:)`` does.
  ///
  /// Once the store has gone it just runs the closure.
  ///
  /// - Returns: What `body` returns.
  /// - Throws: What `body` throws.
  public func batch<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
    let (host, functions) = (context.host, context.host.functions)
    functions.openBatch(host)
    defer { functions.closeBatch(host) }
    return try body()
  }

  /// A proxy for a part of this part.
  ///
  /// - Parameter part: A key path or a closure, which may also say `{ $0 as any HasSession }`.
  public func proxy<Part: Sendable>(for part: @escaping @Sendable (State) -> Part) -> StoreProxy<Part> {
    StoreProxy<Part>(of: self, part: part)
  }

  /// A proxy for a type that the state turns out to have, most often a protocol.
  ///
  /// - Returns: The proxy, or `nil` when the state is of no such type, or the store has gone.
  public func proxy<Part: Sendable>(as type: Part.Type) -> StoreProxy<Part>? {
    guard state is Part else { return nil }
    return StoreProxy<Part>(of: self) { $0 as? Part }
  }

  /// Adds an observer; the ways to subscribe are built on this.
  public func _subscribe(_ observer: _StateObserver<State>) -> SubscriptionToken {
    subscribing(observer)
  }

  /// Adds an observer on the main actor; the ways to subscribe there are built on this.
  @MainActor
  public func _subscribeOnMain(_ observer: _MainStateObserver<State>) -> SubscriptionToken {
    subscribingOnMain(observer)
  }

  /// The proxy itself; what also reads and dispatches is built on this.
  public var _proxy: StoreProxy { self }
}

/// What tells a proxy for a part from others.
private final class PartIdentity: Sendable {}

extension Store {
  /// A proxy for the whole state, which does not keep the store alive.
  @inlinable
  public var proxy: StoreProxy<State> { StoreProxy(core: core) }

  /// A proxy for a part of the state, which does not keep the store alive.
  ///
  /// - Parameter part: A key path or a closure, which may also say `{ $0 as any HasSession }`.
  public func proxy<Part: Sendable>(for part: @escaping @Sendable (State) -> Part) -> StoreProxy<Part> {
    proxy.proxy(for: part)
  }

  /// A proxy for a type that the state turns out to have, most often a protocol.
  ///
  /// - Returns: The proxy, or `nil` when the state is of no such type.
  public func proxy<Part: Sendable>(as type: Part.Type) -> StoreProxy<Part>? {
    proxy.proxy(as: type)
  }
}
