package import Flux
package import FluxNavigation

/// The state of the film browser.
package struct BrowserState: FluxState, Equatable {
  /// The pages of films, which ``FilmsOnPage`` fetches.
  package var queries = QueryCache()
  package var marks = Marks()
  /// The page that the user reads, and the places above it.
  package var places = RouteStack(root: Place.page(1))
  /// The current screen.
  package var display = Display()
  /// The input on the screen of panes, if the browser has one.
  package var panes = Panes()

  package init() {}

  /// The user's marks, in the order in which they were made.
  package struct Marks: FluxState, Equatable, Codable {
    package var wished: [Int] = []
    package var seen: [Int] = []
  }

  /// The current screen and its progress.
  package struct Display: FluxState, Equatable {
    package var screen = Screen.welcome
    /// The number of shown screens.
    ///
    /// A repeated request for the same screen therefore shows the screen again.
    package var revision = 0
    /// A Boolean value that indicates whether the pages of a requested screen are being loaded.
    package var isWaiting = false
    /// The search while the user types.
    package var find: Find?

    mutating func show(_ screen: Screen) {
      self.screen = screen
      revision += 1
    }
  }

  /// The typed text of a search, and its results.
  package struct Find: Equatable, Sendable {
    package var text = ""
    package var found = Found()

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
    case place(Place)
    /// The results of a search in the loaded pages, and the error that occurred when further pages
    /// were loaded.
    case foundInPart(words: String, trouble: String)
    case help
    case trouble(String)

    /// Creates the screen to show if a load of the pages of a place failed.
    init(lacking place: Place, _ trouble: String) {
      if case .found(let words) = place {
        self = .foundInPart(words: words, trouble: trouble)
      } else {
        self = .trouble(trouble)
      }
    }
  }
}
