import Flux
import SampleTerminal
import SampleTerminalViews

extension FilmList {
  /// The status below the films.
  enum Status: Equatable {
    case counting(String)
    /// A page is being loaded. If an attempt has failed, `after` is the error of that attempt.
    case loading(String, after: String?)
    /// A page could not be loaded; the user can request the page again.
    case trouble(String, page: Int)
    /// Some pages could not be loaded, so not all films were searched; the user can repeat the
    /// load.
    case findTrouble(String)
  }
}

extension FilmList.Status {
  init(of state: BrowserState, count: Int) {
    let library = state.library
    if let (number, tries) = library.loading.min(by: { $0.key < $1.key }) {
      self = Self.loading(number, tries, of: library, found: state.listsFound ? count : nil)
    } else if let trouble = state.display.find?.trouble {
      self = .findTrouble(trouble)
    } else if state.display.find == nil, let page = library.missingPage,
      let text = state.panes.troubles[page]
    {
      self = .trouble(text, page: page)
    } else if state.listsFound {
      self = .counting(count == 0 ? "nothing found" : "\(count) found of \(library.films.count)")
    } else {
      let missing = library.total - library.films.count
      self = .counting(missing == 0 ? "\(count) films" : "\(count) films loaded, \(missing) to come")
    }
  }

  private static func loading(
    _ number: Int, _ tries: [MovieServiceError?], of library: BrowserState.Library, found: Int?
  ) -> FilmList.Status {
    let found = found.map { "\($0) found · " } ?? ""
    let page = "\(found)loading page \(number)" + (library.total > 0 ? " of \(library.pageCount)" : "")
    guard tries.count > 1 else { return .loading("\(page) …", after: nil) }
    let last = tries[tries.count - 2] ?? .timedOut(page: number)
    return .loading("\(page), try \(tries.count) of \(LoadPage.tries) …", after: last.description)
  }

  var isTrouble: Bool {
    switch self {
    case .counting, .loading: false
    case .trouble, .findTrouble: true
    }
  }

  /// Returns the lines of the status: one line, or up to four lines for an error.
  func lines(columns: Int) -> [String] {
    switch self {
    case .counting(let text): [" " + text]
    case .loading(let text, let trouble):
      shortened(text.wrapped(to: columns - 2) + (trouble?.tame.wrapped(to: columns - 2) ?? []))
    case .trouble(let text, _), .findTrouble(let text):
      shortened("! \(text.tame) (r tries again)".wrapped(to: columns - 2))
    }
  }

  private func shortened(_ lines: [String]) -> [String] {
    (lines.count > 4 ? lines.prefix(3) + [lines[lines.count - 1]] : lines).map { " " + $0 }
  }

  /// The action that repeats the failed load, or `nil` if there is no error.
  var retry: (any Action)? {
    switch self {
    case .counting, .loading: nil
    case .trouble(_, let page): LoadPage(number: page)
    case .findTrouble: Find()
    }
  }
}
