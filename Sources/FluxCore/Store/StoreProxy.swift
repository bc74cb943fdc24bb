/// An interface to a store that is limited to a part of the state, or to a protocol that the
/// state conforms to.
///
/// ```swift
/// let movies = store.proxy(for: \.movies)
/// movies.dispatch(SetMovie(movie))
/// let token = movies.subscribe { movies in show(movies) }
///
/// let session = store.proxy(for: { $0 as any HasSession })
/// ```
///
/// A proxy does not keep the store alive. After the store is released, ``state`` is `nil`, a
/// dispatch does nothing, and a new subscription ends immediately. You can use every member from
/// any thread. The idea comes from SwiftDux.
public struct StoreProxy<State: Sendable>: StateSource {
  @usableFromInline let functions: ProxyFunctions<State>
  /// A context of the store, for modules that extend the store.
  @usableFromInline package var context: ActionContext
  /// The code that uses the proxy, or `nil` if the proxy dispatches through the store's whole
  /// chain, and errors of missing services name no action.
  @usableFromInline var user: (any ProxyUser)?

  /// An object that distinguishes this proxy from proxies of other states.
  ///
  /// Each store has one identity object, and each proxy for a part has its own identity object.
  package var identity: any AnyObject & Sendable { functions.identity }

  @inlinable
  init(core: StoreCore<State>) where State: FluxState {
    self.init(core.proxyFunctions, in: ActionContext(host: core))
  }

  @inlinable
  init(
    _ functions: ProxyFunctions<State>, in context: ActionContext, usedBy user: (any ProxyUser)? = nil
  ) {
    self.functions = functions
    self.context = context
    self.user = user
  }

  /// Creates a proxy that uses the store of another proxy.
  private init<Other>(_ functions: ProxyFunctions<State>, like other: StoreProxy<Other>) {
    self.init(functions, in: other.context, usedBy: other.user)
  }

  private init<Whole>(of whole: StoreProxy<Whole>, part: @escaping @Sendable (Whole) -> State?) {
    self.init(ProxyFunctions(of: whole.functions, part: part), like: whole)
  }

  /// Creates a copy of a proxy, and replaces the functions through which the copy subscribes.
  package init(
    of other: StoreProxy, subscribing: @escaping @Sendable (_StateObserver<State>) -> SubscriptionToken,
    onMain subscribingOnMain: @escaping @MainActor @Sendable (_MainStateObserver<State>) -> SubscriptionToken
  ) {
    self.init(
      ProxyFunctions(reading: other.functions, subscribe: subscribing, onMain: subscribingOnMain), like: other
    )
  }

  /// Returns a copy of the proxy for other code.
  @usableFromInline
  package func used(by user: (any ProxyUser)?) -> StoreProxy {
    var copy = self
    copy.user = user
    return copy
  }

  /// Returns a copy of the proxy whose errors of missing services name other code.
  package func used(by serviceUser: ServiceUser) -> StoreProxy {
    used(
      by: user == nil
        ? NamedProxyUser(serviceUser)
        : DispatchingProxyUser(serviceUser, in: user?.scopeOfDispatches, dispatch: dispatch))
  }

  /// Returns a copy of the proxy, and replaces the function through which the copy dispatches.
  ///
  /// - Parameters:
  ///   - scope: The scope in which the function dispatches, or `nil` for the scope of this proxy.
  ///   - dispatch: A function that dispatches an action.
  package func dispatching(
    in scope: EffectScope? = nil, by dispatch: @escaping DispatchFunction
  ) -> StoreProxy {
    let scope = scope ?? user?.scopeOfDispatches
    return used(by: DispatchingProxyUser(user?.serviceUser, in: scope, dispatch: dispatch))
  }

  /// The scope that the dispatches of the proxy belong to.
  package var scopeOfDispatches: EffectScope { user?.scopeOfDispatches ?? context.scope }

  /// The current value of the part of the state, or `nil` if the store has been released.
  ///
  /// The value is also `nil` while the dynamic type of the state does not match the type that
  /// was passed to ``proxy(as:)``. Observers are not called while the value is `nil`.
  @inlinable
  public var state: State? { functions.state(context.host) }

  /// The current value of the part of the state, for a context that keeps it.
  @inlinable
  package var stateToKeep: State? { functions.keptState(context.host) }

  /// Calls a closure with the state under the lock of the store, so that no action is reduced
  /// meanwhile.
  ///
  /// After the store is released, the method does nothing. The closure must not use a store.
  package func borrowState(_ body: (State) -> Void) {
    context.readsState()
    functions.borrowState(context.host, body)
  }

  /// A Boolean value that indicates whether the store has been released.
  @usableFromInline var hasGone: Bool { context.scope.hasEnded }

  /// Sends an action through the store's whole chain, as ``Store/dispatch(_:)`` does.
  @Sendable @inlinable
  public func dispatch(_ action: any Action) {
    guard let user else { return context.host.functions.dispatch(context.host, action) }
    user.dispatch(action, in: context)
  }

  /// Sends an action through the store's whole chain.
  ///
  /// This method is equivalent to ``dispatch(_:)``, with the argument label that SwiftUIFlux
  /// uses.
  @_disfavoredOverload @Sendable
  public func dispatch(action: any Action) {
    dispatch(action)
  }

  /// Sends an action through the store's whole chain.
  ///
  /// This method is equivalent to ``dispatch(_:)``, with the name that SwiftDux uses.
  @Sendable
  public func send(_ action: any Action) {
    dispatch(action)
  }

  /// Calls a closure, and then delivers the combined result of all its dispatches, as
  /// ``Store/batch(_:)`` does.
  ///
  /// After the store is released, the method only calls the closure.
  ///
  /// - Parameter body: A closure that dispatches actions.
  /// - Returns: The value that `body` returns.
  /// - Throws: The error that `body` throws.
  public func batch<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
    let (host, functions) = (context.host, context.host.functions)
    functions.openBatch(host)
    defer { functions.closeBatch(host) }
    return try body()
  }

  /// Returns a proxy for a part of this proxy's state.
  ///
  /// - Parameter part: A key path or a closure. A closure can cast the state, as in
  ///   `{ $0 as any HasSession }`.
  public func proxy<Part: Sendable>(for part: @escaping @Sendable (State) -> Part) -> StoreProxy<Part> {
    StoreProxy<Part>(of: self, part: part)
  }

  /// Returns a proxy for a part of this proxy's state that does not always exist.
  ///
  /// While the part does not exist, the state of the proxy is `nil`, and observers are not called.
  package func proxy<Part: Sendable>(
    whileAvailable part: @escaping @Sendable (State) -> Part?
  ) -> StoreProxy<Part> {
    StoreProxy<Part>(of: self, part: part)
  }

  /// Returns a proxy that casts the state to a type, which is usually a protocol.
  ///
  /// - Parameter type: The type to cast the state to.
  /// - Returns: The proxy, or `nil` if the state is not of the given type or the store has been
  ///   released.
  public func proxy<Part: Sendable>(as type: Part.Type) -> StoreProxy<Part>? {
    guard state is Part else { return nil }
    return StoreProxy<Part>(of: self) { $0 as? Part }
  }

  /// Adds an observer.
  ///
  /// All other methods that subscribe call this method.
  public func _subscribe(_ observer: _StateObserver<State>) -> SubscriptionToken {
    functions.subscribe(context.host, observer)
  }

  /// Adds an observer on the main actor.
  ///
  /// All other methods that subscribe on the main actor call this method.
  @MainActor
  public func _subscribeOnMain(_ observer: _MainStateObserver<State>) -> SubscriptionToken {
    functions.subscribeOnMain(context.host, observer)
  }

  /// The proxy itself, which the package uses to read the state and to dispatch actions.
  public var _proxy: StoreProxy { self }
}

extension Store {
  /// A proxy for the whole state, which does not keep the store alive.
  @inlinable
  public var proxy: StoreProxy<State> { StoreProxy(core: core) }

  /// Returns a proxy for a part of the state, which does not keep the store alive.
  ///
  /// - Parameter part: A key path or a closure. A closure can cast the state, as in
  ///   `{ $0 as any HasSession }`.
  public func proxy<Part: Sendable>(for part: @escaping @Sendable (State) -> Part) -> StoreProxy<Part> {
    proxy.proxy(for: part)
  }

  /// Returns a proxy that casts the state to a type, which is usually a protocol.
  ///
  /// - Parameter type: The type to cast the state to.
  /// - Returns: The proxy, or `nil` if the state is not of the given type.
  public func proxy<Part: Sendable>(as type: Part.Type) -> StoreProxy<Part>? {
    proxy.proxy(as: type)
  }
}
