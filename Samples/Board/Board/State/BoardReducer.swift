package import Flux

/// The reducer of the board.
package let boardReducer = ActionHandlers<BoardState> {
  on(Ask.self) { state, action in
    state.requests += 1
    state.answer = state.changes.decide(action)
  }
  on(Read.self) { state, _ in state.requests += 1 }
  on(Appended.self) { state, action in state.changes.appended(action.count) }
  on(LogRead.self) { state, action in state.changes.read(action.list) }
  on(LogEnd.self) { state, action in state.changes.announce(action.version) }
  on(LogLost.self) { state, _ in state.changes.lost() }
  on(ListenerCame.self) { state, _ in
    state.requests += 1
    state.listeners += 1
  }
  on(ListenerLeft.self) { state, _ in state.listeners -= 1 }
  on(Beat.self) { state, _ in state.beats += 1 }
  on(End.self) { state, _ in state.isEnding = true }
}
