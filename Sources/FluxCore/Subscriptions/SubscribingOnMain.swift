// The ways to subscribe on the main actor.
//
// They are made from the main actor, and the first call, unless `initial` is false, is made there and then. Later
// ones go through a mailbox that keeps the newest value only, so they may come after `dispatch` has returned.
// What the closure captures need not be `Sendable`. After `cancel()` on the main actor there is no further call.

extension StateSource {
  /// Calls a closure on the main actor with the state now, and with newer ones.
  ///
  /// - Parameters:
  ///   - initial: Whether to begin with the state as it is now, before this returns.
  ///   - receive: Is called on the main actor with the newest state.
  /// - Returns: The token that keeps the subscription.
  @inlinable @_disfavoredOverload @MainActor
  public func subscribe(
    initial: Bool = true, onMain receive: @escaping @MainActor (State) -> Void
  ) -> SubscriptionToken {
    _subscribeOnMain(_MainStateObserver { _ in .init(first: initial ? receive : nil, receive: receive) })
  }

  /// Calls a closure on the main actor with a slice of the state now, and when it has changed.
  ///
  /// - Parameters:
  ///   - slice: A key path, as `\.movies`, or a closure. It runs on the main actor.
  ///   - initial: Whether to begin with the slice as it is now, before this returns.
  ///   - receive: Is called on the main actor when the slice differs from that of the last call.
  /// - Returns: The token that keeps the subscription.
  @inlinable @_disfavoredOverload @MainActor
  public func subscribe<Slice: Equatable & Sendable>(
    to slice: @escaping @Sendable (State) -> Slice, initial: Bool = true,
    onMain receive: @escaping @MainActor (Slice) -> Void
  ) -> SubscriptionToken {
    subscribe(to: slice, by: ==, initial: initial, onMain: receive)
  }

  /// Calls a closure on the main actor with a slice of the state now, and when a comparison says it has changed.
  ///
  /// - Parameters:
  ///   - slice: A key path, as `\.movies`, or a closure. It runs on the main actor.
  ///   - areEqual: Whether two values of the slice count as equal.
  ///   - initial: Whether to begin with the slice as it is now, before this returns.
  ///   - receive: Is called on the main actor when the slice differs from that of the last call.
  /// - Returns: The token that keeps the subscription.
  @inlinable @_disfavoredOverload @MainActor
  public func subscribe<Slice: Sendable>(
    to slice: @escaping @Sendable (State) -> Slice, by areEqual: @escaping @Sendable (Slice, Slice) -> Bool,
    initial: Bool = true, onMain receive: @escaping @MainActor (Slice) -> Void
  ) -> SubscriptionToken {
    _subscribeOnMain(.changes(of: slice, by: areEqual, initial: initial) { new in receive(new) })
  }

  /// Calls a closure on the main actor with an owner and the state now, and newer ones, for as long as the owner
  /// lives.
  ///
  /// The owner need not be `Sendable`, and the subscription does not keep it alive. The
  /// subscription ends when ``unsubscribe(owner:)`` is called with the owner, or with the first
  /// delivery after the owner was released.
  ///
  /// - Parameters:
  ///   - owner: Whose subscription it is.
  ///   - initial: Whether to begin with the state as it is now, before this returns.
  ///   - receive: Is called on the main actor with the owner and the newest state.
  @inlinable @_disfavoredOverload @MainActor
  public func subscribe<Owner: AnyObject>(
    owner: Owner, initial: Bool = true, onMain receive: @escaping @MainActor (Owner, State) -> Void
  ) {
    subscribe(owner: owner, to: { $0 }, by: { _, _ in false }, initial: initial, onMain: receive)
  }

  /// Calls a closure on the main actor with an owner and a slice of the state, when it has changed, for as long as
  /// the owner lives.
  ///
  /// The owner need not be `Sendable`, and the subscription does not keep it alive. The
  /// subscription ends when ``unsubscribe(owner:)`` is called with the owner, or with the first
  /// delivery after the owner was released.
  ///
  /// - Parameters:
  ///   - owner: Whose subscription it is.
  ///   - slice: A key path, as `\.movies`, or a closure. It runs on the main actor.
  ///   - initial: Whether to begin with the slice as it is now, before this returns.
  ///   - receive: Is called on the main actor with the owner and the slice.
  @inlinable @_disfavoredOverload @MainActor
  public func subscribe<Owner: AnyObject, Slice: Equatable & Sendable>(
    owner: Owner, to slice: @escaping @Sendable (State) -> Slice, initial: Bool = true,
    onMain receive: @escaping @MainActor (Owner, Slice) -> Void
  ) {
    subscribe(owner: owner, to: slice, by: ==, initial: initial, onMain: receive)
  }

  /// Calls a closure on the main actor with an owner and a slice of the state, when a comparison says it has
  /// changed, for as long as the owner lives.
  ///
  /// The owner need not be `Sendable`, and the subscription does not keep it alive. The
  /// subscription ends when ``unsubscribe(owner:)`` is called with the owner, or with the first
  /// delivery after the owner was released.
  ///
  /// - Parameters:
  ///   - owner: Whose subscription it is.
  ///   - slice: A key path, as `\.movies`, or a closure. It runs on the main actor.
  ///   - areEqual: Whether two values of the slice count as equal.
  ///   - initial: Whether to begin with the slice as it is now, before this returns.
  ///   - receive: Is called on the main actor with the owner and the slice.
  @inlinable @_disfavoredOverload @MainActor
  public func subscribe<Owner: AnyObject, Slice: Sendable>(
    owner: Owner, to slice: @escaping @Sendable (State) -> Slice,
    by areEqual: @escaping @Sendable (Slice, Slice) -> Bool, initial: Bool = true,
    onMain receive: @escaping @MainActor (Owner, Slice) -> Void
  ) {
    subscribe(
      .changes(of: slice, by: areEqual, initial: initial, while: { [weak owner] in owner != nil }) {
        [weak owner] new in
        if let owner { receive(owner, new) }
      }, for: owner)
  }
}

extension Store {
  /// Delivers what is due on the main actor now, so that a dispatch made through a face that is isolated to the main
  /// actor is seen there before it returns.
  ///
  /// Inside an observer on the main actor, and while a batch is open, it leaves the rest to who delivers then.
  @MainActor
  package func deliverOnMain() {
    core.deliverOnMain()
  }

  /// A function that any thread may call to have a closure called on the main actor with each
  /// newer state.
  ///
  /// Neither the function nor the subscription keeps the store alive.
  package var observeLaterOnMain:
    @Sendable (_ receive: @escaping @MainActor @Sendable (State) -> Void) -> SubscriptionToken
  {
    core.observeLaterOnMain
  }
}

extension _MainStateObserver {
  /// An observer on the main actor of the changes of a slice.
  @inlinable @MainActor
  static func changes<Slice: Sendable>(
    of slice: @escaping @Sendable (State) -> Slice, by areEqual: @escaping @Sendable (Slice, Slice) -> Bool,
    initial: Bool, while isWanted: (@MainActor () -> Bool)? = nil,
    _ receive: @escaping @MainActor (_ new: Slice) -> Void
  ) -> _MainStateObserver {
    _MainStateObserver { cancel in
      var last: Slice?
      return Calls(
        first: { state in
          let new = slice(state)
          last = new
          if initial { receive(new) }
        },
        receive: { state in
          // Asked before the slice is: it may never change again.
          if let isWanted, !isWanted() { return cancel() }
          let new = slice(state)
          if let last, areEqual(last, new) { return }
          last = new
          receive(new)
        })
    }
  }
}
