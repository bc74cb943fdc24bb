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
/// It is subscribed to in all the ways that a store is, and what is said of these holds here too, but for this:
///
/// - **What is there already** is the version that its observers were last told of, so that all of them show one version:
///   first calls are of that version, and `initial: false` and `first:` look from it on. It is not the store's newest inside a
///   batch, inside an observer that has dispatched, while another thread delivers, and on the main actor before what was
///   dispatched is delivered; the newest follows.
/// - **Order.** Its observers are called one after the other, as one that subscribed to the store when the slice was made.
/// - **Lifetime.** It does not keep the store alive, and lives for as long as it is kept, or one of its tokens is; a
///   subscription for an owner does not keep it. When the store goes, its subscriptions are over and its streams end.
///
/// It follows the slice, and so keeps a copy of it, from the beginning on. Every member may be called from any thread.
public final class SharedSlice<State: Sendable>: StateSource {
  /// The slice as the store has it, and the way to dispatch.
  @usableFromInline let source: StoreProxy<State>
  @usableFromInline let followed: FollowedSlice<State>
  @usableFromInline let followOnMain: @MainActor @Sendable () -> FollowedSlice<State>
  /// The same for the main actor, from the first who observes there on.
  @usableFromInline @MainActor var followedOnMain: FollowedSlice<State>?

  /// Shares a slice of a state, as a proxy sees that.
  ///
  /// - Parameters:
  ///   - source: The state.
  ///   - slice: A key path, as `\.settings`, or a closure. It runs after each action, so it should be quick.
  ///   - areEqual: Whether two values of the slice count as equal. It runs outside the store's lock.
  @inlinable
  public init<Whole: Sendable>(
    of source: StoreProxy<Whole>, slice: @escaping @Sendable (Whole) -> State,
    by areEqual: @escaping @Sendable (State, State) -> Bool
  ) {
    self.source = source.proxy(for: slice)
    let follower = SliceFollower<State>()
    let token = source.subscribe(to: slice, by: areEqual) { value in follower.follow(value) }
    followed = FollowedSlice(follower, token)
    followOnMain = {
      let follower = SliceFollower<State>()
      let token = source.subscribe(
        to: slice, by: areEqual,
        onMain: { value in
          follower.follow(value)
          follower.core?.deliverOnMain()
        })
      return FollowedSlice(follower, token)
    }
  }

  /// Adds an observer; the ways to subscribe are built on this.
  @inlinable
  public func _subscribe(_ observer: _StateObserver<State>) -> SubscriptionToken {
    // There is no slice yet, of a state that changes its type, or no store any more.
    guard let slice = followed.slice else { return source._subscribe(observer) }
    let cancel = slice.adding(observer.pullback(valueUnlessGone))
    return SubscriptionToken({ [self] in withExtendedLifetime(self) { cancel() } })
  }

  /// Adds an observer on the main actor; the ways to subscribe there are built on this.
  @inlinable @MainActor
  public func _subscribeOnMain(_ observer: _MainStateObserver<State>) -> SubscriptionToken {
    let followed = followedOnMain ?? followOnMain()
    followedOnMain = followed
    guard let slice = followed.slice else { return source._subscribeOnMain(observer) }
    let cancel = slice.addingOnMain(observer.pullback(valueUnlessGone))
    return SubscriptionToken({ [self] in withExtendedLifetime(self) { cancel() } })
  }
}

extension SharedSlice {
  /// The slice as a proxy, whose observers are those of the shared slice; what also reads and dispatches is built on this.
  public var _proxy: StoreProxy<State> {
    StoreProxy(of: source, subscribing: { self._subscribe($0) }, onMain: { self._subscribeOnMain($0) })
  }
}

extension SharedSlice {
  /// The slice, unless an observer before has let the store go.
  @inlinable var valueUnlessGone: @Sendable (SliceState<State>) -> State? {
    { [source] slice in source.hasGone ? nil : slice.value }
  }
}

/// A store that follows a slice, for as long as that can be followed.
@usableFromInline
struct FollowedSlice<Value: Sendable>: Sendable {
  @usableFromInline weak var follower: SliceFollower<Value>?
  @usableFromInline let token: SubscriptionToken

  @inlinable
  init(_ follower: SliceFollower<Value>, _ token: SubscriptionToken) {
    self.follower = follower
    self.token = token
  }

  @inlinable var slice: StoreCore<SliceState<Value>>? { follower?.core }
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
  @inlinable
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
  @inlinable
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
  @inlinable
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
  @inlinable
  public func sharedSlice<Slice: Sendable>(
    of slice: @escaping @Sendable (State) -> Slice, by areEqual: @escaping @Sendable (Slice, Slice) -> Bool
  ) -> SharedSlice<Slice> {
    proxy.sharedSlice(of: slice, by: areEqual)
  }
}
