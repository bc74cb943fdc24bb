/// A film of the library.
package struct Film: Codable, Equatable, Identifiable, Sendable {
  package let id: Int
  package let title: String
  package let year: Int
  package let director: String
  package let genres: [String]
  package let minutes: Int
  package let synopsis: String
}

/// A page of the library, as the data files and the server have it.
package struct FilmPage: Codable, Equatable, Sendable, CustomStringConvertible {
  /// The number of this page; the first is 1.
  package let page: Int
  /// How many pages there are.
  package let pages: Int
  /// How many films there are on all of them.
  package let total: Int
  package let films: [Film]

  package var description: String { "\(films.count) films" }
}
