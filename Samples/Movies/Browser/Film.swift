/// A film of the library.
public struct Film: Codable, Equatable, Identifiable, Sendable {
  public let id: Int
  public let title: String
  public let year: Int
  public let director: String
  public let genres: [String]
  public let minutes: Int
  public let synopsis: String
}

/// A page of the library, as the data files and the server have it.
public struct FilmPage: Codable, Equatable, Sendable {
  /// The number of this page; the first is 1.
  public let page: Int
  /// How many pages there are.
  public let pages: Int
  /// How many films there are on all of them.
  public let total: Int
  public let films: [Film]
}
