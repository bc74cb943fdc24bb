import Flux

/// Fetches what a place needs, and shows the place.
///
/// Only one visit runs at a time: a new visit cancels the previous visit.
struct Visit: AsyncRequest, CustomStringConvertible {
  /// The id for canceling this request and the request of a search.
  static let id = "visit"

  /// An action that stops the visit or the search, and all requests for films.
  static let stop = CancelWork(id: Visit.id) + CancelWork(of: FetchQuery.self)

  let place: Place

  var policy: WorkPolicy { .latest.shared(by: Visit.id) }

  func perform(in context: RequestContext<BrowserState>) async throws(QueryFailure) {
    switch place {
    case .page(let number): _ = try await context.store.fetch(FilmsOnPage(number: number))
    case .film(let id): _ = try await context.store.fetch(FilmByID(id: id))
    case .found:
      // The server has no search, so the program searches the films of all pages.
      while let page = context.store.state?.missingPage { _ = try await context.store.fetch(page) }
    case .marks:
      // Other commands need the number of films, which each page contains.
      if context.store.state?.pages.isEmpty == true {
        _ = try await context.store.fetch(FilmsOnPage(number: 1))
      }
    }
  }

  var description: String { "Visit(place: \(place))" }
}

extension RequestFailure<QueryFailure> {
  /// The error of a load, or `nil` if the load was stopped.
  var trouble: QueryFailure? {
    guard case .failed(let failure) = self, failure.code != .aborted else { return nil }
    return failure
  }
}
