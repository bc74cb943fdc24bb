/// A slice of a store's state that many observe, who are left alone as one while it does not change.
///
/// ```swift
/// let settings = store.sharedSlice(of: \.settings)
///
/// let theme = settings.subscribe(to: \.theme) { theme in paint(theme) }
/// let language = settings.subscribe(to: \.language) { language in translate(to: language) }
/// ```
///
/// A subscription to a slice of a store is asked after each action whether its slice has changed. Of a shared slice that is
/// asked once, however many subscribe to it, or to slices of it: while it stays the same, a thousand of them cost what one
/// does.
///
/// It is subscribed to in all the ways that a store is, and what is said of these holds here too, but for one thing: the
/// first call is of the version that the others were last told of, so that all of them show one version. Inside a batch, and
/// on the main actor before what was dispatched is delivered, that is not the store's newest, which follows.
///
/// It does not keep the store alive, and lives for as long as it is kept, or one of its tokens is. When the store goes, its
/// subscriptions are over and its streams end. Every member may be called from any thread.
public final class SharedSlice<State: Sendable>: StateSource {
  @usableFromInline typealias Followed = (slice: StoreCore<SliceState<State>>?, token: SubscriptionToken)

  /// The slice as the store has it, and the way to dispatch.
  @usableFromInline let source: StoreProxy<State>
  @usableFromInline let followed: Followed
  @usableFromInline let followOnMain: @MainActor @Sendable () -> Followed
  /// The same for the main actor, from the first who observes there on.
  @usableFromInline @MainActor var followedOnMain: Followed?

  /// Shares a slice of a state, as a proxy sees that.
  ///
  /// - Parameters:
  ///   - source: The state.
  ///   - slice: A key path, as `\.settings`, or a closure. It runs after each action, so it should be quick.
  ///   - areEqual: Whether two values of the slice count as equal. It runs outside the store's lock.
  @inlinable @preconcurrency
  public init<Whole: Sendable>(
    of source: StoreProxy<Whole>, slice: @escaping @Sendable (Whole) -> State,
    by areEqual: @escaping @Sendable (State, State) -> Bool
  ) {
    self.source = source.proxy(for: slice)
    let follower = SliceFollower<State>()
    let token = source.subscribe(to: slice, by: areEqual) { value in follower.follow(value) }
    followed = (follower.core, token)
    followOnMain = {
      let follower = SliceFollower<State>()
      let token = source.subscribe(
        to: slice, by: areEqual,
        onMain: { value in
          follower.follow(value)
          follower.core?.deliverOnMain()
        })
      return (follower.core, token)
    }
  }

  /// Adds an observer; the ways to subscribe are built on this.
  @inlinable
  public func _subscribe(_ observer: _StateObserver<State>) -> SubscriptionToken {
    // The store has gone.
    guard let slice = followed.slice else { return SubscriptionToken(nil) }
    let cancel = slice.adding(observer.pullback { $0.value })
    return SubscriptionToken({ [self] in withExtendedLifetime(self) { cancel() } })
  }

  /// Adds an observer on the main actor; the ways to subscribe there are built on this.
  @inlinable @MainActor
  public func _subscribeOnMain(_ observer: _MainStateObserver<State>) -> SubscriptionToken {
    let followed = followedOnMain ?? followOnMain()
    followedOnMain = followed
    guard let slice = followed.slice else { return SubscriptionToken(nil) }
    let cancel = slice.addingOnMain(observer.pullback { $0.value })
    return SubscriptionToken({ [self] in withExtendedLifetime(self) { cancel() } })
  }
}

extension SharedSlice {
  /// The slice as a proxy, whose observers are those of the shared slice; what also reads and dispatches is built on this.
  public var _proxy: StoreProxy<State> {
    StoreProxy(of: source, subscribing: { self._subscribe($0) }, onMain: { self._subscribeOnMain($0) })
  }
}

/// A shared slice as the state of a store of its own, which does for its observers what a store does.
@usableFromInline
struct SliceState<Value: Sendable>: FluxState {
  @usableFromInline var value: Value

  @inlinable
  init(value: Value) {
    self.value = value
  }
}

/// Keeps the store of a shared slice, for as long as there is a store to follow.
@usableFromInline
final class SliceFollower<Value: Sendable>: Sendable {
  @usableFromInline
  struct Replace: Action {
    @usableFromInline let value: Value

    @inlinable
    init(value: Value) {
      self.value = value
    }
  }

  /// Made of the first value; `nil` if there never was one, because the store had gone.
  @usableFromInline let store = Locked<Store<SliceState<Value>>?>(nil)

  @inlinable
  init() {}

  @inlinable var core: StoreCore<SliceState<Value>>? { store.withLock { $0 }?.core }

  /// Tells the observers of a newer value; one call at a time.
  @inlinable
  func follow(_ value: Value) {
    if let store = store.withLock({ $0 }) { return store.dispatch(Replace(value: value)) }
    let reducer = on(Replace.self) { (slice: inout SliceState<Value>, action) in slice.value = action.value }
    _ = store.exchange(Store(reducer: reducer, state: SliceState(value: value)))
  }
}

extension StoreProxy {
  /// A slice of the state that many are to observe, who are left alone as one while it does not change.
  ///
  /// - Parameter slice: A key path, as `\.settings`, or a closure. It runs after each action, so it should be quick.
  @inlinable @preconcurrency
  public func sharedSlice<Slice: Equatable & Sendable>(
    of slice: @escaping @Sendable (State) -> Slice
  ) -> SharedSlice<Slice> {
    SharedSlice(of: self, slice: slice, by: ==)
  }

  /// A slice of the state that many are to observe, who are left alone as one while a comparison says that it is the same.
  ///
  /// - Parameters:
  ///   - slice: A key path, as `\.settings`, or a closure. It runs after each action, so it should be quick.
  ///   - areEqual: Whether two values of the slice count as equal. It runs outside the store's lock.
  @inlinable @preconcurrency
  public func sharedSlice<Slice: Sendable>(
    of slice: @escaping @Sendable (State) -> Slice, by areEqual: @escaping @Sendable (Slice, Slice) -> Bool
  ) -> SharedSlice<Slice> {
    SharedSlice(of: self, slice: slice, by: areEqual)
  }
}

extension Store {
  /// A slice of the state that many are to observe, who are left alone as one while it does not change.
  ///
  /// - Parameter slice: A key path, as `\.settings`, or a closure. It runs after each action, so it should be quick.
  @inlinable @preconcurrency
  public func sharedSlice<Slice: Equatable & Sendable>(
    of slice: @escaping @Sendable (State) -> Slice
  ) -> SharedSlice<Slice> {
    proxy.sharedSlice(of: slice)
  }

  /// A slice of the state that many are to observe, who are left alone as one while a comparison says that it is the same.
  ///
  /// - Parameters:
  ///   - slice: A key path, as `\.settings`, or a closure. It runs after each action, so it should be quick.
  ///   - areEqual: Whether two values of the slice count as equal. It runs outside the store's lock.
  @inlinable @preconcurrency
  public func sharedSlice<Slice: Sendable>(
    of slice: @escaping @Sendable (State) -> Slice, by areEqual: @escaping @Sendable (Slice, Slice) -> Bool
  ) -> SharedSlice<Slice> {
    proxy.sharedSlice(of: slice, by: areEqual)
  }
}
