import Flux
import FluxTesting
import TestSupport
import Testing

@Suite("Sources/FluxAsync/FluxAsync.docc/AsyncActions.md")
struct AsyncGuideTests {
  @Test("its request loads a film once, and returns the film to its callers")
  func request() async throws {
    let store = Store(reducer: libraryReducer, state: Library())

    store.dispatch(LoadFilm(id: 7))
    let film = await store.request(LoadFilm(id: 8)).result

    #expect(try film.get() == "Film 8")
    await store.dispatchAsync(LoadFilm(id: 9)).finished()
    #expect(store.state.films[9] == "Film 9")
  }

  @Test("its requests convert all errors of an app to one type")
  func requestsOfApp() async {
    struct Fails: ServiceRequest {
      func ask() async throws -> Int { throw CancellationError() }
    }
    let store = Store(reducer: libraryReducer, state: Library())
    #expect(await store.request(CountFilms()).result == .success(1))
    let failure = ServiceFailure(reason: "CancellationError()")
    #expect(await store.request(Fails()).result == .failure(.failed(failure)))
  }

  @Test("its work is awaited and canceled")
  func handles() async {
    let store = Store(reducer: libraryReducer, state: Library())

    let work = store.dispatchAsync(LoadFilm(id: 7) + LoadFilm(id: 8))
    await work.finished()
    work.cancel()
    let token = store.sendAsCancellable(keepSearching)
    store.dispatch(CancelWork(of: LoadFilm.self))

    #expect(store.state.films == [7: "Film 7", 8: "Film 8"])
    token.cancel()
  }

  @Test("its plug-in runs work as long as there is a query")
  func keeps() async {
    let store = Store(reducer: libraryReducer, plugins: [newTitlesOfQuery], state: Library())
    store.dispatch(SetQuery(text: "play"))
    await store.effects.finished()
    #expect(store.state.found == ["New: play"])
  }

  @Test("its search runs after a quiet interval, on the clock of the store")
  func search() async {
    let clock = ManualClock()
    let store = Store(
      reducer: libraryReducer,
      plugins: [
        .asyncWork(
          clock: clock,
          policies: [.of(LoadFilm.self) { load in .leading.keyed(by: load.id) }],
          onError: { error, action in print("\(action) failed: \(error)") })
      ],
      state: Library())
    store.dispatch(Search(text: "play"))
    let search = store.dispatchAsync(Search(text: "playtime"))
    await clock.sleepers(atLeast: 1)
    clock.advance(by: .milliseconds(300))
    await search.finished()
    #expect(store.state.found == ["playtime"])
  }

  @Test("its task finds the service of its store")
  func services() async {
    let store = Store(
      reducer: libraryReducer,
      services: Services { $0.register(LiveFilms(), as: (any FilmService).self) },
      state: Library())

    await store.dispatchAsync(FindNewTitles()).finished()
    #expect(store.state.found == ["Live"])
  }

  @Test("its test store replaces the service")
  func servicesOfTest() async {
    let store = TestStore(
      reducer: libraryReducer,
      services: Services { $0.register(FixedFilms(titles: ["Playtime"]), as: (any FilmService).self) },
      state: Library())
    store.send(FindNewTitles())
    await store.receive(Found.self) { $0.found = ["Playtime"] }
    await store.finish()
  }

  @Test("its lifted plug-in has only the service of its feature")
  func servicesOfPlugin() async {
    let (listeners, titles) = (Listeners<Library>(), EventLog<[String]>())
    listeners.start(of: SetQuery.self) { _, listener in
      titles.record(try await listener.services((any FilmService).self).newTitles())
      if (try? listener.services(Int.self)) == nil { titles.record([]) }
    }
    struct App: FluxState {
      var library = Library()
    }
    let plugin = lift(listeners.plugin, to: \App.library) { services in
      services.restricted(to: [(any FilmService).self])
    }
    let store = Store(
      reducer: { (_: inout App, _) in }, plugins: [plugin],
      services: Services().with(LiveFilms(), as: (any FilmService).self).with(1), state: App())
    await store.dispatchAsync(SetQuery(text: "")).finished()
    #expect(titles.values == [["Live"], []])
  }

  @Test("its plans are executed")
  func plans() {
    let store = Store(reducer: libraryReducer, state: Library(query: "a", found: ["b"]))
    store.dispatch(clear)
    #expect(store.state == Library())
  }

  @Test("its listener runs its effect")
  func listening() async {
    let listeners = Listeners<Library>()
    let store = Store(reducer: libraryReducer, plugins: [listeners.plugin], state: Library())

    listeners.start(of: SetQuery.self) { action, listener in
      listener.cancelActiveListeners()
      listener.dispatch(Search(text: action.text))
      _ = try await listener.take(of: Found.self)
      print("found \(listener.state?.found.count ?? 0)")
    }

    await store.dispatchAsync(Found(titles: [])).finished()
    listeners.clear()
  }

  @Test("every Swift example of the page is in the tests, word for word")
  func examplesAreTested() throws {
    try GuideExamples(of: "Sources/FluxAsync/FluxAsync.docc/AsyncActions.md").expectTested(
      in: "Tests/GuideTests/AsyncExample.swift", "Tests/GuideTests/AsyncGuideTests.swift", atLeast: 13)
  }
}

/// The services of the page's examples.
struct LiveFilms: FilmService {
  func newTitles() async throws -> [String] { ["Live"] }
}

struct FixedFilms: FilmService {
  let titles: [String]

  func newTitles() async throws -> [String] { titles }
}

/// The search of the page's examples.
func titles(matching text: String) async throws -> [String] {
  [text]
}
