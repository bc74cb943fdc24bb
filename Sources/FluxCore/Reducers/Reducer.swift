/// A function that returns the next state for a state and an action.
///
/// A reducer is pure: it depends only on its arguments, changes nothing else, and does not use
/// the store. It runs under the store's lock, so it must be quick.
///
/// To return a changed copy of a large collection, a reducer copies the collection. A
/// ``MutatingReducer`` avoids the copy.
public typealias Reducer<State> = @Sendable (_ state: State, _ action: any Action) -> State

/// A function that changes the state in place for an action.
///
/// If no other copy of the state exists, a change of one of a million entries costs O(1). If an
/// observer, a selector, or a history entry keeps an old copy, Swift's copy-on-write first
/// copies the collection, as it always does with a ``Reducer``. The rules of ``Reducer`` apply.
public typealias MutatingReducer<State> = @Sendable (_ state: inout State, _ action: any Action) -> Void

/// Combines reducers into one reducer that runs them in order, each on the result of the
/// previous reducer.
///
/// A combination of no reducers returns the state unchanged.
@inlinable
public func combine<State>(_ reducers: Reducer<State>...) -> Reducer<State> {
  { state, action in reducers.reduce(state) { state, reducer in reducer(state, action) } }
}

/// Combines in-place reducers into one reducer that runs them in order.
///
/// A combination of no reducers leaves the state unchanged.
@inlinable
public func combine<State>(_ reducers: MutatingReducer<State>...) -> MutatingReducer<State> {
  { state, action in
    for reducer in reducers { reducer(&state, action) }
  }
}

/// Converts a reducer that returns the next state into an in-place reducer.
///
/// Use this function to combine both kinds of reducers. The result is as expensive as the
/// original reducer.
@inlinable
public func mutating<State>(_ reducer: @escaping Reducer<State>) -> MutatingReducer<State> {
  { state, action in state = reducer(state, action) }
}
