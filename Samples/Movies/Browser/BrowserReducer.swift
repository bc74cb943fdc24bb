import Flux

/// The reducer of the whole browser: one table of handlers, made of those of its parts.
let browserReducer: ActionHandlers<BrowserState> = combine(
  lift(libraryReducer, to: Substate { state, body in body(&state.library) }),
  lift(marksReducer, to: Substate { state, body in body(&state.marks) }),
  lift(displayReducer, to: Substate { state, body in body(&state.display) })
)

private let libraryReducer: ActionHandlers<BrowserState.Library> = combine(
  on(PageRequested.self) { library, action in library.loading.insert(action.number) },
  on(PageLoaded.self) { library, action in
    library.loading.remove(action.page.page)
    library.add(action.page)
  },
  on(PageFailed.self) { library, action in library.loading.remove(action.number) }
)

private let marksReducer: ActionHandlers<BrowserState.Marks> = combine(
  on(ToggleWish.self) { marks, action in marks.wished.toggle(action.film) },
  on(ToggleSeen.self) { marks, action in marks.seen.toggle(action.film) }
)

private let displayReducer: ActionHandlers<BrowserState.Display> = combine(
  on(Show.self) { display, action in display.show(action.screen) },
  on(WorkBegan.self) { display, _ in display.pending += 1 },
  on(WorkEnded.self) { display, action in
    display.pending -= 1
    if let screen = action.screen { display.show(screen) }
  }
)

extension [Int] {
  fileprivate mutating func toggle(_ film: Int) {
    if let index = firstIndex(of: film) { remove(at: index) } else { append(film) }
  }
}
