import Flux

/// A film in the library.
struct Film: Codable, Hashable, Sendable, Identifiable {
  let id: Int
  var title: String
  var rating: Double
  var isSeen = false
}

/// A library of films, with one member.
struct Library: FluxState, Codable, Equatable {
  struct Member: Codable, Equatable, Sendable {
    var name: String
    var password: String
  }

  var films: OrderedState<Film> = OrderedState()
  var member: Member?
  var tags: [String: Set<Int>] = [:]
  var seconds = 0

  static let titles = [
    "Heat", "Stalker", "Playtime", "Ran", "Alien", "Solaris", "Vertigo", "Metropolis", "Paris, Texas", "M",
  ]
}

struct AddFilm: Action, Codable {
  let title: String
  let rating: Double
}

struct RenameFilm: Action, Codable {
  let id: Int
  let title: String
}

struct SeeFilm: Action, Codable {
  let id: Int
}

struct RemoveFilm: Action, Codable {
  let id: Int
}

struct Tag: Action, Codable {
  let film: Int
  let tag: String
}

struct SignIn: Action, Codable {
  let name: String
  let password: String
}

struct SecondPassed: Action, Codable {}

let libraryActions = ActionRegistry(
  AddFilm.self, RenameFilm.self, SeeFilm.self, RemoveFilm.self, Tag.self, SignIn.self, SecondPassed.self)

let libraryReducer = ActionHandlers<Library> {
  on(AddFilm.self) { library, action in
    let id = (library.films.last?.id ?? 0) + 1
    library.films.append(Film(id: id, title: action.title, rating: action.rating))
  }
  on(RenameFilm.self) { library, action in library.films[id: action.id]?.title = action.title }
  on(SeeFilm.self) { library, action in library.films[id: action.id]?.isSeen = true }
  on(RemoveFilm.self) { library, action in library.films[id: action.id] = nil }
  on(Tag.self) { library, action in library.tags[action.tag, default: []].insert(action.film) }
  on(SignIn.self) { library, action in
    library.member = Library.Member(name: action.name, password: action.password)
  }
  on(SecondPassed.self) { library, _ in library.seconds += 1 }
}

/// The state of a second store: the screen that the program shows.
struct Screen: FluxState, Codable, Equatable {
  var isDark = false
  var shown = "films"
}

struct SetDark: Action, Codable {
  let isDark: Bool
}

struct Show: Action, Codable {
  let name: String
}

let screenActions = ActionRegistry(SetDark.self, Show.self)

let screenReducer = ActionHandlers<Screen> {
  on(SetDark.self) { screen, action in screen.isDark = action.isDark }
  on(Show.self) { screen, action in screen.shown = action.name }
}
