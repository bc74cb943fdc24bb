import Flux

/// Fetches the pages that a screen needs, one after another, and shows the screen.
///
/// Only one visit runs at a time: a new visit cancels the previous visit.
struct Visit: AsyncRequest, CustomStringConvertible {
  /// The id for canceling this request and the request of a search.
  static let id = "visit"

  /// An action that stops the visit or the search, and all requests for pages.
  static let stop = CancelWork(id: Visit.id) + CancelWork(of: FetchQuery.self)

  let screen: BrowserState.Screen

  var policy: WorkPolicy { .latest.shared(by: Visit.id) }

  func perform(in context: RequestContext<BrowserState>) async throws(QueryFailure) {
    while let page = context.store.state?.missingPage(for: screen) {
      _ = try await context.store.fetch(page)
    }
  }

  var description: String { "Visit(screen: \(screen))" }
}
