/// A function that returns the next state for a state and an action.
///
/// A reducer is pure: it depends only on its arguments, changes nothing else, and does not use
/// the store. A reducer runs under the store's lock, so it must be quick.
///
/// If a reducer changes a large collection, the reducer has to copy the collection to return the
/// next state. A ``MutatingReducer`` avoids the copy.
public typealias Reducer<State> = @Sendable (_ state: State, _ action: any Action) -> State

/// A function that changes the state in place for an action.
///
/// If no other copy of the state exists, changing one of a million entries takes O(1) time. If
/// an observer, a selector, or a history entry keeps an old copy, Swift's copy-on-write first
/// copies the collection, as always happens with a ``Reducer``. The rules for a ``Reducer`` also
/// apply to a `MutatingReducer`.
public typealias MutatingReducer<State> = @Sendable (_ state: inout State, _ action: any Action) -> Void

/// Combines reducers into one reducer that runs them in the given order, each on the result of
/// the previous reducer.
///
/// If there are no arguments, the combined reducer returns the state unchanged.
@inlinable
public func combine<State>(_ reducers: Reducer<State>...) -> Reducer<State> {
  { state, action in reducers.reduce(state) { state, reducer in reducer(state, action) } }
}

/// Combines in-place reducers into one reducer that runs them in the given order.
///
/// If there are no arguments, the combined reducer leaves the state unchanged.
@inlinable
public func combine<State>(_ reducers: MutatingReducer<State>...) -> MutatingReducer<State> {
  { state, action in
    for reducer in reducers { reducer(&state, action) }
  }
}

/// Converts a reducer that returns the next state into an in-place reducer.
///
/// Use this function to combine reducers that return the next state with in-place reducers. The
/// resulting reducer costs as much as the original reducer.
@inlinable
public func mutating<State>(_ reducer: @escaping Reducer<State>) -> MutatingReducer<State> {
  { state, action in state = reducer(state, action) }
}
