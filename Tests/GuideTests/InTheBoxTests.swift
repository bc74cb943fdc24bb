import Flux
import TestSupport
import Testing

@Suite("Sources/FluxMiddleware/FluxMiddleware.docc/InTheBox.md")
struct InTheBoxTests {
  @Test("its logging plug-in writes log lines")
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

  @Test("its redaction removes a password from the log, the difference, and the export")
  func secret() throws {
    let lines = Recorder<String>()
    let log = LogSink { lines.record($0) }.buffered()
    let secrets = Redaction.fields("password", "token")
    let signing = History<Member>()
    let discreet = Store(
      reducer: memberReducer,
      plugins: [signing.plugin, .logging(redacting: secrets, sink: log)],
      state: Member())
    let before = discreet.state
    discreet.dispatch(SignIn(name: "Ada", password: "swordfish"))

    let difference = StateDifference(from: before, to: discreet.state, redacting: secrets)
    let report = try signing.export(from: discreet, with: ActionRegistry(SignIn.self), redacting: secrets)
    log.flush()
    let guide = try GuideExamples.text(of: "Sources/FluxMiddleware/FluxMiddleware.docc/InTheBox.md")
    let line = try #require(lines.values.first)
    // The guide's line, except for the duration.
    #expect(guide.contains(line[...(line.lastIndex(of: "(") ?? line.startIndex)]))
    #expect(line.contains("\(difference)"))
    #expect(!String(decoding: report, as: UTF8.self).contains("swordfish"))
    #expect(discreet.state.password == "swordfish")
  }

  @Test("its thunks run, and return a result")
  func runningThunks() {
    let thunks = Store(reducer: appReducer, middleware: [thunkMiddleware()], state: AppState())
    thunks.dispatch(addIfRoom)
    let id = thunks.dispatch(nextID)
    #expect(thunks.state.movies == [0: "Untitled"])
    #expect(id == 1)
  }

  @Test("its thunk finds its dependencies")
  func servedThunks() {
    let charts = Charts(bestTitle: { "Playtime" })
    let served = Store(reducer: appReducer, middleware: [thunkMiddleware(with: charts)], state: AppState())
    served.dispatch(addBest)
    #expect(served.state.movies == [0: "Playtime"])
  }

  @Test("its checks find no problems, its reset resets, and its middleware is added and removed")
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

  @Test("every Swift example of the page is in the tests, word for word")
  func examplesAreTested() throws {
    try GuideExamples(of: "Sources/FluxMiddleware/FluxMiddleware.docc/InTheBox.md").expectTested(
      in: "Tests/GuideTests/InTheBoxExample.swift", "Tests/GuideTests/InTheBoxTests.swift", atLeast: 11)
  }
}
