import Flux

/// The state of the film browser.
package struct BrowserState: FluxState, Equatable {
  package var library = Library()
  package var marks = Marks()
  /// The current screen.
  package var display = Display()
  /// The input on the screen of panes, if the browser has one.
  package var panes = Panes()

  package init() {}

  /// The films that have been loaded.
  package struct Library: FluxState, Equatable {
    package var films: [Int: Film] = [:]
    /// The ids of the films on each loaded page.
    package var pages: [Int: [Int]] = [:]
    /// The pages that are being loaded, each with the errors of its attempts.
    ///
    /// An error is `nil` while the attempt is running, or if the attempt timed out.
    package var loading: [Int: [MovieServiceError?]] = [:]
    /// The number of pages; 1 until the first page is loaded.
    package var pageCount = 1
    /// The number of films on all pages.
    package var total = 0

    /// The first page that has not been loaded.
    var missingPage: Int? { (1...pageCount).first { pages[$0] == nil } }

    /// Returns the first page that a screen needs and that has not been loaded.
    func missingPage(for screen: Screen) -> Int? {
      switch screen {
      case .page(let number): pages[number] == nil ? number : nil
      case .film(let id): films[id] == nil ? missingPage(for: .page(page(ofFilm: id))) : nil
      case .found: missingPage
      case .welcome, .marks, .help, .trouble: nil
      }
    }

    /// Returns the page of a film.
    ///
    /// Films are numbered page by page, and all pages except the last have the same length.
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

  /// The user's marks, in the order in which they were made.
  package struct Marks: FluxState, Equatable, Codable {
    package var wished: [Int] = []
    package var seen: [Int] = []
  }

  /// The current screen and its progress.
  package struct Display: FluxState, Equatable {
    package var screen = Screen.welcome
    /// The page that the command `list` shows.
    package var page = 1
    /// The number of shown screens.
    ///
    /// A repeated request for the same screen therefore shows the screen again.
    package var revision = 0
    /// A Boolean value that indicates whether the pages of a requested screen are being loaded.
    package var isWaiting = false
    /// The search while the user types.
    package var find: Find?

    mutating func show(_ screen: Screen) {
      if case .page(let number) = screen { page = number }
      self.screen = screen
      revision += 1
    }
  }

  /// The typed text of a search, and its results.
  package struct Find: Equatable, Sendable {
    package var text = ""
    package var found = Found()
    /// The reason why not all films could be searched.
    package var trouble: String?

    /// The results of the last completed search, with the best results first, and the text of
    /// that search.
    ///
    /// The user might have changed the search text afterward.
    package struct Found: Equatable, Sendable {
      package var text = ""
      package var films: [Int] = []
    }
  }

  /// The screens of the program.
  package enum Screen: Equatable, Sendable {
    case welcome
    case page(Int)
    case film(Int)
    /// The results of a search, and the error that occurred when further pages were loaded.
    case found(words: String, trouble: String?)
    case marks
    case help
    case trouble(String)

    /// Returns the screen to show if a load of its pages failed.
    func lacking(_ trouble: String) -> Screen {
      guard case .found(let words, _) = self else { return .trouble(trouble) }
      return .found(words: words, trouble: trouble)
    }
  }
}
