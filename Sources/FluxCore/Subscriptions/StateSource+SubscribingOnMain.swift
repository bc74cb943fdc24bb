// Methods that subscribe a closure, which is then called on the main actor.
//
// The methods in this file are called on the main actor. Unless `initial` is `false`, each method
// immediately calls the closure for the first time. Later calls go through a mailbox that keeps
// only the newest value, so they can be made after `dispatch` has returned. The values that the
// closure captures do not have to be `Sendable`. After `cancel()` is called on the main actor,
// the closure is not called again.

extension StateSource {
  /// Calls a closure on the main actor with the current state, and again with newer states.
  ///
  /// - Parameters:
  ///   - initial: A Boolean value that indicates whether the closure is called with the current
  ///     state before this method returns.
  ///   - receive: A closure that receives the newest state on the main actor.
  /// - Returns: A token that keeps the subscription alive.
  @inlinable @_disfavoredOverload @MainActor
  public func subscribe(
    initial: Bool = true, onMain receive: @escaping @MainActor (State) -> Void
  ) -> SubscriptionToken {
    _subscribeOnMain(_MainStateObserver { _ in .init(first: initial ? receive : nil, receive: receive) })
  }

  /// Calls a closure on the main actor with a part of the state, and again with the new value
  /// whenever the part has changed.
  ///
  /// - Parameters:
  ///   - slice: A key path, such as `\.movies`, or a closure that returns the part. The closure
  ///     runs on the main actor.
  ///   - initial: A Boolean value that indicates whether the closure is called with the current
  ///     value before this method returns.
  ///   - receive: A closure that is called on the main actor when the part differs from its
  ///     value in the previous call.
  /// - Returns: A token that keeps the subscription alive.
  @inlinable @_disfavoredOverload @MainActor
  public func subscribe<Slice: Equatable & Sendable>(
    to slice: @escaping @Sendable (State) -> Slice, initial: Bool = true,
    onMain receive: @escaping @MainActor (Slice) -> Void
  ) -> SubscriptionToken {
    subscribe(to: slice, by: ==, initial: initial, onMain: receive)
  }

  /// Calls a closure on the main actor with a part of the state, and again with the new value
  /// whenever a comparison finds a change.
  ///
  /// - Parameters:
  ///   - slice: A key path, such as `\.movies`, or a closure that returns the part. The closure
  ///     runs on the main actor.
  ///   - areEqual: A closure that returns whether two values of the part are equal.
  ///   - initial: A Boolean value that indicates whether the closure is called with the current
  ///     value before this method returns.
  ///   - receive: A closure that is called on the main actor when the part differs from its
  ///     value in the previous call.
  /// - Returns: A token that keeps the subscription alive.
  @inlinable @_disfavoredOverload @MainActor
  public func subscribe<Slice: Sendable>(
    to slice: @escaping @Sendable (State) -> Slice, by areEqual: @escaping @Sendable (Slice, Slice) -> Bool,
    initial: Bool = true, onMain receive: @escaping @MainActor (Slice) -> Void
  ) -> SubscriptionToken {
    _subscribeOnMain(.changes(of: slice, by: areEqual, initial: initial) { new in receive(new) })
  }

  /// Calls a closure on the main actor with an owner and the state, and again with newer
  /// states, while the owner is alive.
  ///
  /// The owner does not have to be `Sendable`, and the subscription does not keep the owner
  /// alive. The subscription ends when ``unsubscribe(owner:)`` is called with the owner, or at
  /// the first delivery after the owner is released.
  ///
  /// - Parameters:
  ///   - owner: The object that the subscription belongs to.
  ///   - initial: A Boolean value that indicates whether the closure is called with the current
  ///     state before this method returns.
  ///   - receive: A closure that receives the owner and the newest state on the main actor.
  @inlinable @_disfavoredOverload @MainActor
  public func subscribe<Owner: AnyObject>(
    owner: Owner, initial: Bool = true, onMain receive: @escaping @MainActor (Owner, State) -> Void
  ) {
    subscribe(owner: owner, to: { $0 }, by: { _, _ in false }, initial: initial, onMain: receive)
  }

  /// Calls a closure on the main actor with an owner and a part of the state whenever the part
  /// has changed, while the owner is alive.
  ///
  /// The owner does not have to be `Sendable`, and the subscription does not keep the owner
  /// alive. The subscription ends when ``unsubscribe(owner:)`` is called with the owner, or at
  /// the first delivery after the owner is released.
  ///
  /// - Parameters:
  ///   - owner: The object that the subscription belongs to.
  ///   - slice: A key path, such as `\.movies`, or a closure that returns the part. The closure
  ///     runs on the main actor.
  ///   - initial: A Boolean value that indicates whether the closure is called with the current
  ///     value before this method returns.
  ///   - receive: A closure that receives the owner and the part on the main actor.
  @inlinable @_disfavoredOverload @MainActor
  public func subscribe<Owner: AnyObject, Slice: Equatable & Sendable>(
    owner: Owner, to slice: @escaping @Sendable (State) -> Slice, initial: Bool = true,
    onMain receive: @escaping @MainActor (Owner, Slice) -> Void
  ) {
    subscribe(owner: owner, to: slice, by: ==, initial: initial, onMain: receive)
  }

  /// Calls a closure on the main actor with an owner and a part of the state whenever a
  /// comparison finds a change, while the owner is alive.
  ///
  /// The owner does not have to be `Sendable`, and the subscription does not keep the owner
  /// alive. The subscription ends when ``unsubscribe(owner:)`` is called with the owner, or at
  /// the first delivery after the owner is released.
  ///
  /// - Parameters:
  ///   - owner: The object that the subscription belongs to.
  ///   - slice: A key path, such as `\.movies`, or a closure that returns the part. The closure
  ///     runs on the main actor.
  ///   - areEqual: A closure that returns whether two values of the part are equal.
  ///   - initial: A Boolean value that indicates whether the closure is called with the current
  ///     value before this method returns.
  ///   - receive: A closure that receives the owner and the part on the main actor.
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
  /// Delivers pending states on the main actor immediately.
  ///
  /// A dispatch through a main-actor-isolated interface calls this method so that observers on
  /// the main actor receive the state before the dispatch returns. Inside an observer on the main
  /// actor, the method does nothing, because the running delivery delivers the pending states.
  /// While a batch is open, the method does nothing, because the pending states are delivered
  /// after the batch.
  @MainActor
  package func deliverOnMain() {
    core.deliverOnMain()
  }

  /// A function that subscribes a main-actor closure to newer states, and that any thread can
  /// call.
  ///
  /// Neither the function nor the subscription keeps the store alive.
  package var observeLaterOnMain:
    @Sendable (_ receive: @escaping @MainActor @Sendable (State) -> Void) -> SubscriptionToken
  {
    core.observeLaterOnMain
  }
}

extension _MainStateObserver {
  /// Creates a main-actor observer of changes to a part of the state.
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
          // The closure makes this check before it computes the part, because the part may never
          // change again.
          if let isWanted, !isWanted() { return cancel() }
          let new = slice(state)
          if let last, areEqual(last, new) { return }
          last = new
          receive(new)
        })
    }
  }
}
