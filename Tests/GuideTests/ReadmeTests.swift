import Flux
import Synchronization
import TestSupport
import Testing

@Suite("The README")
struct ReadmeTests {
  @Test("its sixty seconds run, and load through the async action")
  func sixtySeconds() async {
    let store = Store(reducer: appReducer, middleware: [counting], state: AppState())

    let token = store.subscribe(to: \.movies) { movies in
      print("showing \(movies.values.sorted())")
    }

    store.dispatch(SetMovie(id: 1, title: "Playtime"))
    store.dispatch(FetchMovie(id: 2))

    var waiting: SubscriptionToken?
    await withCheckedContinuation { loaded in
      waiting = store.subscribe(first: { $0.movies[2] != nil }) { _ in loaded.resume() }
    }
    waiting?.cancel()
    token.cancel()
    #expect(store.state.movies == [1: "Playtime", 2: "Film 2"])
  }

  @Test("its familiar reducer does what its handlers do")
  func familiar() {
    let store = Store<AppState>(reducer: familiarReducer, middleware: nil, state: AppState())
    store.dispatch(action: SetMovie(id: 1, title: "Playtime"))
    #expect(store.state.movies == [1: "Playtime"])
  }

  @Test("its subscriptions call what they say")
  func subscriptions() {
    let store = Store(reducer: appReducer, state: AppState())
    let screen = Screen()
    var tokens: Set<SubscriptionToken> = []

    store.subscribe(to: \.movies.count) { old, new in print(old ?? 0, "→", new) }.store(in: &tokens)
    store.subscribe(first: { $0.movies.count > 9 }) { state in print("ten") }.store(in: &tokens)
    store.subscribe(owner: screen, to: \.movies) { screen, movies in screen.show(movies) }

    store.dispatch(SetMovie(id: 1, title: "Playtime"))
    #expect(tokens.count == 2)
    #expect(screen.shown == ["Playtime"])
  }

  @Test("its combined reducer and its selector work together")
  func parts() {
    let session = Store(reducer: sessionReducer, state: Session())
    session.dispatch(SetMovie(id: 1, title: "Playtime"))
    #expect(titles(session.state) == ["Playtime"])
    #expect(titles(session.state) == ["Playtime"])
    #expect(titles.recomputations == 1)
    #expect(session.state.visits == 1)
    let sorted = session.subscribe(to: titles.select) { titles in print(titles) }
    sorted.cancel()
  }

  @Test("its plug-in sees the states around an action")
  func plugin() {
    let audit = Plugin<AppState>(
      onTransition: .states { step in
        print(step.version, step.action, step.before.movies.count, step.after.movies.count)
      })
    let store = Store(reducer: appReducer, plugins: [audit], state: AppState())
    store.dispatch(SetMovie(id: 1, title: "Playtime"))
    #expect(store.state.movies.count == 1)
  }

  @Test("every Swift example in it stands in the tests or the samples, to the letter")
  func examplesAreTested() throws {
    try GuideExamples(of: "README.md").expectTested(
      in: "Tests/GuideTests/ReadmeExample.swift", "Tests/GuideTests/ReadmeTests.swift",
      "Samples/Movies/Browser/WishLimit.swift", "Samples/Board/Board/State/BoardReducer.swift",
      "Samples/Board/Board/Journal/Journal.swift", "Samples/Board/Board/BoardApp.swift", Self.inspector,
      atLeast: 10)
  }

  @Test("every Swift example of the inspector's README stands in its tests, to the letter")
  func inspectorExamplesAreTested() throws {
    try GuideExamples(of: "Inspector/README.md").expectTested(in: Self.inspector, atLeast: 4)
  }

  private static let inspector = "Inspector/Tests/FluxInspectorTests/ReadmeExample.swift"
}

/// What the README's example gets from its server.
func titleFromServer(_ id: Int) async -> String {
  "Film \(id)"
}

/// What the README's example shows movies on.
final class Screen: Sendable {
  private let text = Mutex<[String]>([])

  var shown: [String] { text.withLock { $0 } }

  func show(_ movies: [Int: String]) {
    text.withLock { $0 = movies.values.sorted() }
  }
}
