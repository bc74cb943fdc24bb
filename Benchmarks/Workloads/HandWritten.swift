import FluxCore
import Synchronization

/// What a program would write by hand instead of a store: a mutex, a stored closure, an existential action.
final class HandWritten<State: Sendable>: Sendable {
  private let state: Mutex<State>
  private let reducer: @Sendable (State, any Action) -> State

  init(state: State, reducer: @escaping @Sendable (State, any Action) -> State) {
    self.state = Mutex(state)
    self.reducer = reducer
  }

  // In line, as the optimiser does with what has one caller; else it boxes the action again.
  @inline(__always)
  func dispatch(_ action: any Action) {
    state.withLock { state in state = reducer(state, action) }
  }

  func read<Value: Sendable>(_ body: (State) -> Value) -> Value {
    state.withLock { state in body(state) }
  }
}

/// The same with a reducer that changes the state in place.
final class HandWrittenInPlace<State: Sendable>: Sendable {
  private let state: Mutex<State>
  private let reducer: @Sendable (inout State, any Action) -> Void

  init(state: State, reducer: @escaping @Sendable (inout State, any Action) -> Void) {
    self.state = Mutex(state)
    self.reducer = reducer
  }

  // In line, as the optimiser does with what has one caller; else it boxes the action again.
  @inline(__always)
  func dispatch(_ action: any Action) {
    state.withLock { state in reducer(&state, action) }
  }

  func read<Value: Sendable>(_ body: (State) -> Value) -> Value {
    state.withLock { state in body(state) }
  }
}
