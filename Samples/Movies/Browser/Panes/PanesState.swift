import Flux
package import SampleTerminalViews

extension BrowserState {
  /// What the user does on the screen of panes.
  package struct Panes: FluxState, Equatable {
    /// What takes the keys.
    package enum Focus: String, CustomDebugStringConvertible, Sendable {
      case list, detail, search

      package var debugDescription: String { rawValue }
    }

    /// How large the screen is; nothing is shown until that is known.
    package var size = ScreenSize(columns: 0, rows: 0)
    package var focus = Focus.list
    /// Where the user is among the films that are listed.
    package var place = ListPlace()
    /// How many lines of the film's description are above those that are seen.
    package var scrolled = 0
    package var isHelpShown = false
    /// What the user is told, until the next key.
    package var notice: String?
    /// Why pages were not loaded that are listed when they are.
    package var troubles: [Int: String] = [:]
    /// Whether the user wants to leave.
    package var isLeaving = false
  }

  /// Whether only what was found is listed.
  var listsFound: Bool {
    guard let find = display.find else { return false }
    return !find.text.isBlank && !find.found.text.isBlank
  }

  /// The films that are listed: those that were found, or all that are loaded.
  var listed: [Int] {
    if let find = display.find, listsFound { return find.found.films }
    return library.pages.sorted { $0.key < $1.key }.flatMap(\.value)
  }

  /// The film that is chosen.
  var chosen: Film? {
    let listed = listed
    let place = panes.place.fitted(rows: 1, of: listed.count)
    return listed.isEmpty ? nil : library.films[listed[place.cursor]]
  }

  /// The page that is to be loaded because the user comes near the end of those that are.
  var wantedPage: Int? {
    guard display.find == nil, let list = BrowserLayout(self).layout.places[.list],
      let page = library.missingPage, panes.troubles[page] == nil
    else { return nil }
    let rows = FilmList.rows(in: list.size)
    let listed = listed
    let place = panes.place.fitted(rows: rows, of: listed.count)
    // A screen ahead of what is seen.
    return listed.count - place.top < 2 * rows ? page : nil
  }
}

extension String {
  var isBlank: Bool { allSatisfy(\.isWhitespace) }
}
