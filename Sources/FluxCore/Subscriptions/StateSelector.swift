import Synchronization

/// A value derived from a state, which is recomputed only when one of its inputs has changed.
///
/// ```swift
/// let visible = StateSelector(\AppState.movies, \.filter) { movies, filter in
///   movies.filter(filter.matches)
/// }
/// let titles = StateSelector(visible.select) { movies in movies.map(\.title) }
///
/// visible(store.state)
/// let token = store.subscribe(to: titles.select) { titles in show(titles) }
/// ```
///
/// A selector keeps only the most recent inputs and the most recent value, like the selectors of
/// Reselect. Share a selector only among code that uses the same state. The inputs that the
/// selector keeps share storage with the state. Therefore, if an input is a collection, the next
/// in-place change of the collection copies the collection.
///
/// A selector is safe to use from any thread. Comparisons and the computation run outside any
/// lock. If several threads use the selector with a new input at the same time, each thread can
/// compute the value.
public final class StateSelector<State, Value: Sendable>: Sendable {
  private let derive: @Sendable (State) -> (value: Value, isNew: Bool)
  private let count = Atomic<Int>(0)

  /// Creates a selector from the values at key paths and a computation.
  ///
  /// - Parameters:
  ///   - path: The key paths of the inputs.
  ///   - compute: A closure that returns the value for the inputs.
  public convenience init<each Input: Equatable & Sendable>(
    _ path: repeat any KeyPath<State, each Input> & Sendable,
    compute: @escaping @Sendable (repeat each Input) -> Value
  ) {
    self.init(inputs: { state in (repeat state[keyPath: each path]) }, compute: compute)
  }

  /// Creates a selector from one input and a computation.
  ///
  /// - Parameters:
  ///   - first: A key path, a closure, or the ``select`` of another selector. The input function
  ///     runs for each call of the selector.
  ///   - compute: A closure that returns the value for the input.
  public convenience init<First: Equatable & Sendable>(
    _ first: @escaping @Sendable (State) -> First,
    compute: @escaping @Sendable (First) -> Value
  ) {
    self.init(inputs: { state in (first(state)) }, compute: compute)
  }

  /// Creates a selector from two inputs and a computation.
  ///
  /// - Parameters:
  ///   - first: A key path, a closure, or the ``select`` of another selector. The input function
  ///     runs for each call of the selector.
  ///   - second: A key path, a closure, or the ``select`` of another selector. The input
  ///     function runs for each call of the selector.
  ///   - compute: A closure that returns the value for the inputs.
  public convenience init<First: Equatable & Sendable, Second: Equatable & Sendable>(
    _ first: @escaping @Sendable (State) -> First,
    _ second: @escaping @Sendable (State) -> Second,
    compute: @escaping @Sendable (First, Second) -> Value
  ) {
    self.init(inputs: { state in (first(state), second(state)) }, compute: compute)
  }

  /// Creates a selector from three inputs and a computation.
  ///
  /// - Parameters:
  ///   - first: A key path, a closure, or the ``select`` of another selector. The input function
  ///     runs for each call of the selector.
  ///   - second: A key path, a closure, or the ``select`` of another selector. The input
  ///     function runs for each call of the selector.
  ///   - third: A key path, a closure, or the ``select`` of another selector. The input function
  ///     runs for each call of the selector.
  ///   - compute: A closure that returns the value for the inputs.
  public convenience init<
    First: Equatable & Sendable, Second: Equatable & Sendable, Third: Equatable & Sendable
  >(
    _ first: @escaping @Sendable (State) -> First,
    _ second: @escaping @Sendable (State) -> Second,
    _ third: @escaping @Sendable (State) -> Third,
    compute: @escaping @Sendable (First, Second, Third) -> Value
  ) {
    self.init(inputs: { state in (first(state), second(state), third(state)) }, compute: compute)
  }

  private init<each Input: Equatable & Sendable>(
    inputs: @escaping @Sendable (State) -> (repeat each Input),
    compute: @escaping @Sendable (repeat each Input) -> Value
  ) {
    let memory = Locked<Memo<repeat each Input, Value>?>(nil)
    derive = { state in
      let inputs = inputs(state)
      if let memo = memory.withLock({ $0 }), memo.isFor(repeat each inputs) {
        return (memo.value, isNew: false)
      }
      let value = compute(repeat each inputs)
      _ = memory.exchange(Memo(inputs: (repeat each inputs), value: value))
      return (value, isNew: true)
    }
  }

  /// The number of times that the value has been computed.
  public var recomputations: Int { count.load(ordering: .relaxed) }

  /// Returns the value for a state.
  ///
  /// If no input has changed, the call takes O(1) time, in addition to the time for computing
  /// and comparing the inputs.
  public func callAsFunction(_ state: State) -> Value {
    let (value, isNew) = derive(state)
    if isNew { count.add(1, ordering: .relaxed) }
    return value
  }

  /// A function that returns the selector's value, for use as an input of another selector or as
  /// a part to subscribe to.
  public var select: @Sendable (State) -> Value {
    { [self] state in self(state) }
  }
}

/// The inputs and the value of the last computation.
private struct Memo<each Input: Equatable & Sendable, Value: Sendable>: Sendable {
  let inputs: (repeat each Input)
  let value: Value

  func isFor(_ other: repeat each Input) -> Bool {
    for (mine, theirs) in repeat (each inputs, each other) {
      guard mine == theirs else { return false }
    }
    return true
  }
}
