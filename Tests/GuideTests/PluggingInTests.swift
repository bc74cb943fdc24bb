import Flux
import Foundation
import Testing

@Suite("Documentation/Plugging-in.md")
struct PluggingInTests {
  @Test("its middleware do what they say")
  func middleware() {
    let store = Store(reducer: appReducer, middleware: [timing, receipts, polite, twice], state: AppState())
    store.dispatch(SetMovie(id: 1, title: "playtime"))
    store.dispatch(SetMovie(id: 2, title: ""))
    #expect(store.state.movies == [1: "PLAYTIME"])
  }

  @Test("its lifted middleware and plug-in work on the part")
  func lifting() {
    let session = Store(reducer: sessionReducer, plugins: [lift(clearing, to: \.app)], state: Session())
    session.dispatch(SetMovie(id: 1, title: "Playtime"))
    session.dispatch(Clear())
    #expect(session.state.app.movies.isEmpty)
    #expect(session.state.visits == 1)
    let other = Store(reducer: sessionReducer, middleware: [lifted], state: Session())
    other.dispatch(SetMovie(id: 1, title: "Playtime"))
    #expect(other.state.visits == 1)
  }

  @Test("its logging plug-in logs")
  func logging() {
    let logged = Store(
      reducer: appReducer,
      plugins: [
        .logging(
          filter: .except(Clear.self),
          level: { $0.duration > .milliseconds(16) ? .warning : .info },
          sink: LogSink { line in print(line) })
      ],
      state: AppState())
    logged.dispatch(SetMovie(id: 1, title: "Playtime"))
    #expect(logged.state.movies.count == 1)
  }

  @Test("its thunks run, and give a result")
  func runningThunks() {
    let thunks = Store(reducer: appReducer, middleware: [thunkMiddleware()], state: AppState())
    thunks.dispatch(addIfRoom)
    let id = thunks.dispatch(nextID)
    #expect(thunks.state.movies == [0: "Untitled"])
    #expect(id == 1)
  }

  @Test("its thunk finds what it needs")
  func servedThunks() {
    let services = Services(bestTitle: { "Playtime" })
    let served = Store(reducer: appReducer, middleware: [thunkMiddleware(with: services)], state: AppState())
    served.dispatch(addBest)
    #expect(served.state.movies == [0: "Playtime"])
  }

  @Test("its report is replayed in another store")
  func replaying() throws {
    let registry = ActionRegistry(AddStop.self)
    let travels = History<Trip>()
    let travelling = Store(reducer: tripReducer, plugins: [travels.plugin], state: Trip())
    travelling.dispatch(AddStop(name: "Lisbon"))
    let report = try travels.export(from: travelling, with: registry)

    let replay = History<Trip>()
    let replayed = Store(reducer: tripReducer, plugins: [replay.plugin], state: Trip())
    replayed.dispatch(try replay.importing(report, with: registry))
    print(replay.record.lastImport?.arrived == true ? "the same state" : "another state")
    #expect(replay.record.lastImport?.arrived == true)
    #expect(replayed.state.stops == ["Lisbon"])
  }

  @Test("its history undoes and redoes")
  func undoing() {
    let history = History<AppState>(limit: 200, grouping: .byType(SetMovie.self))
    let undoable = Store(reducer: appReducer, plugins: [history.plugin], state: AppState())

    undoable.dispatch(SetMovie(id: 1, title: "Playtime"))
    undoable.dispatch(HistoryAction.undo)
    undoable.dispatch(HistoryAction.redo)
    #expect(undoable.state.movies.count == 1)
    undoable.dispatch(HistoryAction.undo)
    #expect(undoable.state.movies.isEmpty)
  }

  @Test("its persistence keeps what is there at the end")
  func keeping() throws {
    let storage = InMemoryStorage()
    let persistence = Persistence<AppState, [Int: String]>(
      of: \.movies, in: storage, name: "movies", version: 2,
      migrations: [
        Migration(from: 1) { json in
          if json["0"] == nil { json["0"] = "The first film" }
        }
      ])
    let kept = Store(
      reducer: appReducer, plugins: [persistence.plugin], state: persistence.restored(AppState()))
    kept.dispatch(SetMovie(id: 1, title: "Playtime"))
    try persistence.flush()
    #expect(try storage.names() == ["movies.json"])
  }

  @Test("its checks find nothing, its reset resets, and its middleware comes and goes")
  func others() {
    let checked = Store(reducer: appReducer, plugins: [.developmentChecks()], state: AppState())
    checked.dispatch(SetMovie(id: 1, title: "Playtime"))
    #expect(checked.state.movies.count == 1)

    let resettable = Store(reducer: appReducer, plugins: [.storeActions], state: AppState())
    resettable.reset(to: AppState())
    resettable.dispatch(SetMovie(id: 1, title: "Playtime"))
    #expect(resettable.state.movies.count == 1)
    resettable.reset(to: AppState())
    #expect(resettable.state.movies.isEmpty)

    let dynamic = DynamicMiddleware<AppState>()
    let changing = Store(reducer: appReducer, middleware: [dynamic.middleware], state: AppState())
    let added = dynamic.add(timing)
    dynamic.remove(added)
    changing.dispatch(SetMovie(id: 1, title: "Playtime"))
    #expect(changing.state.movies.count == 1)
  }

  @Test("every Swift example in it stands in the tests, to the letter")
  func examplesAreTested() throws {
    try GuideExamples(of: "Documentation/Plugging-in.md").expectTested(
      in: "Tests/GuideTests/PluggingInExample.swift", "Tests/GuideTests/PluggingInTests.swift",
      "Tests/GuideTests/ReadmeTests.swift", atLeast: 6)
  }
}
