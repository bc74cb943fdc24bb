package import Flux

/// A query for one film.
///
/// A page that arrives also contains the results of this query for its films.
package struct FilmByID: EntityQuery {
  package let id: Int

  package init(id: Int) {
    self.id = id
  }

  /// The lifetime, which is unlimited because films do not change on the server.
  package var lifetimeWithoutSubscribers: Duration? { nil }

  /// Fetches the page that contains the film, because the server has no addresses for films.
  package func fetch(in context: RequestContext<BrowserState>) async throws -> Film {
    let first = try await context.store.fetch(FilmsOnPage(number: 1))
    guard id <= first.total else { throw MovieServiceError(.missing, "There is no film \(id).") }
    let page = try await context.store.fetch(page(after: first))
    guard let film = page.films.first(where: { $0.id == id }) else { throw missing }
    return film
  }

  /// The error of a page that does not contain the film.
  var missing: MovieServiceError { MovieServiceError(.missing, "There is no film \(id) on its page.") }

  /// Returns the page that contains the film, or the first page if that page is not loaded.
  ///
  /// Films are numbered page by page, and all pages except the last have the same length.
  func page(after first: FilmPage?) -> FilmsOnPage {
    guard let first, !first.films.isEmpty, id > 0 else { return FilmsOnPage(number: 1) }
    return FilmsOnPage(number: (id - 1) / first.films.count + 1)
  }
}
