// The ways to subscribe on the thread that delivers.
//
// Common to all of them: the closure is called outside the store's lock, one call at a time, with strictly newer
// states. Unless `initial` is false, the first call is made before `subscribe` returns. Dropping the token
// cancels. Subscribing is amortised O(1), cancelling O(log n) for n observers.
//
// A closure that captures the store keeps it alive for as long as the subscription lasts: capture `store.proxy`, which
// does not, or the store weakly.

extension StateSource {
  // MARK: - The whole state

  /// Calls a closure with the state now, and with every newer one.
  ///
  /// - Parameters:
  ///   - initial: Whether to begin with the state as it is now.
  ///   - receive: Is called after each action, or after several when they are nested, concurrent or in a batch.
  /// - Returns: The token that keeps the subscription.
  @inlinable
  public func subscribe(
    initial: Bool = true, _ receive: @escaping @Sendable (State) -> Void
  ) -> SubscriptionToken {
    _subscribe(_StateObserver { _ in .init(first: initial ? receive : nil, receive: receive) })
  }

  /// Calls a closure with the state before and the state now, each time that there is a newer one.
  ///
  /// - Parameters:
  ///   - initial: Whether to begin with the state as it is now, with `nil` for the one before.
  ///   - receive: Is called with the state of its last call and the newest one.
  /// - Returns: The token that keeps the subscription.
  @inlinable
  public func subscribe(
    initial: Bool = true, _ receive: @escaping @Sendable (_ old: State?, _ new: State) -> Void
  ) -> SubscriptionToken {
    _subscribe(
      .changes(of: { $0 }, by: { _, _ in false }, initial: initial) { old, new in receive(old, new) })
  }

  // MARK: - A slice

  /// Calls a closure with a slice of the state now, and each time that it has changed.
  ///
  /// - Parameters:
  ///   - slice: A key path, as `\.movies`, or a closure. It runs after each action, so it should be quick.
  ///   - initial: Whether to begin with the slice as it is now.
  ///   - receive: Is called when the slice differs from that of the last call.
  /// - Returns: The token that keeps the subscription.
  @inlinable
  public func subscribe<Slice: Equatable & Sendable>(
    to slice: @escaping @Sendable (State) -> Slice, initial: Bool = true,
    _ receive: @escaping @Sendable (Slice) -> Void
  ) -> SubscriptionToken {
    subscribe(to: slice, by: ==, initial: initial, receive)
  }

  /// Calls a closure with the old and the new value of a slice of the state, each time that it has changed.
  ///
  /// - Parameters:
  ///   - slice: A key path, as `\.movies`, or a closure. It runs after each action, so it should be quick.
  ///   - initial: Whether to begin with the slice as it is now, with `nil` for the old value.
  ///   - receive: Is called when the slice differs from that of the last call.
  /// - Returns: The token that keeps the subscription.
  @inlinable
  public func subscribe<Slice: Equatable & Sendable>(
    to slice: @escaping @Sendable (State) -> Slice, initial: Bool = true,
    _ receive: @escaping @Sendable (_ old: Slice?, _ new: Slice) -> Void
  ) -> SubscriptionToken {
    subscribe(to: slice, by: ==, initial: initial, receive)
  }

  /// Calls a closure with a slice of the state now, and each time that a comparison says it has changed.
  ///
  /// - Parameters:
  ///   - slice: A key path, as `\.movies`, or a closure. It runs after each action, so it should be quick.
  ///   - areEqual: Whether two values of the slice count as equal. It runs outside the store's lock.
  ///   - initial: Whether to begin with the slice as it is now.
  ///   - receive: Is called when the slice differs from that of the last call.
  /// - Returns: The token that keeps the subscription.
  @inlinable
  public func subscribe<Slice: Sendable>(
    to slice: @escaping @Sendable (State) -> Slice, by areEqual: @escaping @Sendable (Slice, Slice) -> Bool,
    initial: Bool = true, _ receive: @escaping @Sendable (Slice) -> Void
  ) -> SubscriptionToken {
    _subscribe(.changes(of: slice, by: areEqual, initial: initial) { _, new in receive(new) })
  }

  /// Calls a closure with the old and the new value of a slice, each time that a comparison says it has changed.
  ///
  /// - Parameters:
  ///   - slice: A key path, as `\.movies`, or a closure. It runs after each action, so it should be quick.
  ///   - areEqual: Whether two values of the slice count as equal. It runs outside the store's lock.
  ///   - initial: Whether to begin with the slice as it is now, with `nil` for the old value.
  ///   - receive: Is called when the slice differs from that of the last call.
  /// - Returns: The token that keeps the subscription.
  @inlinable
  public func subscribe<Slice: Sendable>(
    to slice: @escaping @Sendable (State) -> Slice, by areEqual: @escaping @Sendable (Slice, Slice) -> Bool,
    initial: Bool = true, _ receive: @escaping @Sendable (_ old: Slice?, _ new: Slice) -> Void
  ) -> SubscriptionToken {
    _subscribe(.changes(of: slice, by: areEqual, initial: initial) { old, new in receive(old, new) })
  }

  /// Calls a closure with the value at a key path now, and each time that it has changed.
  ///
  /// For a key path that is kept in a variable; a literal goes the quicker way of a closure.
  ///
  /// - Parameters:
  ///   - path: The key path of the slice.
  ///   - initial: Whether to begin with the slice as it is now.
  ///   - receive: Is called when the slice differs from that of the last call.
  /// - Returns: The token that keeps the subscription.
  @inlinable @_disfavoredOverload
  public func subscribe<Slice: Equatable & Sendable>(
    to path: any KeyPath<State, Slice> & Sendable, initial: Bool = true,
    _ receive: @escaping @Sendable (Slice) -> Void
  ) -> SubscriptionToken {
    subscribe(to: { state in state[keyPath: path] }, by: ==, initial: initial, receive)
  }

  // MARK: - Once

  /// Calls a closure once, with the first state that matches, and ends by itself.
  ///
  /// - Parameters:
  ///   - matches: Whether a state is the one. The state as it is now is asked first.
  ///   - receive: Is called with the first state that matches; at once, if that is the state now.
  /// - Returns: The token that keeps the subscription until then.
  @inlinable
  public func subscribe(
    first matches: @escaping @Sendable (State) -> Bool, _ receive: @escaping @Sendable (State) -> Void
  ) -> SubscriptionToken {
    subscribe(to: { $0 }, first: matches, receive)
  }

  /// Calls a closure once, with the first value of a slice that matches, and ends by itself.
  ///
  /// - Parameters:
  ///   - slice: A key path, as `\.movies`, or a closure.
  ///   - matches: Whether a value of the slice is the one. The slice as it is now is asked first.
  ///   - receive: Is called with the first value that matches; at once, if that is the slice now.
  /// - Returns: The token that keeps the subscription until then.
  @inlinable
  public func subscribe<Slice: Sendable>(
    to slice: @escaping @Sendable (State) -> Slice, first matches: @escaping @Sendable (Slice) -> Bool,
    _ receive: @escaping @Sendable (Slice) -> Void
  ) -> SubscriptionToken {
    _subscribe(
      _StateObserver { cancel in
        let look: @Sendable (State) -> Void = { state in
          let value = slice(state)
          guard matches(value) else { return }
          cancel()
          receive(value)
        }
        return .init(first: look, receive: look)
      })
  }

  // MARK: - For an owner

  /// Calls a closure with an owner and the state now, and every newer one, for as long as the owner lives.
  ///
  /// The subscription does not keep the owner alive. It ends when ``unsubscribe(owner:)`` is
  /// called with the owner, or with the first delivery after the owner was released.
  ///
  /// - Parameters:
  ///   - owner: Whose subscription it is.
  ///   - initial: Whether to begin with the state as it is now.
  ///   - receive: Is called with the owner and the state.
  @inlinable
  public func subscribe<Owner: AnyObject & Sendable>(
    owner: Owner, initial: Bool = true, _ receive: @escaping @Sendable (Owner, State) -> Void
  ) {
    subscribe(owner: owner, to: { $0 }, by: { _, _ in false }, initial: initial, receive)
  }

  /// Calls a closure with an owner and a slice of the state, each time that it has changed, for as long as the
  /// owner lives.
  ///
  /// The subscription does not keep the owner alive. It ends when ``unsubscribe(owner:)`` is
  /// called with the owner, or with the first delivery after the owner was released.
  ///
  /// - Parameters:
  ///   - owner: Whose subscription it is.
  ///   - slice: A key path, as `\.movies`, or a closure.
  ///   - initial: Whether to begin with the slice as it is now.
  ///   - receive: Is called with the owner and the slice.
  @inlinable
  public func subscribe<Owner: AnyObject & Sendable, Slice: Equatable & Sendable>(
    owner: Owner, to slice: @escaping @Sendable (State) -> Slice, initial: Bool = true,
    _ receive: @escaping @Sendable (Owner, Slice) -> Void
  ) {
    subscribe(owner: owner, to: slice, by: ==, initial: initial, receive)
  }

  /// Calls a closure with an owner and a slice of the state, each time that a comparison says it has changed, for
  /// as long as the owner lives.
  ///
  /// The subscription does not keep the owner alive. It ends when ``unsubscribe(owner:)`` is
  /// called with the owner, or with the first delivery after the owner was released.
  ///
  /// - Parameters:
  ///   - owner: Whose subscription it is.
  ///   - slice: A key path, as `\.movies`, or a closure.
  ///   - areEqual: Whether two values of the slice count as equal.
  ///   - initial: Whether to begin with the slice as it is now.
  ///   - receive: Is called with the owner and the slice.
  @inlinable
  public func subscribe<Owner: AnyObject & Sendable, Slice: Sendable>(
    owner: Owner, to slice: @escaping @Sendable (State) -> Slice,
    by areEqual: @escaping @Sendable (Slice, Slice) -> Bool, initial: Bool = true,
    _ receive: @escaping @Sendable (Owner, Slice) -> Void
  ) {
    subscribe(
      .changes(of: slice, by: areEqual, initial: initial, while: { [weak owner] in owner != nil }) {
        [weak owner] _, new in
        if let owner { receive(owner, new) }
      }, for: owner)
  }
}

extension _StateObserver {
  /// An observer of the changes of a slice.
  @inlinable
  static func changes<Slice: Sendable>(
    of slice: @escaping @Sendable (State) -> Slice, by areEqual: @escaping @Sendable (Slice, Slice) -> Bool,
    initial: Bool, while isWanted: (@Sendable () -> Bool)? = nil,
    _ receive: @escaping @Sendable (_ old: Slice?, _ new: Slice) -> Void
  ) -> _StateObserver {
    _StateObserver { cancel in
      let last = LastValue<Slice>()
      return Calls(
        first: { state in
          let new = slice(state)
          last.replace(by: new)
          if initial { receive(nil, new) }
        },
        receive: { state in
          // Asked before the slice is: it may never change again.
          if let isWanted, !isWanted() { return cancel() }
          let new = slice(state)
          let old = last.value
          if let old, areEqual(old, new) { return }
          last.replace(by: new)
          receive(old, new)
        })
    }
  }
}
