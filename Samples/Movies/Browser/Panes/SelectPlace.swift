import Flux

/// Loads the pages up to a film or a page, and selects the film, or the first film of the page.
///
/// All earlier pages are loaded, because a page that arrived later would move the selection.
struct SelectPlace: AsyncRequest, CustomStringConvertible {
  let place: Place
  /// A Boolean value that indicates whether the place is the saved place of the previous run.
  var isSaved = false

  var policy: WorkPolicy { .latest.shared(by: Visit.id) }

  func perform(in context: RequestContext<BrowserState>) async throws(QueryFailure) {
    let first = try await context.store.fetch(FilmsOnPage(number: 1))
    for page in pages(after: first) { _ = try await context.store.fetch(page) }
  }

  /// Returns the pages to load after the first page, which are none if the place does not exist.
  private func pages(after first: FilmPage) -> [FilmsOnPage] {
    let last =
      switch place {
      case .page(let number): number
      case .film(let id): FilmByID(id: id).page(after: first).number
      case .found, .marks: 1
      }
    return last > 1 && last <= first.pages ? (2...last).map(FilmsOnPage.init) : []
  }

  var description: String { "SelectPlace(place: \(place)\(isSaved ? ", isSaved: true" : ""))" }
}

extension BrowserState {
  /// Returns the position among the listed films of a film or of the first film of a page.
  func position(of place: Place) -> Int? {
    let id: Int? =
      switch place {
      case .page(let number): queries[FilmsOnPage(number: number)].data?.films.first?.id
      case .film(let id): id
      case .found, .marks: nil
      }
    return listed.firstIndex { $0.id == id }
  }
}
