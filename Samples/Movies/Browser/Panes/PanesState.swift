import Flux
package import SampleTerminalViews

extension BrowserState {
  /// The input on the screen of panes.
  package struct Panes: FluxState, Equatable {
    /// The pane that receives keys.
    package enum Focus: String, CustomDebugStringConvertible, Sendable {
      case list, detail, search

      package var debugDescription: String { rawValue }
    }

    /// The size of the screen.
    ///
    /// The screen is empty until the size is known.
    package var size = ScreenSize(columns: 0, rows: 0)
    package var focus = Focus.list
    /// The selection and the scroll position in the list of films.
    package var place = ListPlace()
    /// A Boolean value that indicates whether the saved place of the previous run is not selected
    /// yet, and the user has not selected another film.
    package var awaitsSavedPlace = false
    /// The number of lines of the film's description above the visible lines.
    package var scrolled = 0
    package var isHelpShown = false
    /// The notice for the user, until the next key.
    package var notice: String?
    /// A Boolean value that indicates whether the user has stopped the loading of pages.
    package var isStopped = false
    /// A Boolean value that indicates whether the user has requested to leave.
    package var isLeaving = false
  }

  /// A Boolean value that indicates whether only the results of a search are listed.
  var listsFound: Bool {
    guard let find = display.find else { return false }
    return !find.text.isBlank && !find.found.text.isBlank
  }

  /// The listed films: the results of a search, or all loaded films.
  var listed: [Film] {
    if let find = display.find, listsFound { return films(find.found.films) }
    return films
  }

  /// The selected film.
  package var chosen: Film? {
    let listed = listed
    let place = panes.place.fitted(rows: 1, of: listed.count)
    return listed.isEmpty ? nil : listed[place.cursor]
  }

  /// The page to fetch because the user approaches the end of the loaded pages.
  var wantedPage: FilmsOnPage? {
    guard display.find == nil, let list = BrowserLayout(self).layout.places[.list],
      let page = missingPage, trouble == nil
    else { return nil }
    let rows = FilmList.rows(in: list.size)
    let listed = listed
    let place = panes.place.fitted(rows: rows, of: listed.count)
    // The next page is loaded when fewer than one screen of loaded films follows the visible
    // films.
    return listed.count - place.top < 2 * rows ? page : nil
  }
}

extension String {
  var isBlank: Bool { allSatisfy(\.isWhitespace) }
}
