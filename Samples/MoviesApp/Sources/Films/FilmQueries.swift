import Flux

/// A query for the list of films, which is fetched page by page.
struct FilmPages: PaginatedQuery {
  let filter: FilmFilter

  var pagination: LimitOffsetPaginationStrategy { LimitOffsetPaginationStrategy(limit: 12) }
  var policy: WorkPolicy { .filmRequest }

  /// Each film of a page is also the result of ``FilmByID``, so its screen appears immediately.
  var entities: [EntityPath<Value>] { [.each(FilmByID.self, inPages: \.items)] }

  func fetchPage(
    _ position: PagePosition, in context: RequestContext<AppState>
  ) async throws -> ListPage<Film> {
    let service = try context.services((any MovieService).self)
    let page = try await service.films(matching: filter, limit: pagination.limit, offset: position.offset)
    return ListPage(page.films, total: page.total)
  }
}

/// A query for one film.
struct FilmByID: EntityQuery {
  let id: Int

  var policy: WorkPolicy { .filmRequest }

  func fetch(in context: RequestContext<AppState>) async throws -> Film {
    try await context.services((any MovieService).self).film(id)
  }
}

/// A query for the films that a search finds.
struct FilmsAbout: Query {
  let words: String

  var policy: WorkPolicy { .filmRequest }
  var entities: [EntityPath<[Film]>] { [.each(FilmByID.self, in: \.self)] }

  func fetch(in context: RequestContext<AppState>) async throws -> [Film] {
    try await context.services((any MovieService).self).films(about: words)
  }
}

extension WorkPolicy {
  /// One attempt with a time limit, because the views show a button that tries again.
  fileprivate static var filmRequest: WorkPolicy { .leading.timingOut(after: .seconds(10)) }
}

extension QueryFailure {
  /// The sentence that describes the failure to the user.
  var message: String {
    code == .timedOut ? "The server did not answer in time." : description
  }
}
