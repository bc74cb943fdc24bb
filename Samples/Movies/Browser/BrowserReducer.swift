import Flux

/// The reducer of the whole browser: one table of handlers, made from the handlers of its
/// parts.
let browserReducer = ActionHandlers<BrowserState> {
  lift(libraryReducer, to: Substate { state, body in body(&state.library) })
  lift(marksReducer, to: Substate { state, body in body(&state.marks) })
  lift(displayReducer, to: Substate { state, body in body(&state.display) })
  panesReducer
  lift(findReducer, to: Substate { state, body in body(&state.display) })
}

private let libraryReducer = ActionHandlers<BrowserState.Library> {
  on(LoadPage.Pending.self) { library, action in library.loading[action.request.number] = [] }
  on(PageTried.self) { library, action in library.loading[action.number]?.append(nil) }
  on(PageMissed.self) { library, action in
    guard let last = library.loading[action.number]?.indices.last else { return }
    library.loading[action.number]?[last] = action.trouble
  }
  on(LoadPage.Fulfilled.self) { library, action in
    library.loading[action.request.number] = nil
    library.add(action.value)
  }
  on(LoadPage.Rejected.self) { library, action in library.loading[action.request.number] = nil }
}

private let marksReducer = ActionHandlers<BrowserState.Marks> {
  on(ToggleWish.self) { marks, action in marks.wished.toggle(action.film) }
  on(ToggleSeen.self) { marks, action in marks.seen.toggle(action.film) }
}

private let displayReducer = ActionHandlers<BrowserState.Display> {
  on(Show.self) { display, action in display.show(action.screen) }
  on(Visit.Pending.self) { display, _ in display.isWaiting = true }
  on(Visit.Fulfilled.self) { display, action in
    display.isWaiting = false
    display.show(action.request.screen)
  }
  on(Visit.Rejected.self) { display, action in
    display.isWaiting = false
    // A canceled request has nothing to show.
    guard case .failed(let trouble) = action.failure else { return }
    display.show(action.request.screen.lacking(trouble.description))
  }
}

private let findReducer = ActionHandlers<BrowserState.Display> {
  on(Find.Pending.self) { display, _ in
    // If the search is already open, it keeps the typed text.
    if display.find == nil { display.find = BrowserState.Find() }
    display.find?.trouble = nil
  }
  on(Find.Rejected.self) { display, action in
    switch action.failure {
    case .failed(let trouble): display.find?.trouble = trouble.description
    // If the abort has a reason, the user stopped the request. Otherwise, the user left, and no
    // text is shown.
    case .aborted(let reason): display.find?.trouble = reason
    case .timedOut, .unwanted, .notStarted, .otherState: break
    }
  }
  on(FindTyped.self) { display, action in display.find?.text = action.text }
  on(FilmsFound.self) { display, action in
    display.find?.found = BrowserState.Find.Found(text: action.text, films: action.films)
  }
  on(FindEnded.self) { display, _ in display.find = nil }
}

extension [Int] {
  fileprivate mutating func toggle(_ film: Int) {
    if let index = firstIndex(of: film) { remove(at: index) } else { append(film) }
  }
}
