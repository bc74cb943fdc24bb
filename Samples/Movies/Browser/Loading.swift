package import Flux

/// Asks for one page of the library, unless it is there or on its way.
///
/// How often it tries, and how long each try may take, is said by ``loadingPolicy(timeout:)`` where the store is made.
package struct LoadPage: AsyncRequest, CustomStringConvertible {
  /// How often a page is asked for before it is given up.
  static let tries = 4

  let number: Int
  let service: any MovieService

  package init(number: Int, service: any MovieService) {
    self.number = number
    self.service = service
  }

  package func isWanted(in state: BrowserState) -> Bool {
    state.library.pages[number] == nil && state.library.loading[number] == nil
  }

  package func perform(in context: RequestContext<BrowserState>) async throws(MovieServiceError) -> FilmPage {
    context.dispatch(PageTried(number: number))
    do {
      return try await service.page(number)
    } catch {
      // Of a try that took too long this goes nowhere: it is over.
      context.dispatch(PageMissed(number: number, trouble: error))
      throw error
    }
  }

  package var description: String { "LoadPage(number: \(number))" }
}

/// Tries again what may be better the next time, waiting longer each time, and gives each try so much time.
func loadingPolicy(timeout: Duration) -> WorkPolicy {
  let backoff = Backoff.exponential(from: .milliseconds(500), jitter: 0.5)
  return .every.timingOut(after: timeout).retrying(
    .times(LoadPage.tries - 1, backoff: backoff) { error in
      (error as? MovieServiceError)?.mayPass ?? true
    })
}

/// Loads the pages that a screen needs, one after another, and shows it.
///
/// There is one at a time: the screen that was asked for before is no longer wanted.
struct Visit: AsyncRequest, CustomStringConvertible {
  /// What it is cancelled by, and whatever else loads pages.
  static let id = "loading"

  let screen: BrowserState.Screen
  let service: any MovieService

  var policy: WorkPolicy { .latest.shared(by: Visit.id) }

  func perform(in context: RequestContext<BrowserState>) async throws(MovieServiceError) {
    while let number = context.store.state?.library.missingPage(for: screen) {
      try await context.loadPage(number, from: service)
    }
  }

  var description: String { "Visit(screen: \(screen))" }
}

extension RequestContext<BrowserState> {
  /// Loads a page as part of a greater work, and is cancelled with it.
  func loadPage(_ number: Int, from service: any MovieService) async throws(MovieServiceError) {
    do throws(RequestFailure<MovieServiceError>) {
      _ = try await store.request(LoadPage(number: number, service: service)).value
    } catch {
      switch error {
      case .failed(let trouble): throw trouble
      case .timedOut: throw .timedOut(page: number)
      case .aborted, .unwanted, .notStarted, .otherState:
        throw MovieServiceError(.unreachable, "Page \(number) was not loaded: \(error).")
      }
    }
  }
}
