import Flux
import Synchronization
import TestSupport
import Testing

@Suite("The README")
struct ReadmeTests {
  @Test("Its program runs, and its task action fetches a movie")
  func program() async {
    let store = Store(reducer: appReducer, plugins: [.logging()], state: AppState())
    let token = store.subscribe(to: \.movies) { movies in print(movies.values.sorted()) }
    store.dispatch(SetMovie(id: 1, title: "Playtime"))
    await store.dispatchAsync(FetchMovie(id: 2)).finished()

    token.cancel()
    #expect(store.state.movies == [1: "Playtime", 2: "Film 2"])
  }

  @Test("Its text has at most 650 words")
  func length() throws {
    let words = try GuideExamples.text(of: "README.md").split(whereSeparator: \.isWhitespace)
    #expect(words.count <= 650)
  }

  @Test("Every Swift example of the page is in the tests, word for word")
  func examplesAreTested() throws {
    try GuideExamples(of: "README.md").expectTested(
      in: "Tests/GuideTests/ReadmeExample.swift", "Tests/GuideTests/ReadmeTests.swift", atLeast: 2)
  }

  @Test("every Swift example of the inspector's README is in its tests, word for word")
  func inspectorExamplesAreTested() throws {
    try GuideExamples(of: "Inspector/README.md").expectTested(in: Self.inspector, atLeast: 4)
  }

  private static let inspector = "Inspector/Tests/FluxInspectorTests/ReadmeExample.swift"
}

/// A screen on which the README's example shows movies.
final class Screen: Sendable {
  private let text = Mutex<[String]>([])

  var shown: [String] { text.withLock { $0 } }

  func show(_ movies: [Int: String]) {
    text.withLock { $0 = movies.values.sorted() }
  }
}
