import Flux
import FluxNavigation

// The places of the user in the browser.

extension BrowserState {
  /// The number of the page below all other places, which the command `list` shows.
  ///
  /// A saved page might not exist in the library of this run. The last page replaces such a page.
  var page: Int {
    guard case .page(let number) = places.root.route else { return 1 }
    return min(number, pageCount)
  }

  /// The place before the current place, or `nil` at the first place.
  var previousPlace: Place? {
    let path = places.path
    guard path.count > 1 else { return path.isEmpty ? nil : .page(page) }
    return path[path.count - 2].route
  }

  /// Shows a screen, which is the new place of the user if it is a place.
  mutating func show(_ screen: Screen) {
    if case .place(let place) = screen { places.visit(place) }
    display.show(screen)
  }

  /// Makes the film that the user has selected the place of the user, which the next run selects.
  ///
  /// The first film of the list is a place only if the user reads its details.
  mutating func visitSelection() {
    guard !panes.awaitsSavedPlace, let film = chosen?.id else { return }
    if listsFound { return places.visit(.film(film)) }
    let first = queries[FilmsOnPage(number: 1)].data
    places.visit(.page(FilmByID(id: film).page(after: first).number))
    if panes.place.cursor > 0 || panes.focus == .detail { places.visit(.film(film)) }
  }
}
