import Flux
import MovieBrowser
import SampleTerminalViews
import TestSupport
import Testing

@Suite("The address of the first screen of panes", .unlessItHangs) @MainActor
struct PanesAddressTests {
  @Test("the address of a film selects it and shows its details, and Esc leads to the list")
  func film() async {
    let session = PanesSession()
    session.screen.start(at: .film(56))
    await session.wait(for: "┃ Seven Samurai")
    #expect(session.text.contains("›  56"))
    #expect(session.state.panes.focus == .detail)
    await session.press(.escape)
    #expect(session.state.panes.focus == .list)
    #expect(session.text.contains("│ Seven Samurai"))
  }

  @Test("pages that arrive later do not move the selection")
  func stays() async {
    let session = PanesSession()
    session.screen.start(at: .film(138))
    await session.wait(for: "┃ Ran (1985)")
    await session.loadAll()
    #expect(session.text.contains("┃ Ran (1985)"))
  }

  @Test("the address of a page selects its first film")
  func page() async {
    let session = PanesSession()
    session.screen.start(at: .page(3))
    await session.wait(for: "›  41")
    #expect(session.state.panes.focus == .list)
  }

  @Test("the address of a search lists the films that it finds, and Esc shows all films")
  func search() async {
    let session = PanesSession()
    session.screen.start(at: .found(words: "kurosawa"))
    await session.wait(for: "3 found of 260")
    await session.press(.escape)
    #expect(session.text.contains("260 films"))
  }

  @Test(
    "an address without films is reported, and the first film is selected",
    arguments: [
      (Place.film(1_000), "There are no films at the address."),
      (.page(14), "There are no films at the address."),
      (.marks, "Only --lines shows the lists of marks."),
    ])
  func nothing(place: Place, notice: String) async {
    let session = PanesSession()
    session.screen.start(at: place)
    await session.wait(for: notice)
    await session.wait(for: "›   1")
    #expect(session.state.panes.focus == .list)
  }
}
