public import FluxCore

// The ways to have a state as a stream.

extension StateSource {
  /// The state now, and newer ones, as an asynchronous sequence.
  ///
  /// There is a value for each action, also for one that changes nothing, or for several when they are nested,
  /// concurrent or in a batch; ``StateStream/removingDuplicates()`` leaves out what is equal. The sequence does not keep
  /// the store alive, and ends with it.
  public var states: StateStream<State> {
    let source = unowning
    return StateStream { receive in source.subscribe(receive) }
  }

  /// A slice of the state now, and each time that it has changed, as an asynchronous sequence.
  ///
  /// The consumer gets no value that is equal to the last one it was given, and is not woken for one. The sequence does
  /// not keep the store alive, and ends with it.
  ///
  /// - Parameter slice: A key path, as `\.movies`, or a closure. It runs after each action, so it should be quick.
  public func values<Slice: Equatable & Sendable>(
    of slice: @escaping @Sendable (State) -> Slice
  ) -> StateStream<Slice> {
    values(of: slice, by: ==)
  }

  /// A slice of the state now, and each time that a comparison says it has changed, as an asynchronous sequence.
  ///
  /// The consumer gets no value that counts as equal to the last one it was given, and is not woken for one. The sequence
  /// does not keep the store alive, and ends with it.
  ///
  /// - Parameters:
  ///   - slice: A key path, as `\.movies`, or a closure. It runs after each action, so it should be quick.
  ///   - areEqual: Whether two values of the slice count as equal. It has to be an equivalence, as `==` is. It runs
  ///     outside any lock, on the thread that delivers and in the consumer.
  public func values<Slice: Sendable>(
    of slice: @escaping @Sendable (State) -> Slice,
    by areEqual: @escaping @Sendable (_ old: Slice, _ new: Slice) -> Bool
  ) -> StateStream<Slice> {
    let source = unowning
    return StateStream(by: areEqual) { receive in
      source.subscribe { state in receive(slice(state)) }
    }
  }

  /// The value at a key path now, and each time that it has changed, as an asynchronous sequence.
  ///
  /// For a key path that is kept in a variable; a literal goes the quicker way of a closure.
  ///
  /// - Parameter path: The key path of the slice.
  @_disfavoredOverload
  public func values<Slice: Equatable & Sendable>(
    of path: any KeyPath<State, Slice> & Sendable
  ) -> StateStream<Slice> {
    values(of: { state in state[keyPath: path] }, by: ==)
  }

  /// A source of the same states that keeps no store alive.
  private var unowning: any StateSource<State> {
    if let owner = self as? any OwningSource<State> { return owner.proxy }
    return self
  }
}

/// A source that keeps its store alive, and knows one that does not.
private protocol OwningSource<State>: StateSource {
  var proxy: StoreProxy<State> { get }
}

extension Store: OwningSource {}
