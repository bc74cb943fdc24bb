/// A source of films, such as a server.
protocol MovieService: Sendable {
  /// Returns a part of the films that a filter accepts, and the number of all these films.
  func films(
    matching filter: FilmFilter, limit: Int, offset: Int
  ) async throws -> (films: [Film], total: Int)

  /// Returns the film with an id.
  func film(_ id: Int) async throws -> Film

  /// Returns the films whose title or director contains some words.
  func films(about words: String) async throws -> [Film]
}

/// An error of a service.
struct MovieServiceError: Error, Hashable, CustomStringConvertible {
  /// The sentence that describes the error to the user.
  let description: String
}
