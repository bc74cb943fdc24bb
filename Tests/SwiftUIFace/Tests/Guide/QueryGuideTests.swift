import Flux
import SwiftUI
import TestSupport
import Testing

@MainActor
@Suite("Sources/FluxQuery/FluxQuery.docc/Queries.md")
struct QueryGuideTests {
  @Test("its views fetch and show their queries", .stoppedTime)
  func views() async {
    let store = Store(
      reducer: ActionHandlers<FilmApp> {}, plugins: [QuerySlice(at: \FilmApp.queries).plugin],
      state: FilmApp())
    let screen = Screen {
      VStack {
        FilmView(id: 7)
        FilmsAboutTati()
      }
      .provideStore(store)
    }
    #expect(screen.text == ["…", "Reload", "0 films"])
    while screen.text != ["Playtime", "Reload", "1 films"] {
      await Task.yield()
      screen.update()
    }
    store.write(Film(id: 7, title: "Traffic"), to: FilmByID(id: 7))
    screen.press("Reload")
    while screen.text.first != "Playtime" || store.state.queries.pendingRequests > 0 {
      await Task.yield()
      screen.update()
    }
  }
}
