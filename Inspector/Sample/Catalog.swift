import Flux

/// The state of a third store: what a slow server knows about films.
struct Catalog: FluxState {
  var queries = QueryCache()
}

struct NoSuchFilm: Error {
  let id: Int
}

struct FilmTitle: Query {
  let id: Int

  func fetch(in context: RequestContext<Catalog>) async throws -> String {
    try await Task.sleep(for: .milliseconds(400))
    if id % 5 == 0 { throw NoSuchFilm(id: id) }
    return Library.titles[id % Library.titles.count]
  }

  func tags(for result: Result<String, QueryFailure>) -> Set<QueryTag> { [.type("Film", id: id)] }
}

struct AllFilms: Query {
  func fetch(in context: RequestContext<Catalog>) async throws -> [String] {
    try await Task.sleep(for: .milliseconds(800))
    return Library.titles
  }

  func tags(for result: Result<[String], QueryFailure>) -> Set<QueryTag> {
    Set(Library.titles.indices.map { .type("Film", id: $0) } + [.list("Film")])
  }
}

struct CorrectTitle: Mutation {
  let id: Int
  let title: String

  func perform(in context: RequestContext<Catalog>) async throws -> String {
    try await Task.sleep(for: .seconds(2))
    return title
  }

  func optimisticEdits() -> [QueryEdit] { [.edit(FilmTitle(id: id)) { [title] in $0 = title }] }

  func invalidatedTags(for result: Result<String, QueryFailure>) -> Set<QueryTag> { [.type("Film", id: id)] }
}
