import Flux
import SampleTerminal
import SampleTerminalViews

extension FilmList {
  /// The status below the films.
  enum Status: Equatable {
    case counting(String)
    /// A page is being fetched. If an attempt has failed, `after` is the error of that attempt.
    case loading(String, after: String?)
    /// A page could not be fetched; the user can try again.
    case trouble(String)
  }
}

extension FilmList.Status {
  init(of state: BrowserState, count: Int) {
    if let page = state.loadingPage {
      let found = state.listsFound ? "\(count) found · " : ""
      self = .loading(
        "\(found)loading \(state.progress(of: page)) …",
        after: state.queries[page].attemptError.map(page.text))
    } else if let trouble = state.trouble {
      self = .trouble(trouble)
    } else if state.listsFound {
      self = .counting(count == 0 ? "nothing found" : "\(count) found of \(state.films.count)")
    } else {
      let missing = state.total - state.films.count
      self = .counting(missing == 0 ? "\(count) films" : "\(count) films loaded, \(missing) to come")
    }
  }

  var isTrouble: Bool {
    switch self {
    case .counting, .loading: false
    case .trouble: true
    }
  }

  /// Returns the lines of the status: one line, or up to four lines for an error.
  func lines(columns: Int) -> [String] {
    switch self {
    case .counting(let text): [" " + text]
    case .loading(let text, let trouble):
      shortened(text.wrapped(to: columns - 2) + (trouble?.tame.wrapped(to: columns - 2) ?? []))
    case .trouble(let text):
      shortened("! \(text.tame) (r tries again)".wrapped(to: columns - 2))
    }
  }

  private func shortened(_ lines: [String]) -> [String] {
    (lines.count > 4 ? lines.prefix(3) + [lines[lines.count - 1]] : lines).map { " " + $0 }
  }

  /// Returns the action that fetches the missing page again, or `nil` if there is no error.
  func retry(in state: BrowserState) -> (any Action)? {
    guard isTrouble else { return nil }
    return state.display.find == nil ? state.missingPage.map { FetchQuery($0) } : Find()
  }
}
