import Flux
import FluxTesting
import Foundation
import MovieBrowser
import Testing

/// A service whose answers come in any order.
private struct HeldMovies: MovieService {
  let run: ExplorationRun
  let failures: [MovieServiceError]

  func page(_ number: Int) async throws(MovieServiceError) -> FilmPage {
    do {
      return try await run.answer(to: "page \(number)", failing: failures) {
        try FilmPage(json: Data(pageJSON(number, of: 2).utf8), number: number, source: "a test")
      }
    } catch {
      throw error as? MovieServiceError ?? MovieServiceError(.unreachable, "\(error)")
    }
  }
}

// Each attempt has a time limit, and failed attempts are repeated, so there are too many orders to
// try them all.
@Suite("Loading films, in random orders")
struct ExploredLoadingTests {
  private func browser(_ run: ExplorationRun, failing failures: [MovieServiceError]) -> Browser {
    Browser(
      service: HeldMovies(run: run, failures: failures), timeout: .seconds(10), clock: run.clock,
      storage: InMemoryStorage(), plugins: [run.plugin()], tell: { _ in })
  }

  @Test("a page is shown, or its error, or the user has stopped, and no load is left")
  func page() async {
    let missing = MovieServiceError(.missing, "There is no such page.")
    let report = await explore(.random(seed: 1, runs: 200)) { run in
      let browser = browser(run, failing: [missing])
      _ = browser.begin("list")
      run.may("stop") { _ = browser.begin("") }
      await run.untilQuiet()
      let state = browser.store.state
      #expect(!state.display.isWaiting)
      #expect(state.queries.pendingRequests == 0)
      #expect(state.pages.count <= 1)
    }
    #expect(report.failure == nil)
  }

  @Test("of two visits, the screen of the second visit is shown")
  func twoVisits() async {
    let report = await explore(.random(seed: 1, runs: 200)) { run in
      let browser = browser(run, failing: [])
      _ = browser.begin("list")
      _ = browser.begin("search film")
      await run.untilQuiet()
      let state = browser.store.state
      switch state.display.screen {
      case .place(.found("film")), .foundInPart("film", _): break
      default: Issue.record("the screen is \(state.display.screen)")
      }
      #expect(state.queries.pendingRequests == 0)
    }
    #expect(report.failure == nil)
  }

  @Test("failed attempts are repeated until a page is loaded or the last attempt has failed")
  func retries() async {
    let report = await explore(.random(seed: 1, runs: 200)) { run in
      let browser = browser(run, failing: [MovieServiceError(.failing, "The server has a cold.")])
      _ = browser.begin("list")
      await run.untilQuiet()
      let state = browser.store.state
      #expect(state.queries.pendingRequests == 0)
      #expect(state.display.screen == .place(.page(1)) || state.pages.isEmpty)
    }
    #expect(report.failure == nil)
  }
}
