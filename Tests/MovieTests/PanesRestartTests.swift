import Flux
import FluxNavigation
import MovieBrowser
import SampleTerminalViews
import TestSupport
import Testing

@Suite("The saved place of panes", .unlessItHangs) @MainActor
struct PanesRestartTests {
  private let storage = InMemoryStorage()

  /// Runs the browser with the saved place, until its screen contains a string.
  private func start(showing text: String, _ service: any MovieService = FileMovieService()) async
    -> PanesSession
  {
    let session = PanesSession(service, storage: storage)
    session.screen.start()
    await session.wait(for: text)
    return session
  }

  private func route(of session: PanesSession) -> [Place] { session.state.places.path.map(\.route) }

  @Test("a restart selects the film that was selected last, also on another page")
  func selection() async {
    let first = await start(showing: "40 films loaded")
    await first.press(.pageDown, .pageDown, .down)
    let selected = first.state.panes.place.cursor
    #expect(selected > 20)
    #expect(first.state.places.root.route == .page(selected / 20 + 1))
    #expect(first.browser.close())
    let second = await start(showing: "› \(selected + 1 < 100 ? " " : "")\(selected + 1)")
    #expect(second.state.panes.focus == .list)
    #expect(second.state.places.top.route == .film(selected + 1))
  }

  @Test("the list of the other interface continues at the page of the film")
  func otherInterface() async {
    let first = await start(showing: "40 films loaded")
    await first.press(.pageDown, .pageDown, .down)
    #expect(first.browser.close())
    let lines = Session(FileMovieService(), storage: storage)
    let film = first.state.panes.place.cursor + 1
    #expect(await lines.start().contains { $0.contains(" directed by ") })
    #expect(lines.browser.store.state.places.top.route == .film(film))
    #expect(await lines.type("back").first == "Page 2 of 13")
  }

  @Test("the first film is a place only while its details are read")
  func firstFilm() async {
    let session = await start(showing: "40 films loaded")
    #expect(route(of: session) == [])
    await session.press(.tab)
    #expect(route(of: session) == [.film(1)])
    await session.press(.escape)
    #expect(route(of: session) == [])
    await session.press(.down)
    #expect(route(of: session) == [.film(2)])
    await session.press(.up)
    #expect(route(of: session) == [])
  }

  @Test("a result of a search that is selected is a place, before and after the search ends")
  func found() async {
    let session = await start(showing: "40 films loaded")
    await session.loadAll()
    await session.type("/kuro")
    await session.waitForMatches()
    await session.press(.down)
    let film = session.state.chosen?.id
    #expect(route(of: session).last == film.map(Place.film))
    await session.press(.enter, .escape)
    #expect(session.state.chosen?.id == film)
    #expect(route(of: session).last == film.map(Place.film))
  }

  @Test("typing a search, and results that arrive, change no place")
  func typing() async {
    let session = await start(showing: "40 films loaded")
    await session.press(.pageDown, .pageDown, .down)
    let before = route(of: session)
    #expect(session.state.places.root.route == .page(2))
    await session.type("/kuro")
    await session.waitForMatches()
    #expect(route(of: session) == before)
    await session.press(.backspace, .backspace, .backspace, .backspace)
    #expect(route(of: session) == before)
  }

  @Test("a saved film that was not loaded remains the place until the user selects a film")
  func failedLoad() async {
    let lines = Session(ScriptedService(), storage: storage)
    await lines.start(at: .film(6))
    #expect(lines.browser.close())
    let missing = MovieServiceError(.missing, "There is no page 2.")
    let session = await start(
      showing: "r tries again", ScriptedService([2: Array(repeating: .fail(missing), count: 20)]))
    #expect(route(of: session) == [.film(6)])
    await session.press(.character("/"), .escape)
    #expect(route(of: session) == [.film(6)])
    await session.press(.down)
    #expect(route(of: session) == [.film(2)])
  }

  @Test("a film whose details the user opens while the saved film is loaded stays open")
  func openedMeanwhile() async {
    let lines = Session(ScriptedService(), storage: storage)
    await lines.start(at: .film(6))
    #expect(lines.browser.close())
    let service = ScriptedService([2: [.hold]])
    let session = await start(showing: "loading page 2", service)
    await session.press(.enter)
    await service.asked(for: 2)
    service.release()
    await session.wait(for: "6 films")
    #expect(session.state.panes.place.cursor == 0)
    #expect(route(of: session) == [.film(1)])
  }

  @Test("a saved film that the library lacks is no place anymore, and is not reported")
  func missingFilm() async {
    let lines = Session(FileMovieService(), storage: storage)
    await lines.start(at: .film(200))
    #expect(lines.browser.close())
    let session = await start(showing: "6 films", ScriptedService())
    for await path in session.browser.store.values(of: \.places.path) where path.isEmpty { break }
    #expect(session.state.panes.notice == nil)
    #expect(session.state.panes.place.cursor == 0)
  }

  @Test("a selection that the user makes while the saved film is loaded is kept")
  func movedMeanwhile() async {
    let lines = Session(ScriptedService(), storage: storage)
    await lines.start(at: .film(6))
    #expect(lines.browser.close())
    let service = ScriptedService([2: [.hold]])
    let session = await start(showing: "loading page 2", service)
    await session.press(.down)
    await service.asked(for: 2)
    service.release()
    await session.wait(for: "6 films")
    #expect(session.state.panes.place.cursor == 1)
    #expect(route(of: session) == [.film(2)])
  }

  @Test("the saved lists of marks lead to the list of films")
  func marks() async {
    let lines = await Session.started(FileMovieService(), storage: storage)
    await lines.type("lists")
    #expect(lines.browser.close())
    let session = await start(showing: "›   1")
    #expect(session.state.panes.notice == nil)
  }
}
