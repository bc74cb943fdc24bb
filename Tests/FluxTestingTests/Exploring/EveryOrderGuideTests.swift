import FluxAsync
import FluxCore
import FluxTesting
import TestSupport
import Testing

@Suite("Sources/FluxTesting/FluxTesting.docc/TestingEveryOrder.md", .catchesRecordedIssues, .unlessItHangs)
struct EveryOrderGuideTests {
  private static let page = "Sources/FluxTesting/FluxTesting.docc/TestingEveryOrder.md"

  @Test func searchShowsTheLastWords() async {
    await explore { run in
      let store = run.browser()
      store.send(SearchFilms(words: "a"))
      store.send(SearchFilms(words: "ab"))
      await run.untilQuiet()
      #expect(store.state.films == ["a film about ab"])
    }
  }

  @Test("the failure of the guide is the report of its test")
  func failure() async throws {
    await searchShowsTheLastWords()
    let comment = try #require(CaughtIssues.only?.comments.first)
    #expect(try GuideExamples(of: Self.page).output == "\(comment)\n")
  }

  @Test func anyPolicyButTheLatestFails() async throws {
    await explore { run in
      let store = run.browser()
      store.send(FixedSearch(words: "a"))
      store.send(FixedSearch(words: "ab"))
      await run.untilQuiet()
      #expect(store.state.films == ["a film about ab"])
    }
    #expect(CaughtIssues.all.isEmpty)
  }

  @Test func closedScreensStayEmpty() async {
    await explore { run in
      let store = run.browser()
      run.always("a closed screen is empty") { (state: Browser) in
        state.isOpen || state.films.isEmpty
      }
      store.send(FixedSearch(words: "a"))
      run.may("close the screen") { store.send(CloseBrowser()) }
    }
    #expect(CaughtIssues.all.isEmpty)
  }

  @Test func searchesFailAfterASecond() async {
    await explore { run in
      let store = run.browser()
      store.send(HurriedSearch(words: "a"))
      await run.untilQuiet()
      #expect(store.state.films == ["a film about a"] || store.state.hasFailed)
    }
    #expect(CaughtIssues.all.isEmpty)
  }

  @Test("every Swift example of the guide is in these tests, word for word")
  func examplesAreTested() throws {
    try GuideExamples(of: Self.page).expectTested(
      in: "Tests/FluxTestingTests/Exploring/EveryOrderGuideTests.swift",
      "Tests/FluxTestingTests/Exploring/EveryOrderExample.swift", atLeast: 7)
  }
}
