import Flux
import TestSupport
import Testing

@Suite("Sources/FluxMiddleware/FluxMiddleware.docc/TimeTravel.md")
struct TimeTravelTests {
  @Test("its history undoes, redoes, jumps, and skips entries")
  func undoing() {
    let history = History<AppState>(limit: 200, grouping: .byType(SetMovie.self))
    let undoable = Store(reducer: appReducer, plugins: [history.plugin], state: AppState())

    undoable.dispatch(SetMovie(id: 1, title: "Playtime"))
    undoable.dispatch(HistoryAction.undo)
    undoable.dispatch(HistoryAction.redo)
    #expect(history.canUndo)
    #expect(undoable.state.movies == [1: "Playtime"])

    let record = history.record
    for entry in record.entries {
      let isDone = entry.position <= record.position
      print(isDone ? "✓" : " ", entry.position, entry.action)
    }
    if let first = record.entries.first {
      undoable.dispatch(HistoryAction.jump(to: first.id))
      undoable.dispatch(HistoryAction.skip(first.id))
      undoable.dispatch(HistoryAction.unskip(first.id))
    }
    undoable.dispatch(HistoryAction.jump(to: record.count))
    #expect(record.count == 1)
    #expect(undoable.state.movies == [1: "Playtime"])

    undoable.dispatch(HistoryAction.jump(to: 0))
    undoable.dispatch(SetMovie(id: 1, title: "Mon Oncle"))
    if let branch = history.record.branches.last {
      undoable.dispatch(HistoryAction.jump(to: branch.last))
    }
    #expect(undoable.state.movies == [1: "Playtime"])
    #expect(history.record.branches.count == 1)

    undoable.dispatch(HistoryAction.undo)
    #expect(undoable.state.movies.isEmpty)
  }

  @Test("its grouping undoes the typing into one title as one step")
  func grouping() {
    let history = History<AppState>(grouping: typing)
    let store = Store(reducer: appReducer, plugins: [history.plugin], state: AppState())
    store.dispatch(SetMovie(id: 1, title: "Trafic"))
    for title in ["P", "Pl", "Pla"] { store.dispatch(SetMovie(id: 2, title: title)) }
    store.dispatch(HistoryAction.undo)
    #expect(store.state.movies == [1: "Trafic"])
  }

  @Test("its history of a part keeps the rest of the state")
  func part() {
    let titlesOnly = History<AppState>(named: "titles", records: .only(SetMovie.self))
    let partly = Store(
      reducer: sessionReducer, plugins: [lift(titlesOnly.plugin, to: \.app)], state: Session())

    partly.dispatch(SetMovie(id: 1, title: "Playtime"))
    partly.dispatch(HistoryAction.undo.in("titles"))
    #expect(partly.state.app.movies.isEmpty)
    #expect(partly.state.visits == 1)
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

  @Test("every Swift example of the page is in the tests, word for word")
  func examplesAreTested() throws {
    try GuideExamples(of: "Sources/FluxMiddleware/FluxMiddleware.docc/TimeTravel.md").expectTested(
      in: "Tests/GuideTests/TimeTravelExample.swift", "Tests/GuideTests/TimeTravelTests.swift", atLeast: 7)
  }
}
