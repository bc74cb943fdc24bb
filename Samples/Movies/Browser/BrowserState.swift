public import Flux

/// The state of the film browser.
public struct BrowserState: FluxState, Equatable {
  public var library = Library()
  public var marks = Marks()
  /// What is on show.
  public var display = Display()

  public init() {}

  /// The films that have been loaded.
  public struct Library: FluxState, Equatable {
    public var films: [Int: Film] = [:]
    /// The ids of the films on each page that has been loaded.
    public var pages: [Int: [Int]] = [:]
    /// The pages that are on their way.
    public var loading: Set<Int> = []
    /// How many pages there are; 1 until the first has told.
    public var pageCount = 1
    /// How many films there are.
    public var total = 0

    var missingPages: [Int] { (1...pageCount).filter { pages[$0] == nil } }
  }

  /// What the user has noted of films, in the order in which it was noted.
  public struct Marks: FluxState, Equatable {
    public var wished: [Int] = []
    public var seen: [Int] = []
  }

  /// What is on show.
  public struct Display: FluxState, Equatable {
    public var screen = Screen.welcome
    /// The page that `list` shows.
    public var page = 1
    /// Counts what was shown, so that the same screen asked for twice is shown twice.
    public var revision = 0
    /// How many commands have not finished.
    public var pending = 0

    mutating func show(_ screen: Screen) {
      if case .page(let number) = screen { page = number }
      self.screen = screen
      revision += 1
    }
  }

  /// The screens there are.
  public enum Screen: Equatable, Sendable {
    case welcome
    case page(Int)
    case film(Int)
    case found(words: String)
    case marks
    case help
    case trouble(String)
  }
}
