// The declarations of Queries.md, which `QueryGuideTests` compares with the page word for word.

import FluxAsync
import FluxCore
import FluxLists
import FluxQuery

extension QueryGuideTests {
  struct Film: Hashable, Sendable {
    let id: Int
    var title: String
  }

  struct Person: Hashable, Identifiable, Sendable {
    let id: Int
    var name: String
  }

  /// The server of the page's examples.
  protocol FilmService: Sendable {
    func film(_ id: Int) async throws -> Film
    func films(about words: String) async throws -> [Film]
    func newest(limit: Int, offset: Int) async throws -> [Film]
    func rename(_ id: Int, to title: String) async throws -> Film
    func person(_ id: Int) async throws -> Person
    func cast(of film: Int) async throws -> [Person]
    func comments(on film: Int) async throws -> [String]
    func newComments(on film: Int) -> AsyncStream<String>
  }

  struct AppState: FluxState {
    var queries = QueryCache()
  }

  static let queries = QuerySlice(at: \AppState.queries)

  struct FilmByID: Query {
    let id: Int

    func fetch(in context: RequestContext<AppState>) async throws -> Film {
      try await context.services((any FilmService).self).film(id)
    }

    func tags(for result: Result<Film, QueryFailure>) -> Set<QueryTag> { [.type("Film", id: id)] }
  }

  struct FilmsAbout: Query {
    let words: String
    var policy: WorkPolicy { .leading.retrying(.times(2)).timingOut(after: .seconds(10)) }
    var lifetimeWithoutSubscribers: Duration? { .seconds(5) }

    func fetch(in context: RequestContext<AppState>) async throws -> [Film] {
      try await context.services((any FilmService).self).films(about: words)
    }

    func tags(for result: Result<[Film], QueryFailure>) -> Set<QueryTag> {
      let films = (try? result.get()) ?? []
      return Set(films.map { .type("Film", id: $0.id) } + [.list("Film")])
    }
  }

  struct NewestFilms: PaginatedQuery {
    var pagination: LimitOffsetPaginationStrategy { LimitOffsetPaginationStrategy(limit: 20) }

    func fetchPage(
      _ position: PagePosition, in context: RequestContext<AppState>
    ) async throws -> ListPage<Film> {
      let service = try context.services((any FilmService).self)
      return ListPage(try await service.newest(limit: pagination.limit, offset: position.offset))
    }
  }

  struct RenameFilm: Mutation {
    let id: Int
    let title: String

    func perform(in context: RequestContext<AppState>) async throws -> Film {
      try await context.services((any FilmService).self).rename(id, to: title)
    }

    func optimisticEdits() -> [QueryEdit] {
      [.edit(FilmByID(id: id)) { film in film.title = title }]
    }

    func edits(for film: Film) -> [QueryEdit] { [.write(film, to: FilmByID(id: id))] }

    func invalidatedTags(for result: Result<Film, QueryFailure>) -> Set<QueryTag> { [.list("Film")] }
  }

  struct PersonByID: EntityQuery {
    let id: Int

    func fetch(in context: RequestContext<AppState>) async throws -> Person {
      try await context.services((any FilmService).self).person(id)
    }
  }

  struct CastOfFilm: Query {
    let film: Int

    var entities: [EntityPath<[Person]>] { [.each(PersonByID.self, in: \.self)] }

    func fetch(in context: RequestContext<AppState>) async throws -> [Person] {
      try await context.services((any FilmService).self).cast(of: film)
    }
  }

  struct CommentsOfFilm: StreamingQuery {
    let film: Int

    func fetch(in context: RequestContext<AppState>) async throws -> [String] {
      try await context.services((any FilmService).self).comments(on: film)
    }

    func stream(to entry: QueryUpdates<CommentsOfFilm>) async throws {
      for await comment in try entry.services((any FilmService).self).newComments(on: film) {
        entry.update { comments in
          if !comments.contains(comment) { comments.append(comment) }
        }
      }
    }
  }
}
