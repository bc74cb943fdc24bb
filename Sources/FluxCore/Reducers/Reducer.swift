/// A function that returns the next state for a state and an action.
///
/// The familiar form. A reducer is pure: it depends on nothing but its arguments, changes nothing else, and does
/// not touch the store. It runs under the store's lock, so it is quick.
///
/// Returning a changed copy of a large collection copies the collection; ``MutatingReducer`` does not.
public typealias Reducer<State> = @Sendable (_ state: State, _ action: any Action) -> State

/// A function that changes the state in place for an action.
///
/// While nobody else keeps a copy of the state, changing one of a million entries costs O(1). While an observer,
/// a selector or a history step keeps an old copy, Swift's copy-on-write copies the collection first, as it
/// always does with ``Reducer``. The rules are those of ``Reducer``.
public typealias MutatingReducer<State> = @Sendable (_ state: inout State, _ action: any Action) -> Void

/// Combines reducers into one that runs them in order, each on the state that the one before left.
///
/// The combination of none returns the state as it is.
@inlinable
public func combine<State>(_ reducers: Reducer<State>...) -> Reducer<State> {
  { state, action in reducers.reduce(state) { state, reducer in reducer(state, action) } }
}

/// Combines in-place reducers into one that runs them in order.
///
/// The combination of none leaves the state as it is.
@inlinable
public func combine<State>(_ reducers: MutatingReducer<State>...) -> MutatingReducer<State> {
  { state, action in
    for reducer in reducers { reducer(&state, action) }
  }
}

/// Makes an in-place reducer of one that returns the next state.
///
/// The two can then be combined. It still costs what the returning form costs.
@inlinable
public func mutating<State>(_ reducer: @escaping Reducer<State>) -> MutatingReducer<State> {
  { state, action in state = reducer(state, action) }
}
