// Overloads for code in Swift 5 mode that passes reducers by name.
//
// In Swift 5 mode, a function that is declared without `@Sendable` is not `Sendable`, and the
// compiler would warn at each use of its name. Each function in this file duplicates a function
// in another file. An additional parameter with a default value gives the duplicate a lower
// priority, so the compiler selects the duplicate only if the original would cause a warning. In
// Swift 6 mode, these overloads are not available, and the compiler rejects possible data races.
// If the original functions had the `@preconcurrency` attribute, the compiler would only warn
// about possible data races.

extension Store {
  /// Creates a store with a reducer that returns the next state.
  @available(swift, obsoleted: 6) @inlinable @preconcurrency
  public convenience init(
    reducer: @escaping Reducer<State>, middleware: [Middleware<State>]? = nil,
    plugins: [Plugin<State>] = [], services: Services = Services(), state: State, _: Void = ()
  ) {
    self.init(
      reducer: { state, action in state = reducer(state, action) },
      middleware: middleware, plugins: plugins, services: services, state: state)
  }

  /// Creates a store with a reducer that changes the state in place.
  @available(swift, obsoleted: 6) @inlinable @preconcurrency
  public convenience init(
    reducer: @escaping MutatingReducer<State>, middleware: [Middleware<State>]? = nil,
    plugins: [Plugin<State>] = [], services: Services = Services(), state: State, _: Void = ()
  ) {
    self.init(
      reducer: { state, action in reducer(&state, action) },
      middleware: middleware, plugins: plugins, services: services, state: state)
  }

  /// Replaces the reducer.
  @available(swift, obsoleted: 6) @inlinable @preconcurrency
  public func replaceReducer(_ reducer: @escaping Reducer<State>, _: Void = ()) {
    core.replaceReducer { state, action in state = reducer(state, action) }
  }

  /// Replaces the reducer with a reducer that changes the state in place.
  @available(swift, obsoleted: 6) @inlinable @preconcurrency
  public func replaceReducer(_ reducer: @escaping MutatingReducer<State>, _: Void = ()) {
    core.replaceReducer(reducer)
  }
}

/// Combines reducers into one reducer that runs them in the given order, each on the result of
/// the previous reducer.
@available(swift, obsoleted: 6) @inlinable @preconcurrency
public func combine<State>(_ reducers: Reducer<State>..., and _: Void = ()) -> Reducer<State> {
  { state, action in reducers.reduce(state) { state, reducer in reducer(state, action) } }
}

/// Combines in-place reducers into one reducer that runs them in the given order.
@available(swift, obsoleted: 6) @inlinable @preconcurrency
public func combine<State>(_ reducers: MutatingReducer<State>..., and _: Void = ()) -> MutatingReducer<State>
{
  { state, action in
    for reducer in reducers { reducer(&state, action) }
  }
}
