package import Flux

/// A query for one page of the library.
package struct FilmsOnPage: Query {
  /// The maximum number of attempts of a request.
  static let attempts = 4

  let number: Int

  package init(number: Int) {
    self.number = number
  }

  /// A policy that retries temporary failures with increasing delays.
  package var policy: WorkPolicy {
    let backoff = Backoff.exponential(from: .milliseconds(500), jitter: 0.5)
    return .leading.retrying(
      .times(FilmsOnPage.attempts - 1, backoff: backoff) { error in
        // A `WorkError` indicates that an attempt timed out.
        (error as? MovieServiceError)?.mayPass ?? (error is WorkError)
      })
  }

  /// Each film of the page is also the result of ``FilmByID``.
  package var entities: [EntityPath<FilmPage>] { [.each(FilmByID.self, in: \.films)] }

  /// The lifetime, which is unlimited because films do not change on the server.
  package var lifetimeWithoutSubscribers: Duration? { nil }

  package func fetch(in context: RequestContext<BrowserState>) async throws -> FilmPage {
    try await context.services((any MovieService).self).page(number)
  }

  /// Returns the text that describes a failure to the user.
  func text(of failure: QueryFailure) -> String {
    failure.code == .timedOut ? "Page \(number) timed out." : failure.description
  }
}
