import Flux

/// Sets one field of the input on the screen of panes.
typealias SetPane = BindingAction<BrowserState.Panes>

/// The reducer of the screen of panes.
///
/// This reducer runs before the reducer of searches, so it must anticipate the changes of the
/// reducer of searches.
let panesReducer = ActionHandlers<BrowserState> {
  on(SetPane.self) { state, action in
    let before = state.panes
    action.apply(to: &state.panes)
    let panes = state.panes
    let isMoved = panes.place.cursor != before.place.cursor
    if isMoved { state.panes.scrolled = 0 }
    if isMoved || panes.focus == .detail { state.panes.awaitsSavedPlace = false }
    if isMoved || panes.focus != before.focus { state.visitSelection() }
  }
  on(Show.self) { state, action in
    if case .trouble(let text) = action.screen { state.panes.notice = text }
  }
  on(SelectPlace.Pending.self) { state, action in
    state.panes.awaitsSavedPlace = action.request.isSaved
  }
  on(SelectPlace.Fulfilled.self) { state, action in
    let (place, isSaved) = (action.request.place, action.request.isSaved)
    // The user may have selected another film while pages were loaded.
    if isSaved, !state.panes.awaitsSavedPlace { return }
    state.panes.awaitsSavedPlace = false
    let position = state.position(of: place)
    if let position { state.goTo(position) }
    if position == nil, !isSaved { state.panes.notice = "There are no films at the address." }
    if position != nil, !isSaved, case .film = place { state.panes.focus = .detail }
    state.visitSelection()
  }
  on(FindTyped.self) { state, _ in
    if state.listsFound { state.goTo(0) }
  }
  on(FilmsFound.self) { state, action in
    // Additional results for the same text do not move the selection, and neither do results
    // after the user has moved. Otherwise the selection begins at the best result.
    let isSame = state.display.find?.found.text == action.text
    let stays = isSame || state.listsFound && state.panes.place.cursor > 0
    let cursor = stays ? action.films.firstIndex { $0 == state.chosen?.id } : nil
    state.goTo(cursor ?? 0)
  }
  on(FindEnded.self) { state, _ in
    guard let chosen = state.chosen?.id else { return }
    state.display.find = nil
    state.goTo(state.listed.firstIndex { $0.id == chosen } ?? 0)
    state.visitSelection()
  }
  on(FetchQuery.Pending.self) { state, _ in state.panes.isStopped = false }
}

extension BrowserState {
  /// Selects a film by its position among the listed films.
  fileprivate mutating func goTo(_ cursor: Int) {
    if cursor != panes.place.cursor { panes.scrolled = 0 }
    panes.place.cursor = cursor
  }
}
