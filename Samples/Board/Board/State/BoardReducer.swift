package import Flux

/// The reducer of the board.
package let boardReducer = ActionHandlers<BoardState> {
  on(Ask.self) { state, action in
    state.requests += 1
    state.answer = state.answer(to: action.change)
  }
  on(Read.self) { state, _ in state.requests += 1 }
  on(Saved.self) { state, action in state.saved = action.list }
  on(ListenerCame.self) { state, _ in
    state.requests += 1
    state.listeners += 1
  }
  on(ListenerLeft.self) { state, _ in state.listeners -= 1 }
  on(Beat.self) { state, _ in state.beats += 1 }
  on(End.self) { state, _ in state.isEnding = true }
}

extension BoardState {
  /// Applies a change to the newest list, or returns `full` if the list has reached its capacity.
  ///
  /// When the log is read, the list must accept every acknowledged change, even if the
  /// capacity was reduced. The list itself therefore does not check the capacity.
  fileprivate mutating func answer(to change: Change) -> Answer {
    if case .add = change, newest.items.count >= Self.capacity { return .full }
    return newest.apply(change)
  }
}
