// Methods that subscribe a closure, which is then called on the delivering thread.
//
// All methods in this file call the closure outside the store's lock, one call at a time, with
// strictly newer states. Unless `initial` is `false`, the closure is called for the first time
// before `subscribe` returns. When the token is released, the subscription is canceled.
// Subscribing is amortized O(1), and canceling is O(log n) for n observers.
//
// A closure that captures the store keeps the store alive until the subscription ends. To avoid
// keeping the store alive, capture `store.proxy`, or capture the store weakly.

extension StateSource {
  // MARK: - The whole state

  /// Calls a closure with the current state, and again with newer states.
  ///
  /// - Parameters:
  ///   - initial: A Boolean value that indicates whether the closure is called immediately with
  ///     the current state.
  ///   - receive: A closure that receives the state after each action, or after several actions
  ///     that are nested, concurrent, or in a batch.
  /// - Returns: A token that keeps the subscription alive.
  @inlinable
  public func subscribe(
    initial: Bool = true, _ receive: @escaping @Sendable (State) -> Void
  ) -> SubscriptionToken {
    _subscribe(_StateObserver { _ in .init(first: initial ? receive : nil, receive: receive) })
  }

  /// Calls a closure with the previous state and the current state, and again whenever there is
  /// a newer state.
  ///
  /// - Parameters:
  ///   - initial: A Boolean value that indicates whether the closure is called immediately with
  ///     the current state, and with `nil` for the previous state.
  ///   - receive: A closure that receives the state of its previous call and the newest state.
  /// - Returns: A token that keeps the subscription alive.
  @inlinable
  public func subscribe(
    initial: Bool = true, _ receive: @escaping @Sendable (_ old: State?, _ new: State) -> Void
  ) -> SubscriptionToken {
    _subscribe(
      .changes(of: { $0 }, by: { _, _ in false }, initial: initial) { old, new in receive(old, new) })
  }

  // MARK: - A part of the state

  /// Calls a closure with a part of the state, and again with the new value whenever the part
  /// has changed.
  ///
  /// - Parameters:
  ///   - slice: A key path, such as `\.movies`, or a closure that returns the part. The closure
  ///     runs after each action, so it must be quick.
  ///   - initial: A Boolean value that indicates whether the closure is called immediately with
  ///     the current value.
  ///   - receive: A closure that is called when the part differs from its value in the previous
  ///     call.
  /// - Returns: A token that keeps the subscription alive.
  @inlinable
  public func subscribe<Slice: Equatable & Sendable>(
    to slice: @escaping @Sendable (State) -> Slice, initial: Bool = true,
    _ receive: @escaping @Sendable (Slice) -> Void
  ) -> SubscriptionToken {
    subscribe(to: slice, by: ==, initial: initial, receive)
  }

  /// Calls a closure with the old and the new value of a part of the state whenever the part
  /// has changed.
  ///
  /// - Parameters:
  ///   - slice: A key path, such as `\.movies`, or a closure that returns the part. The closure
  ///     runs after each action, so it must be quick.
  ///   - initial: A Boolean value that indicates whether the closure is called immediately with
  ///     the current value, and with `nil` for the old value.
  ///   - receive: A closure that is called when the part differs from its value in the previous
  ///     call.
  /// - Returns: A token that keeps the subscription alive.
  @inlinable
  public func subscribe<Slice: Equatable & Sendable>(
    to slice: @escaping @Sendable (State) -> Slice, initial: Bool = true,
    _ receive: @escaping @Sendable (_ old: Slice?, _ new: Slice) -> Void
  ) -> SubscriptionToken {
    subscribe(to: slice, by: ==, initial: initial, receive)
  }

  /// Calls a closure with a part of the state, and again with the new value whenever a
  /// comparison finds a change.
  ///
  /// - Parameters:
  ///   - slice: A key path, such as `\.movies`, or a closure that returns the part. The closure
  ///     runs after each action, so it must be quick.
  ///   - areEqual: A closure that returns whether two values of the part are equal. The closure
  ///     runs outside the store's lock.
  ///   - initial: A Boolean value that indicates whether the closure is called immediately with
  ///     the current value.
  ///   - receive: A closure that is called when the part differs from its value in the previous
  ///     call.
  /// - Returns: A token that keeps the subscription alive.
  @inlinable
  public func subscribe<Slice: Sendable>(
    to slice: @escaping @Sendable (State) -> Slice, by areEqual: @escaping @Sendable (Slice, Slice) -> Bool,
    initial: Bool = true, _ receive: @escaping @Sendable (Slice) -> Void
  ) -> SubscriptionToken {
    _subscribe(.changes(of: slice, by: areEqual, initial: initial) { _, new in receive(new) })
  }

  /// Calls a closure with the old and the new value of a part of the state whenever a
  /// comparison finds a change.
  ///
  /// - Parameters:
  ///   - slice: A key path, such as `\.movies`, or a closure that returns the part. The closure
  ///     runs after each action, so it must be quick.
  ///   - areEqual: A closure that returns whether two values of the part are equal. The closure
  ///     runs outside the store's lock.
  ///   - initial: A Boolean value that indicates whether the closure is called immediately with
  ///     the current value, and with `nil` for the old value.
  ///   - receive: A closure that is called when the part differs from its value in the previous
  ///     call.
  /// - Returns: A token that keeps the subscription alive.
  @inlinable
  public func subscribe<Slice: Sendable>(
    to slice: @escaping @Sendable (State) -> Slice, by areEqual: @escaping @Sendable (Slice, Slice) -> Bool,
    initial: Bool = true, _ receive: @escaping @Sendable (_ old: Slice?, _ new: Slice) -> Void
  ) -> SubscriptionToken {
    _subscribe(.changes(of: slice, by: areEqual, initial: initial) { old, new in receive(old, new) })
  }

  /// Calls a closure with the value at a key path, and again with the new value whenever the
  /// value has changed.
  ///
  /// This overload accepts a key path that is stored in a variable. For a key path literal, the
  /// compiler selects the faster overload that has a closure parameter.
  ///
  /// - Parameters:
  ///   - path: The key path of the part.
  ///   - initial: A Boolean value that indicates whether the closure is called immediately with
  ///     the current value.
  ///   - receive: A closure that is called when the part differs from its value in the previous
  ///     call.
  /// - Returns: A token that keeps the subscription alive.
  @inlinable @_disfavoredOverload
  public func subscribe<Slice: Equatable & Sendable>(
    to path: any KeyPath<State, Slice> & Sendable, initial: Bool = true,
    _ receive: @escaping @Sendable (Slice) -> Void
  ) -> SubscriptionToken {
    subscribe(to: { state in state[keyPath: path] }, by: ==, initial: initial, receive)
  }

  // MARK: - The first match

  /// Calls a closure once with the first matching state, and then ends the subscription.
  ///
  /// - Parameters:
  ///   - matches: A closure that returns whether a state matches. The closure receives the
  ///     current state first.
  ///   - receive: A closure that receives the first matching state. If the current state
  ///     matches, the closure is called immediately.
  /// - Returns: A token that keeps the subscription alive until the closure is called.
  @inlinable
  public func subscribe(
    first matches: @escaping @Sendable (State) -> Bool, _ receive: @escaping @Sendable (State) -> Void
  ) -> SubscriptionToken {
    subscribe(to: { $0 }, first: matches, receive)
  }

  /// Calls a closure once with the first matching value of a part of the state, and then ends
  /// the subscription.
  ///
  /// - Parameters:
  ///   - slice: A key path, such as `\.movies`, or a closure that returns the part.
  ///   - matches: A closure that returns whether a value of the part matches. The closure
  ///     receives the current value first.
  ///   - receive: A closure that receives the first matching value. If the current value
  ///     matches, the closure is called immediately.
  /// - Returns: A token that keeps the subscription alive until the closure is called.
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

  /// Calls a closure with an owner and the state, and again with newer states, while the owner
  /// is alive.
  ///
  /// The subscription does not keep the owner alive. The subscription ends when
  /// ``unsubscribe(owner:)`` is called with the owner, or at the first delivery after the owner
  /// is released.
  ///
  /// - Parameters:
  ///   - owner: The object that the subscription belongs to.
  ///   - initial: A Boolean value that indicates whether the closure is called immediately with
  ///     the current state.
  ///   - receive: A closure that receives the owner and the state.
  @inlinable
  public func subscribe<Owner: AnyObject & Sendable>(
    owner: Owner, initial: Bool = true, _ receive: @escaping @Sendable (Owner, State) -> Void
  ) {
    subscribe(owner: owner, to: { $0 }, by: { _, _ in false }, initial: initial, receive)
  }

  /// Calls a closure with an owner and a part of the state whenever the part has changed, while
  /// the owner is alive.
  ///
  /// The subscription does not keep the owner alive. The subscription ends when
  /// ``unsubscribe(owner:)`` is called with the owner, or at the first delivery after the owner
  /// is released.
  ///
  /// - Parameters:
  ///   - owner: The object that the subscription belongs to.
  ///   - slice: A key path, such as `\.movies`, or a closure that returns the part.
  ///   - initial: A Boolean value that indicates whether the closure is called immediately with
  ///     the current value.
  ///   - receive: A closure that receives the owner and the part.
  @inlinable
  public func subscribe<Owner: AnyObject & Sendable, Slice: Equatable & Sendable>(
    owner: Owner, to slice: @escaping @Sendable (State) -> Slice, initial: Bool = true,
    _ receive: @escaping @Sendable (Owner, Slice) -> Void
  ) {
    subscribe(owner: owner, to: slice, by: ==, initial: initial, receive)
  }

  /// Calls a closure with an owner and a part of the state whenever a comparison finds a
  /// change, while the owner is alive.
  ///
  /// The subscription does not keep the owner alive. The subscription ends when
  /// ``unsubscribe(owner:)`` is called with the owner, or at the first delivery after the owner
  /// is released.
  ///
  /// - Parameters:
  ///   - owner: The object that the subscription belongs to.
  ///   - slice: A key path, such as `\.movies`, or a closure that returns the part.
  ///   - areEqual: A closure that returns whether two values of the part are equal.
  ///   - initial: A Boolean value that indicates whether the closure is called immediately with
  ///     the current value.
  ///   - receive: A closure that receives the owner and the part.
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
  /// Creates an observer of changes to a part of the state.
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
          // The closure makes this check before it computes the part, because the part may never
          // change again.
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
