import Flux
import MovieBrowser
import TestSupport
import Testing

@Suite("Loads that fail, are slow, or are no longer wanted", .unlessItHangs)
struct LoadingTests {
  private let failing = MovieServiceError(.failing, "The server has a cold.")
  private let pageTwo = ["  loaded 2 films; 4 of them so far", "Page 2 of 3"]

  // MARK: Retries

  @Test("a store without a source of films rejects the load with an error that names the request")
  func withoutService() async {
    let queries = QuerySlice(at: \BrowserState.queries)
    let store = Store(
      reducer: { (_: inout BrowserState, _) in }, plugins: [queries.plugin], state: BrowserState())
    let error = await #expect(throws: QueryFailure.self) { try await store.fetch(FilmsOnPage(number: 1)) }
    #expect(error?.description.contains("requires a service of type MovieService") == true, "\(error)")
  }

  @Test("a page that fails twice is requested a third time, after growing waits")
  func failsTwice() async {
    let clock = QuickClock()
    let service = ScriptedService([2: [.fail(failing), .fail(failing)]])
    let session = await Session.started(service, clock: clock)
    #expect(
      await session.type("next").prefix(4) == [
        "  The server has a cold. Trying again, 2 of 4", "  The server has a cold. Trying again, 3 of 4",
      ] + pageTwo)
    #expect(service.calls == [1, 2, 2, 2])
    #expect(clock.waits.count == 2)
    #expect((.milliseconds(250) ... .milliseconds(500)).contains(clock.waits.first ?? .zero))
    let last = clock.waits.last ?? .zero
    #expect(last > .milliseconds(500) && last <= .seconds(1))
  }

  @Test("an invalid page is not requested again")
  func notWorthIt() async {
    for code in [MovieServiceError.Code.missing, .malformed, .refused] {
      let service = ScriptedService([2: [.fail(MovieServiceError(code, "No such page."))]])
      let session = await Session.started(service)
      #expect(await session.type("next") == ["! No such page."])
      #expect(service.calls == [1, 2])
    }
  }

  @Test("an attempt that takes too long is canceled, and counts as failed")
  func timeout() async {
    let clock = QuickClock()
    let service = ScriptedService([2: [.hold, .fail(failing)]])
    let session = await Session.started(service, clock: clock)
    let next = session.browser.begin("next")
    await service.asked(for: 2)
    await clock.passLongWait()
    await next?.finished()
    #expect(
      Array(session.lines().prefix(4)) == [
        "  Page 2 timed out. Trying again, 2 of 4",
        "  The server has a cold. Trying again, 3 of 4",
      ] + pageTwo)
    #expect(service.cancelled == [2])
  }

  @Test("during a load a line shows the page and the attempt, and then disappears")
  func panel() async {
    let service = ScriptedService([1: [.fail(failing)], 2: [.fail(failing)]])
    let session = Session(service)
    await session.browser.start().value
    #expect(session.drawn() == ["  loading page 1 … ", "  loading page 1, try 2 of 4 … ", ""])
    await session.type("next")
    #expect(session.drawn() == ["  loading page 2 of 3 … ", "  loading page 2 of 3, try 2 of 4 … ", ""])
  }

  // MARK: Single requests

  @Test("a page that is loaded or loading is not requested again")
  func once() async {
    let service = ScriptedService([2: [.hold]])
    let session = await Session.started(service)
    let store = session.browser.store
    let loading = [2, 2, 1].map { store.dispatchAsync(FetchQuery(FilmsOnPage(number: $0))) }
    await service.asked(for: 2)
    service.release()
    for task in loading { await task.finished() }
    #expect(service.calls == [1, 2])
    #expect(session.lines() == ["  loaded 2 films; 4 of them so far"])
  }

  // MARK: Cancelling

  @Test("an empty line stops the load, and the next command starts it again")
  func stop() async {
    let service = ScriptedService([2: [.hold]])
    let session = await Session.started(service)
    let next = session.browser.begin("next")
    await service.asked(for: 2)
    #expect(session.browser.isWaiting)
    #expect(await session.type("") == ["! Loading was stopped."])
    await next?.finished()
    #expect(!session.browser.isWaiting)
    #expect(service.cancelled == [2])
    #expect(session.drawn().last?.isEmpty == true)
    #expect(await session.type("").isEmpty)
    #expect(await session.type("next").prefix(2) == pageTwo[...])
  }

  @Test(
    "a command that needs other pages replaces the earlier command, which shows nothing",
    arguments: [
      ("open 5", "Film 5 (1905), directed by Director 5"),
      ("open 1", "Film 1 (1901), directed by Director 1"),
    ])
  func replaced(line: String, shown: String) async {
    let service = ScriptedService([2: [.hold]])
    let session = await Session.started(service)
    let next = session.browser.begin("next")
    await service.asked(for: 2)
    let lines = await session.type(line)
    await next?.finished()
    #expect(lines.contains(shown))
    #expect(service.cancelled == [2])
    #expect(!session.belongings.pages.map(\.page).contains(2))
    #expect(session.lines().isEmpty)
    #expect(await session.type("list").first == "Page 1 of 3")
  }

  @Test("a film on a page that is already loading is shown instead of the earlier request")
  func replacedOnSamePage() async {
    let service = ScriptedService([2: [.hold]])
    let session = await Session.started(service)
    let next = session.browser.begin("next")
    await service.asked(for: 2)
    #expect(await session.type("open 3").prefix(2) == [pageTwo[0], "Film 3 (1903), directed by Director 3"])
    await next?.finished()
    #expect(session.lines().isEmpty)
  }

  @Test("a command that loads nothing does not affect the present load")
  func besides() async {
    let service = ScriptedService([2: [.hold]])
    let session = await Session.started(service)
    let next = session.browser.begin("next")
    await service.asked(for: 2)
    #expect(await session.type("wish 1") == ["  film 1 is on the wish list"])
    service.release()
    await next?.finished()
    #expect(session.lines().prefix(2) == pageTwo[...])
  }

  @Test("leaving the program cancels the load")
  func leaving() async {
    let service = ScriptedService([2: [.hold]])
    let session = await Session.started(service)
    let next = session.browser.begin("next")
    await service.asked(for: 2)
    #expect(session.browser.close())
    await next?.finished()
    #expect(service.cancelled == [2])
    #expect(session.lines().isEmpty)
  }

  @Test("The log writes a short line for each step.")
  func log() async {
    let session = await Session.started(ScriptedService())
    await session.type("open 3")
    #expect(
      session.actions() == [
        "Visit(place: film(3))", "Visit.Pending(#3 Visit(place: film(3)))", "FilmByID(id: 3)",
        "FetchQuery.Pending(#4 FilmByID(id: 3))", "FilmsOnPage(number: 2)",
        "FetchQuery.Pending(#5 FilmsOnPage(number: 2))",
        "FetchQuery.Fulfilled(#5 FilmsOnPage(number: 2): 2 films)",
        "FetchQuery.Fulfilled(#4 FilmByID(id: 3): Film 3 (1903))",
        "Visit.Fulfilled(#3 Visit(place: film(3)): ())",
      ])
  }
}
