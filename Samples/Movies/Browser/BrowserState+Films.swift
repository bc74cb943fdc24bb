import Flux

// The films that the query cache contains.

extension BrowserState {
  /// The pages that have been loaded, in the order of their numbers.
  package var pages: [FilmPage] {
    let pages = queries.queries(of: FilmsOnPage.self).sorted { $0.number < $1.number }
    return pages.compactMap { queries[$0].data }
  }

  /// The number of pages; 1 until a page is loaded.
  var pageCount: Int { pages.last?.pages ?? 1 }

  /// The number of films on all pages.
  var total: Int { pages.last?.total ?? 0 }

  /// The films that have been loaded.
  var films: [Film] { pages.flatMap(\.films) }

  /// Returns a film, or `nil` if the film is not loaded.
  func film(_ id: Int) -> Film? { queries[FilmByID(id: id)].data }

  /// Returns the films with the given ids that are loaded, in the order of the ids.
  func films(_ ids: [Int]) -> [Film] { ids.compactMap(film) }

  // MARK: Loading

  /// The page that is being fetched, or the first of several such pages.
  var loadingPage: FilmsOnPage? {
    queries.queries(of: FilmsOnPage.self).filter { queries[$0].isFetching }.min { $0.number < $1.number }
  }

  /// The first page that has not been loaded.
  var missingPage: FilmsOnPage? {
    (1...pageCount).lazy.map(FilmsOnPage.init).first { queries[$0].data == nil }
  }

  /// Returns the text that describes to the user why a place has no films.
  func text(of failure: QueryFailure, of place: Place) -> String {
    let page: FilmsOnPage? =
      switch place {
      case .page(let number): FilmsOnPage(number: number)
      case .film(let id): FilmByID(id: id).page(after: queries[FilmsOnPage(number: 1)].data)
      case .found: missingPage
      case .marks: FilmsOnPage(number: 1)
      }
    return page?.text(of: failure) ?? failure.description
  }

  /// The reason why the first missing page was not loaded, or `nil` if there is no reason or the
  /// page is being fetched.
  var trouble: String? {
    guard let page = missingPage, !queries[page].isFetching else { return nil }
    return panes.isStopped ? "Loading was stopped." : queries[page].error.map(page.text)
  }
}
