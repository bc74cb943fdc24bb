/// Something with a state to subscribe to: a ``Store``, or a ``StoreProxy`` of a part of one.
///
/// All the ways to subscribe are extensions of this protocol. It is not for conforming to: its requirements are
/// the package's own.
public protocol StateSource<State>: Sendable {
  /// What is observed.
  associatedtype State: Sendable

  /// Adds an observer; the ways to subscribe are built on this.
  func _subscribe(_ observer: _StateObserver<State>) -> SubscriptionToken

  /// Adds an observer on the main actor; the ways to subscribe there are built on this.
  @MainActor
  func _subscribeOnMain(_ observer: _MainStateObserver<State>) -> SubscriptionToken

  /// The source as a proxy; what also reads and dispatches is built on this.
  var _proxy: StoreProxy<State> { get }
}

/// An observer before it is added to a source, for the package's own use.
public struct _StateObserver<State: Sendable>: Sendable {
  /// What to call, once it is known how the observer can end itself.
  @usableFromInline
  struct Calls: Sendable {
    /// What the first call goes to; `nil` skips it.
    @usableFromInline let first: (@Sendable (State) -> Void)?
    /// What the others go to.
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

/// An observer on the main actor before it is added to a source, for the package's own use.
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
  /// The same observer, of a whole that has the state as a part; it hears nothing while there is no such part.
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
  /// The same observer, of a whole that has the state as a part; it hears nothing while there is no such part.
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
  /// Adds an observer; the ways to subscribe are built on this.
  @inlinable
  public func _subscribe(_ observer: _StateObserver<State>) -> SubscriptionToken {
    core.subscribe(observer)
  }

  /// Adds an observer on the main actor; the ways to subscribe there are built on this.
  @inlinable @MainActor
  public func _subscribeOnMain(_ observer: _MainStateObserver<State>) -> SubscriptionToken {
    core.subscribeOnMain(observer)
  }

  /// The store as a proxy; what also reads and dispatches is built on this.
  public var _proxy: StoreProxy<State> { proxy }
}
