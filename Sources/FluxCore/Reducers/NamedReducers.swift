// Reducers that are passed by name, by code in Swift 5 mode.
//
// To that mode a function that is declared without `@Sendable` is not `Sendable`, and it would warn wherever a name stands.
// Each function here is the twin of one that stands with its concept, and is chosen only where that one would warn: a
// parameter with a default makes it the second choice. Swift 6 mode has none of them, so that what could be a data race is
// refused there; `@preconcurrency` on the first choice would make the refusal a warning.

extension Store {
  /// Creates a store with a reducer that returns the next state.
  @available(swift, obsoleted: 6) @inlinable @preconcurrency
  public convenience init(
    reducer: @escaping Reducer<State>, middleware: [Middleware<State>]? = nil,
    plugins: [Plugin<State>] = [], state: State, _: Void = ()
  ) {
    self.init(
      reducer: { state, action in state = reducer(state, action) },
      middleware: middleware, plugins: plugins, state: state)
  }

  /// Creates a store with a reducer that changes the state in place.
  @available(swift, obsoleted: 6) @inlinable @preconcurrency
  public convenience init(
    reducer: @escaping MutatingReducer<State>, middleware: [Middleware<State>]? = nil,
    plugins: [Plugin<State>] = [], state: State, _: Void = ()
  ) {
    self.init(
      reducer: { state, action in reducer(&state, action) },
      middleware: middleware, plugins: plugins, state: state)
  }

  /// Replaces the reducer.
  @available(swift, obsoleted: 6) @inlinable @preconcurrency
  public func replaceReducer(_ reducer: @escaping Reducer<State>, _: Void = ()) {
    core.replaceReducer { state, action in state = reducer(state, action) }
  }

  /// Replaces the reducer by one that changes the state in place.
  @available(swift, obsoleted: 6) @inlinable @preconcurrency
  public func replaceReducer(_ reducer: @escaping MutatingReducer<State>, _: Void = ()) {
    core.replaceReducer(reducer)
  }
}

/// Combines reducers into one that runs them in order, each on the state that the one before left.
@available(swift, obsoleted: 6) @inlinable @preconcurrency
public func combine<State>(_ reducers: Reducer<State>..., and _: Void = ()) -> Reducer<State> {
  { state, action in reducers.reduce(state) { state, reducer in reducer(state, action) } }
}

/// Combines in-place reducers into one that runs them in order.
@available(swift, obsoleted: 6) @inlinable @preconcurrency
public func combine<State>(_ reducers: MutatingReducer<State>..., and _: Void = ()) -> MutatingReducer<State>
{
  { state, action in
    for reducer in reducers { reducer(&state, action) }
  }
}
