import Flux

/// Fetches what a screen needs, and shows the screen.
///
/// Only one visit runs at a time: a new visit cancels the previous visit.
struct Visit: AsyncRequest, CustomStringConvertible {
  /// The id for canceling this request and the request of a search.
  static let id = "visit"

  /// An action that stops the visit or the search, and all requests for films.
  static let stop = CancelWork(id: Visit.id) + CancelWork(of: FetchQuery.self)

  let screen: BrowserState.Screen

  var policy: WorkPolicy { .latest.shared(by: Visit.id) }

  func perform(in context: RequestContext<BrowserState>) async throws(QueryFailure) {
    switch screen {
    case .page(let number): _ = try await context.store.fetch(FilmsOnPage(number: number))
    case .film(let id): _ = try await context.store.fetch(FilmByID(id: id))
    case .found:
      // The server has no search, so the program searches the films of all pages.
      while let page = context.store.state?.missingPage { _ = try await context.store.fetch(page) }
    case .welcome, .marks, .help, .trouble: break
    }
  }

  var description: String { "Visit(screen: \(screen))" }
}
