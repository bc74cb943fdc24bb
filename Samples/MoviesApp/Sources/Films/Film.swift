import Flux

/// A film.
struct Film: Codable, Hashable, Identifiable, Sendable {
  let id: Int
  let title: String
  let year: Int
  let director: String
  let genres: [String]
  let minutes: Int
  let synopsis: String

  /// The director and the year, in one line.
  var credit: String { "\(director), \(year)" }
}

/// The films that the list shows.
///
/// The filter is a form whose fields a `BindingAction` sets, and a part of the query of the list.
struct FilmFilter: FluxState, Hashable {
  /// A Boolean value that indicates whether the list shows only films under 90 minutes.
  var requiresShort = false
  /// A Boolean value that indicates whether the list shows only films before 1930.
  var requiresEarly = false

  /// A Boolean value that indicates whether the list shows all films.
  var acceptsAll: Bool { self == FilmFilter() }

  func accepts(_ film: Film) -> Bool {
    (!requiresShort || film.minutes < 90) && (!requiresEarly || film.year < 1930)
  }
}
