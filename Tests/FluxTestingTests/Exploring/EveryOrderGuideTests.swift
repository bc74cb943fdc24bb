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

  @Test func savesEnd() async {
    await explore { run in
      let store = run.browser()
      store.send(SaveFilms(number: 1))
      store.send(SaveFilms(number: 2))
    }
  }

  @Test("the failures of the guide are the reports of its tests")
  func failures() async throws {
    await searchShowsTheLastWords()
    await savesEnd()
    let comments = CaughtIssues.all.flatMap(\.comments)
    #expect(try GuideExamples(of: Self.page).output == comments.map { "\($0)\n" }.joined())
  }

  @Test("the replay in the guide, which another process has made, repeats the order")
  func replay() async throws {
    let story = try GuideExamples(of: Self.page).output.split(separator: "\n")[1..<5]
    let report = await explore(.replay("order-2:ikztbh-bt9fxt")) { run in
      let store = run.browser()
      store.send(SearchFilms(words: "a"))
      store.send(SearchFilms(words: "ab"))
      await run.untilQuiet()
      #expect(store.state.films == ["a film about ab"])
    }
    let events = try #require(report.failure).story.split(separator: " → ").prefix(4)
    #expect(story.map { $0.drop { " →".contains($0) } } == Array(events))
  }

  @Test func latestSearchShowsTheLastWords() async {
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

  @Test func appsOwnTheirStores() async {
    await explore { run in
      let app = SearchApp(service: HeldFilms(run: run), plugins: [run.plugin()])
      run.always("a closed screen is empty") { (state: Browser) in
        state.isOpen || state.films.isEmpty
      }
      app.search(for: "a")
      run.may("close the screen") { app.close() }
    }
    #expect(CaughtIssues.all.isEmpty)
  }

  @Test("every Swift example of the guide is in these tests, word for word")
  func examplesAreTested() throws {
    try GuideExamples(of: Self.page).expectTested(
      in: "Tests/FluxTestingTests/Exploring/EveryOrderGuideTests.swift",
      "Tests/FluxTestingTests/Exploring/EveryOrderExample.swift",
      "Tests/FluxTestingTests/Exploring/ExplorationInXCTest.swift", atLeast: 11)
  }
}
