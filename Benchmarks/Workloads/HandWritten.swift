import FluxCore
import Synchronization

/// A handwritten replacement for a store, with a mutex, a closure, and an existential action.
final class HandWritten<State: Sendable>: Sendable {
  private let state: Mutex<State>
  private let reducer: @Sendable (State, any Action) -> State

  init(state: State, reducer: @escaping @Sendable (State, any Action) -> State) {
    self.state = Mutex(state)
    self.reducer = reducer
  }

  // This function is inlined, because the optimizer inlines a function with one caller. Without
  // inlining, the optimizer boxes the action again.
  @inline(__always)
  func dispatch(_ action: any Action) {
    state.withLock { state in state = reducer(state, action) }
  }

  func read<Value: Sendable>(_ body: (State) -> Value) -> Value {
    state.withLock { state in body(state) }
  }
}

/// Handwritten code that replaces a store whose reducer changes the state in place.
final class HandWrittenInPlace<State: Sendable>: Sendable {
  private let state: Mutex<State>
  private let reducer: @Sendable (inout State, any Action) -> Void

  init(state: State, reducer: @escaping @Sendable (inout State, any Action) -> Void) {
    self.state = Mutex(state)
    self.reducer = reducer
  }

  // This function is inlined, because the optimizer inlines a function with one caller. Without
  // inlining, the optimizer boxes the action again.
  @inline(__always)
  func dispatch(_ action: any Action) {
    state.withLock { state in reducer(&state, action) }
  }

  func read<Value: Sendable>(_ body: (State) -> Value) -> Value {
    state.withLock { state in body(state) }
  }
}
