/// A film of the library.
package struct Film: Codable, Equatable, Identifiable, Sendable, CustomStringConvertible {
  package let id: Int
  package let title: String
  package let year: Int
  package let director: String
  package let genres: [String]
  package let minutes: Int
  package let synopsis: String

  package var description: String { "\(title) (\(year))" }
}

/// A page of the library, in the form of the data files and the server.
package struct FilmPage: Codable, Equatable, Sendable, CustomStringConvertible {
  /// The number of this page; the first is 1.
  package let page: Int
  /// The number of pages.
  package let pages: Int
  /// The number of films on all pages.
  package let total: Int
  package var films: [Film]

  package var description: String { "\(films.count) films" }
}
