import Flux

/// The state of the film browser.
package struct BrowserState: FluxState, Equatable {
  package var library = Library()
  package var marks = Marks()
  /// What is on show.
  package var display = Display()

  package init() {}

  /// The films that have been loaded.
  package struct Library: FluxState, Equatable {
    package var films: [Int: Film] = [:]
    /// The ids of the films on each page that has been loaded.
    package var pages: [Int: [Int]] = [:]
    /// The pages that are on their way.
    package var loading: Set<Int> = []
    /// How many pages there are; 1 until the first has told.
    package var pageCount = 1
    /// How many films there are.
    package var total = 0

    /// The first page that has not been loaded.
    var missingPage: Int? { (1...pageCount).first { pages[$0] == nil } }

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
    /// How many commands have not finished.
    package var pending = 0

    mutating func show(_ screen: Screen) {
      if case .page(let number) = screen { page = number }
      self.screen = screen
      revision += 1
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
  }
}
