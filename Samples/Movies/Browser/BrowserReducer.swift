import Flux

/// The reducer of the whole browser: one table of handlers, made from the handlers of its
/// parts.
let browserReducer = ActionHandlers<BrowserState> {
  lift(marksReducer, to: Substate { state, body in body(&state.marks) })
  displayReducer
  panesReducer
  lift(findReducer, to: Substate { state, body in body(&state.display) })
}

let marksReducer = ActionHandlers<BrowserState.Marks> {
  on(ToggleWish.self) { marks, action in marks.wished.toggle(action.film) }
  on(ToggleSeen.self) { marks, action in marks.seen.toggle(action.film) }
}

private let displayReducer = ActionHandlers<BrowserState> {
  on(Show.self) { state, action in state.show(action.screen) }
  on(Visit.Pending.self) { state, _ in state.display.isWaiting = true }
  on(Visit.Fulfilled.self) { state, action in
    state.display.isWaiting = false
    state.show(.place(action.request.place))
  }
  on(Visit.Rejected.self) { state, action in
    state.display.isWaiting = false
    // A visit that was stopped has nothing to show.
    guard let trouble = action.failure.trouble else { return }
    let place = action.request.place
    state.show(BrowserState.Screen(lacking: place, state.text(of: trouble, of: place)))
  }
}

private let findReducer = ActionHandlers<BrowserState.Display> {
  on(Find.Pending.self) { display, _ in
    // If the search is already open, it keeps the typed text.
    if display.find == nil { display.find = BrowserState.Find() }
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
