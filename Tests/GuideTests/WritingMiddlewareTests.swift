import Flux
import TestSupport
import Testing

@Suite("Sources/FluxCore/FluxCore.docc/WritingMiddleware.md")
struct WritingMiddlewareTests {
  @Test("its middleware behaves as described")
  func middleware() {
    let store = Store(reducer: appReducer, middleware: [timing, receipts, polite, twice], state: AppState())
    store.dispatch(SetMovie(id: 1, title: "playtime"))
    store.dispatch(SetMovie(id: 2, title: ""))
    #expect(store.state.movies == [1: "PLAYTIME"])
  }

  @Test("its lifted middleware and plug-in use the part")
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

  @Test("Its plug-in receives the states around an action")
  func plugin() {
    let audit = Plugin<AppState>(
      onTransition: .states { step in
        print(step.version, step.action, step.before.movies.count, step.after.movies.count)
      })
    let store = Store(reducer: appReducer, plugins: [audit], state: AppState())
    store.dispatch(SetMovie(id: 1, title: "Playtime"))
    #expect(store.state.movies.count == 1)
  }

  @Test("every Swift example of the page is in the tests, word for word")
  func examplesAreTested() throws {
    try GuideExamples(of: "Sources/FluxCore/FluxCore.docc/WritingMiddleware.md").expectTested(
      in: "Tests/GuideTests/WritingMiddlewareExample.swift",
      "Tests/GuideTests/WritingMiddlewareTests.swift", atLeast: 6)
  }
}
