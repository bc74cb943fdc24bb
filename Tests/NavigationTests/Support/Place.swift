import FluxNavigation

/// A place of the app in the tests.
enum Place: Hashable, Codable, Sendable {
  case list
  case film(Int)
  case reviews(film: Int, page: Int)
  case search(String, page: Int)
  case browse(genre: Genre?)
  case about
}

enum Genre: String, Hashable, Codable, Sendable {
  case comedy, drama
}
