public import FluxCore

// The properties and methods that return a state as a stream.

extension StateSource {
  /// An asynchronous sequence of the state: the current state first, then newer states.
  ///
  /// Each action produces a value, even an action that changes nothing. Several nested actions,
  /// concurrent actions, or actions in a batch can produce a single value. To omit equal values,
  /// use ``StateStream/removingDuplicates()``. The sequence does not keep the store alive, and
  /// ends when the store is released.
  public var states: StateStream<State> {
    let source = unowning
    return StateStream { receive in source.subscribe(receive) }
  }

  /// Returns an asynchronous sequence of a part of the state: the current value first, then a
  /// value for each change.
  ///
  /// A value that is equal to the last value that the consumer received is skipped, and does not
  /// resume the consumer. The sequence does not keep the store alive, and ends when the store is
  /// released.
  ///
  /// - Parameter slice: A key path, such as `\.movies`, or a closure that returns the part of
  ///   the state. The closure runs after each action, so it should be quick.
  public func values<Slice: Equatable & Sendable>(
    of slice: @escaping @Sendable (State) -> Slice
  ) -> StateStream<Slice> {
    values(of: slice, by: ==)
  }

  /// Returns an asynchronous sequence of a part of the state, using a comparison to detect
  /// changes.
  ///
  /// The first value is the current value. A value that the comparison considers equal to the
  /// last value that the consumer received is skipped, and does not resume the consumer. The
  /// sequence does not keep the store alive, and ends when the store is released.
  ///
  /// - Parameters:
  ///   - slice: A key path, such as `\.movies`, or a closure that returns the part of the state.
  ///     The closure runs after each action, so it should be quick.
  ///   - areEqual: A closure that returns whether two values count as equal. The closure must be
  ///     an equivalence relation, as `==` is. The closure runs outside any lock, on the thread
  ///     that delivers a value and in the task of the consumer.
  public func values<Slice: Sendable>(
    of slice: @escaping @Sendable (State) -> Slice,
    by areEqual: @escaping @Sendable (_ old: Slice, _ new: Slice) -> Bool
  ) -> StateStream<Slice> {
    let source = unowning
    return StateStream(by: areEqual) { receive in
      source.subscribe { state in receive(slice(state)) }
    }
  }

  /// Returns an asynchronous sequence of the value at a key path: the current value first, then
  /// a value for each change.
  ///
  /// Use this method for a key path that is stored in a variable. For a key path literal, the
  /// compiler selects the overload with a closure, which is faster.
  ///
  /// - Parameter path: The key path of the part of the state.
  @_disfavoredOverload
  public func values<Slice: Equatable & Sendable>(
    of path: any KeyPath<State, Slice> & Sendable
  ) -> StateStream<Slice> {
    values(of: { state in state[keyPath: path] }, by: ==)
  }

  /// A source of the store's states that does not keep the store alive.
  private var unowning: any StateSource<State> {
    if let owner = self as? any OwningSource<State> { return owner.proxy }
    return self
  }
}

/// A source that keeps its store alive, and has a proxy that does not keep the store alive.
private protocol OwningSource<State>: StateSource {
  var proxy: StoreProxy<State> { get }
}

extension Store: OwningSource {}
