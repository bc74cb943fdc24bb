/// A type whose state you can subscribe to, such as a ``Store``, or a ``StoreProxy`` for a part
/// of a store's state.
///
/// All methods that subscribe are in extensions of this protocol. Do not conform your own types
/// to the protocol, because its requirements are internal to the package.
public protocol StateSource<State>: Sendable {
  /// The type of the observed state.
  associatedtype State: Sendable

  /// Adds an observer.
  ///
  /// All other methods that subscribe call this method.
  func _subscribe(_ observer: _StateObserver<State>) -> SubscriptionToken

  /// Adds an observer on the main actor.
  ///
  /// All other methods that subscribe on the main actor call this method.
  @MainActor
  func _subscribeOnMain(_ observer: _MainStateObserver<State>) -> SubscriptionToken

  /// The source as a proxy, which the package uses to read the state and to dispatch actions.
  var _proxy: StoreProxy<State> { get }
}

/// An observer that has not yet been added to a source, for internal use by the package.
public struct _StateObserver<State: Sendable>: Sendable {
  /// The closures to call, which are created when the function that cancels the observer is
  /// available.
  @usableFromInline
  struct Calls: Sendable {
    /// The closure for the first call, or `nil` to skip the first call.
    @usableFromInline let first: (@Sendable (State) -> Void)?
    /// The closure for all later calls.
    @usableFromInline let receive: @Sendable (State) -> Void

    @inlinable
    init(first: (@Sendable (State) -> Void)?, receive: @escaping @Sendable (State) -> Void) {
      self.first = first
      self.receive = receive
    }
  }

  @usableFromInline let calls: @Sendable (_ cancel: @escaping @Sendable () -> Void) -> Calls

  @inlinable
  init(_ calls: @escaping @Sendable (_ cancel: @escaping @Sendable () -> Void) -> Calls) {
    self.calls = calls
  }
}

/// An observer on the main actor that has not yet been added to a source, for internal use by
/// the package.
public struct _MainStateObserver<State: Sendable>: Sendable {
  @usableFromInline
  struct Calls: Sendable {
    @usableFromInline let first: (@MainActor (State) -> Void)?
    @usableFromInline let receive: @MainActor (State) -> Void

    @inlinable
    init(first: (@MainActor (State) -> Void)?, receive: @escaping @MainActor (State) -> Void) {
      self.first = first
      self.receive = receive
    }
  }

  @usableFromInline let calls: @MainActor (_ cancel: @escaping @Sendable () -> Void) -> Calls

  @inlinable
  init(_ calls: @escaping @MainActor (_ cancel: @escaping @Sendable () -> Void) -> Calls) {
    self.calls = calls
  }
}

extension _StateObserver {
  /// Returns an observer of a whole state that calls this observer with a part of the state, if
  /// the part exists.
  @inlinable
  func pullback<Whole>(_ part: @escaping @Sendable (Whole) -> State?) -> _StateObserver<Whole> {
    _StateObserver<Whole> { [calls] cancel in
      let calls = calls(cancel)
      let receive: @Sendable (Whole) -> Void = { whole in if let state = part(whole) { calls.receive(state) }
      }
      guard let first = calls.first else { return .init(first: nil, receive: receive) }
      return .init(first: { whole in if let state = part(whole) { first(state) } }, receive: receive)
    }
  }
}

extension _MainStateObserver {
  /// Returns an observer of a whole state that calls this observer with a part of the state, if
  /// the part exists.
  @inlinable
  func pullback<Whole>(_ part: @escaping @Sendable (Whole) -> State?) -> _MainStateObserver<Whole> {
    _MainStateObserver<Whole> { [calls] cancel in
      let calls = calls(cancel)
      let receive: @MainActor (Whole) -> Void = { whole in if let state = part(whole) { calls.receive(state) }
      }
      guard let first = calls.first else { return .init(first: nil, receive: receive) }
      return .init(first: { whole in if let state = part(whole) { first(state) } }, receive: receive)
    }
  }
}

extension Store: StateSource {
  /// Adds an observer.
  ///
  /// All other methods that subscribe call this method.
  @inlinable
  public func _subscribe(_ observer: _StateObserver<State>) -> SubscriptionToken {
    core.subscribe(observer)
  }

  /// Adds an observer on the main actor.
  ///
  /// All other methods that subscribe on the main actor call this method.
  @inlinable @MainActor
  public func _subscribeOnMain(_ observer: _MainStateObserver<State>) -> SubscriptionToken {
    core.subscribeOnMain(observer)
  }

  /// The store as a proxy, which the package uses to read the state and to dispatch actions.
  public var _proxy: StoreProxy<State> { proxy }
}
