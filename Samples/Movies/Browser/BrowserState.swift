import Flux

/// The state of the film browser.
package struct BrowserState: FluxState, Equatable {
  package var library = Library()
  package var marks = Marks()
  /// What is on show.
  package var display = Display()
  /// What the user does on the screen of panes, where there is one.
  package var panes = Panes()

  package init() {}

  /// The films that have been loaded.
  package struct Library: FluxState, Equatable {
    package var films: [Int: Film] = [:]
    /// The ids of the films on each page that has been loaded.
    package var pages: [Int: [Int]] = [:]
    /// The pages that are on their way, with what came of each try: `nil` while nothing has, or when its time was over.
    package var loading: [Int: [MovieServiceError?]] = [:]
    /// How many pages there are; 1 until the first has told.
    package var pageCount = 1
    /// How many films there are.
    package var total = 0

    /// The first page that has not been loaded.
    var missingPage: Int? { (1...pageCount).first { pages[$0] == nil } }

    /// The first page that a screen needs and that has not been loaded.
    func missingPage(for screen: Screen) -> Int? {
      switch screen {
      case .page(let number): pages[number] == nil ? number : nil
      case .film(let id): films[id] == nil ? missingPage(for: .page(page(ofFilm: id))) : nil
      case .found: missingPage
      case .welcome, .marks, .help, .trouble: nil
      }
    }

    /// The page that a film stands on: they are numbered page by page, with the same number on each but the last.
    private func page(ofFilm id: Int) -> Int {
      let films = pages[1]?.count ?? 0
      return films > 0 ? (id - 1) / films + 1 : 1
    }

    mutating func add(_ page: FilmPage) {
      pageCount = page.pages
      total = page.total
      pages[page.page] = page.films.map(\.id)
      for film in page.films { films[film.id] = film }
    }
  }

  /// What the user has noted of films, in the order in which it was noted.
  package struct Marks: FluxState, Equatable, Codable {
    package var wished: [Int] = []
    package var seen: [Int] = []
  }

  /// What is on show.
  package struct Display: FluxState, Equatable {
    package var screen = Screen.welcome
    /// The page that `list` shows.
    package var page = 1
    /// Counts what was shown, so that the same screen asked for twice is shown twice.
    package var revision = 0
    /// Whether a screen was asked for whose pages are being loaded.
    package var isWaiting = false
    /// What is being found, while the user types what to find.
    package var find: Find?

    mutating func show(_ screen: Screen) {
      if case .page(let number) = screen { page = number }
      self.screen = screen
      revision += 1
    }
  }

  /// What the user has typed to find, and what was found.
  package struct Find: Equatable, Sendable {
    package var text = ""
    package var found = Found()
    /// Why not all films are there to be found.
    package var trouble: String?

    /// What was found for a text, which may have been changed since; the best come first.
    package struct Found: Equatable, Sendable {
      package var text = ""
      package var films: [Int] = []
    }
  }

  /// The screens there are.
  package enum Screen: Equatable, Sendable {
    case welcome
    case page(Int)
    case film(Int)
    /// What was found, and what went wrong while the rest was loaded.
    case found(words: String, trouble: String?)
    case marks
    case help
    case trouble(String)

    /// What to show of a screen when something went wrong while its pages were loaded.
    func lacking(_ trouble: String) -> Screen {
      guard case .found(let words, _) = self else { return .trouble(trouble) }
      return .found(words: words, trouble: trouble)
    }
  }
}
