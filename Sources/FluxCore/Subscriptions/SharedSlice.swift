/// A part of a store's state that many observers can share.
///
/// ```swift
/// let settings = store.sharedSlice(of: \.settings)
///
/// let theme = settings.subscribe(to: \.theme) { theme in paint(theme) }
/// let language = settings.subscribe(to: \.language) { language in translate(to: language) }
/// ```
///
/// After each action, a store checks for each observer of a part whether the part has changed.
/// For a shared slice, the store makes a single check for all observers of the slice and of its
/// parts. While the slice does not change, a thousand observers cost as much as one observer.
///
/// You can subscribe to a shared slice in the same ways as to a store, with the same guarantees
/// and the following differences:
///
/// - **Current value.** The current value is the version that the slice last delivered, so that
///   all observers show the same version. In its first call, an observer receives the current
///   value. Subscriptions with `initial: false` or `first:` also start with the current value.
///   The current value can be older than the store's newest version inside a batch, or inside an
///   observer that has dispatched. The current value can also be older while another thread is
///   delivering, or while a delivery on the main actor is pending. The newest version is
///   delivered afterward.
/// - **Order.** The slice calls all its observers in succession. Relative to the store's other
///   observers, the slice calls its observers as if they had subscribed when the slice was
///   created.
/// - **Lifetime.** The slice does not keep the store alive. The slice exists while your code
///   retains the slice or one of its tokens. A subscription for an owner does not retain the
///   slice. When the store is released, the subscriptions and streams of the slice end.
///
/// A slice follows the store from the time at which the slice is created, and always keeps a copy
/// of the part of the state. You can use every member from any thread.
public final class SharedSlice<State: Sendable>: StateSource {
  /// A proxy for the part in the store, through which the slice also dispatches.
  @usableFromInline let source: StoreProxy<State>
  @usableFromInline let followed: FollowedSlice<State>
  @usableFromInline let followOnMain: @MainActor @Sendable () -> FollowedSlice<State>
  /// The slice for observers on the main actor, which is created when the first of these
  /// observers subscribes.
  @usableFromInline @MainActor var followedOnMain: FollowedSlice<State>?

  /// Creates a shared slice of a proxy's state.
  ///
  /// - Parameters:
  ///   - source: A proxy for the state.
  ///   - slice: A key path, such as `\.settings`, or a closure that returns the part. The
  ///     closure runs after each action, so it must be quick.
  ///   - areEqual: A closure that returns whether two values of the part are equal. The closure
  ///     runs outside the store's lock.
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

  /// Adds an observer.
  ///
  /// All other methods that subscribe call this method.
  @inlinable
  public func _subscribe(_ observer: _StateObserver<State>) -> SubscriptionToken {
    // The slice does not exist if the state is of another dynamic type, or if the store has been
    // released.
    guard let slice = followed.slice else { return source._subscribe(observer) }
    let cancel = slice.adding(observer.pullback(valueUnlessGone))
    return SubscriptionToken({ [self] in withExtendedLifetime(self) { cancel() } })
  }

  /// Adds an observer on the main actor.
  ///
  /// All other methods that subscribe on the main actor call this method.
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
  /// A proxy for the slice's part of the state.
  ///
  /// The shared slice calls the observers that subscribe through the proxy.
  ///
  /// The package uses the proxy to read the state and to dispatch actions.
  public var _proxy: StoreProxy<State> {
    StoreProxy(of: source, subscribing: { self._subscribe($0) }, onMain: { self._subscribeOnMain($0) })
  }
}

extension SharedSlice {
  /// A function that returns the slice's value, or `nil` if an earlier observer has released
  /// the store.
  @inlinable var valueUnlessGone: @Sendable (SliceState<State>) -> State? {
    { [source] slice in source.hasGone ? nil : slice.value }
  }
}

/// A ``SliceFollower``, and the token of the subscription that updates the follower.
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

/// The state of the internal store that serves the observers of a shared slice.
@usableFromInline
struct SliceState<Value: Sendable>: FluxState {
  @usableFromInline var value: Value

  @inlinable
  init(value: Value) {
    self.value = value
  }
}

/// An object that owns the internal store of a shared slice, and updates this store with each new
/// value of the slice.
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

  /// The internal store, which is created with the first value.
  ///
  /// The property is `nil` if the slice has never had a value, for example because the followed
  /// store had already been released.
  @usableFromInline let store = Locked<Store<SliceState<Value>>?>(nil)

  @inlinable
  init() {}

  @inlinable var core: StoreCore<SliceState<Value>>? { store.withLock { $0 }?.core }

  /// Delivers a newer value to the observers, one call at a time.
  @inlinable
  func follow(_ value: Value) {
    if let store = store.withLock({ $0 }) { return store.dispatch(Replace(value: value)) }
    let reducer = on(Replace.self) { (slice: inout SliceState<Value>, action) in slice.value = action.value }
    _ = store.exchange(Store(reducer: reducer, state: SliceState(value: value)))
  }
}

extension StoreProxy {
  /// Returns a part of the state that many observers can share.
  ///
  /// While the part does not change, all observers together cost no more than one observer.
  ///
  /// - Parameter slice: A key path, such as `\.settings`, or a closure that returns the part.
  ///   The closure runs after each action, so it must be quick.
  @inlinable
  public func sharedSlice<Slice: Equatable & Sendable>(
    of slice: @escaping @Sendable (State) -> Slice
  ) -> SharedSlice<Slice> {
    SharedSlice(of: self, slice: slice, by: ==)
  }

  /// Returns a part of the state that many observers can share, with a closure that compares
  /// the part's values.
  ///
  /// While `areEqual` finds no change, all observers together cost no more than one observer.
  ///
  /// - Parameters:
  ///   - slice: A key path, such as `\.settings`, or a closure that returns the part. The
  ///     closure runs after each action, so it must be quick.
  ///   - areEqual: A closure that returns whether two values of the part are equal. The closure
  ///     runs outside the store's lock.
  @inlinable
  public func sharedSlice<Slice: Sendable>(
    of slice: @escaping @Sendable (State) -> Slice, by areEqual: @escaping @Sendable (Slice, Slice) -> Bool
  ) -> SharedSlice<Slice> {
    SharedSlice(of: self, slice: slice, by: areEqual)
  }
}

extension Store {
  /// Returns a part of the state that many observers can share.
  ///
  /// While the part does not change, all observers together cost no more than one observer.
  ///
  /// - Parameter slice: A key path, such as `\.settings`, or a closure that returns the part.
  ///   The closure runs after each action, so it must be quick.
  @inlinable
  public func sharedSlice<Slice: Equatable & Sendable>(
    of slice: @escaping @Sendable (State) -> Slice
  ) -> SharedSlice<Slice> {
    proxy.sharedSlice(of: slice)
  }

  /// Returns a part of the state that many observers can share, with a closure that compares
  /// the part's values.
  ///
  /// While `areEqual` finds no change, all observers together cost no more than one observer.
  ///
  /// - Parameters:
  ///   - slice: A key path, such as `\.settings`, or a closure that returns the part. The
  ///     closure runs after each action, so it must be quick.
  ///   - areEqual: A closure that returns whether two values of the part are equal. The closure
  ///     runs outside the store's lock.
  @inlinable
  public func sharedSlice<Slice: Sendable>(
    of slice: @escaping @Sendable (State) -> Slice, by areEqual: @escaping @Sendable (Slice, Slice) -> Bool
  ) -> SharedSlice<Slice> {
    proxy.sharedSlice(of: slice, by: areEqual)
  }
}
