import FluxAsync
import FluxCore
import FluxTesting
import XCTest

final class ExplorationInXCTest: XCTestCase {
  func testAProgramWithoutRacesPassesInAllOrders() async {
    let report = await explore { run in
      let store = run.searchStore()
      run.eventually("the last words are shown") { (state: SearchState) in state.found == ["ab!"] }
      store.send(Search("a", .latest))
      store.send(Search("ab", .latest))
    }
    XCTAssertTrue(report.isComplete)
    XCTAssertNil(report.failure)
  }

  func testABrokenRuleIsReportedAtTheLineOfTheCall() async {
    let reports = Reports()
    let report = await explore(reporter: reports.reporter, line: 7) { run in
      let store = run.searchStore()
      run.eventually("the last words are shown") { (state: SearchState) in state.found == ["ab!"] }
      store.send(Search("a"))
      store.send(Search("ab"))
    }
    XCTAssertNotNil(report.failure)
    XCTAssertEqual(reports.all.map(\.location.line), [7])
  }
}

final class SearchTests: XCTestCase {
  func testTheFilmsForTheLastWordsAreShown() async {
    await explore { run in
      let store = run.browser()
      run.eventually("the films for the last words are shown") { (state: Browser) in
        state.films == ["a film about ab"]
      }
      store.send(FixedSearch(words: "a"))
      store.send(FixedSearch(words: "ab"))
    }
  }
}
