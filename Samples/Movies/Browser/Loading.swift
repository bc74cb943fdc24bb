package import Flux

/// Requests one page of the library, unless the page is loaded or being loaded.
///
/// The store has the policy ``loadingPolicy(timeout:)``, which determines the number of attempts
/// and their time limit.
package struct LoadPage: AsyncRequest, CustomStringConvertible {
  /// The maximum number of attempts for a page.
  static let tries = 4

  let number: Int

  package init(number: Int) {
    self.number = number
  }

  package func isWanted(in state: BrowserState) -> Bool {
    state.library.pages[number] == nil && state.library.loading[number] == nil
  }

  package func perform(in context: RequestContext<BrowserState>) async throws(MovieServiceError) -> FilmPage {
    context.dispatch(PageTried(number: number))
    do {
      return try await context.movies().page(number)
    } catch {
      // If the attempt timed out, this dispatch has no effect, because the attempt is over.
      context.dispatch(PageMissed(number: number, trouble: error))
      throw error
    }
  }

  package var description: String { "LoadPage(number: \(number))" }
}

/// Returns a policy that retries temporary failures with increasing delays, and limits the time
/// of each attempt.
func loadingPolicy(timeout: Duration) -> WorkPolicy {
  let backoff = Backoff.exponential(from: .milliseconds(500), jitter: 0.5)
  return .every.timingOut(after: timeout).retrying(
    .times(LoadPage.tries - 1, backoff: backoff) { error in
      (error as? MovieServiceError)?.mayPass ?? true
    })
}

/// Loads the pages that a screen needs, one after another, and shows the screen.
///
/// Only one visit runs at a time: a new visit cancels the previous visit.
struct Visit: AsyncRequest, CustomStringConvertible {
  /// The id with which this request and every other load of pages can be canceled.
  static let id = "loading"

  let screen: BrowserState.Screen

  var policy: WorkPolicy { .latest.shared(by: Visit.id) }

  func perform(in context: RequestContext<BrowserState>) async throws(MovieServiceError) {
    while let number = context.store.state?.library.missingPage(for: screen) {
      try await context.loadPage(number)
    }
  }

  var description: String { "Visit(screen: \(screen))" }
}

extension RequestContext<BrowserState> {
  /// Returns the source of the films.
  fileprivate func movies() throws(MovieServiceError) -> any MovieService {
    do {
      return try services((any MovieService).self)
    } catch {
      throw MovieServiceError(.notProvided, error.description)
    }
  }

  /// Loads a page as part of other work, and is canceled with that work.
  func loadPage(_ number: Int) async throws(MovieServiceError) {
    do throws(RequestFailure<MovieServiceError>) {
      _ = try await store.request(LoadPage(number: number)).value
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
