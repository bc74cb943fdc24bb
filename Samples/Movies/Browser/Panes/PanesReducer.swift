import Flux

/// Sets one field of what the user does on the screen.
typealias SetPane = BindingAction<BrowserState.Panes>

/// The reducer of the screen of panes; before that of finding, whose changes it has to foresee.
let panesReducer = ActionHandlers<BrowserState> {
  on(SetPane.self) { state, action in
    let before = state.panes.place
    action.apply(to: &state.panes)
    if state.panes.place.cursor != before.cursor { state.panes.scrolled = 0 }
  }
  on(Show.self) { state, action in
    if case .trouble(let text) = action.screen { state.panes.notice = text }
  }
  on(FindTyped.self) { state, _ in
    if state.listsFound { state.goTo(0) }
  }
  on(FilmsFound.self) { state, action in
    // More of the same leaves users where they are, and so does what comes after they have moved. All else begins
    // at its best.
    let isSame = state.display.find?.found.text == action.text
    let stays = isSame || state.listsFound && state.panes.place.cursor > 0
    let cursor = stays ? action.films.firstIndex { $0 == state.chosen?.id } : nil
    state.goTo(cursor ?? 0)
  }
  on(FindEnded.self) { state, _ in
    guard let chosen = state.chosen?.id else { return }
    state.display.find = nil
    state.goTo(state.listed.firstIndex(of: chosen) ?? 0)
  }
  on(LoadPage.Pending.self) { state, action in state.panes.troubles[action.request.number] = nil }
  on(LoadPage.Rejected.self) { state, action in
    state.panes.troubles[action.request.number] = action.failure.trouble(page: action.request.number)
  }
}

extension BrowserState {
  /// Chooses a film by its place among those that are listed.
  fileprivate mutating func goTo(_ cursor: Int) {
    if cursor != panes.place.cursor { panes.scrolled = 0 }
    panes.place.cursor = cursor
  }
}

extension RequestFailure<MovieServiceError> {
  /// What the user is told; nothing of a page that was no longer wanted.
  fileprivate func trouble(page number: Int) -> String? {
    switch self {
    case .failed(let trouble): trouble.description
    case .timedOut: MovieServiceError.timedOut(page: number).description
    case .aborted(let reason): reason
    case .unwanted, .notStarted, .otherState: nil
    }
  }
}
