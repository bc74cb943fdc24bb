import Foundation
import MovieBrowser

extension FuzzTarget {
  /// The pages of films: a page with another number than requested, or with inconsistent totals,
  /// is malformed, and its error is one line.
  static let films = FuzzTarget(
    "films",
    examples: [
      """
      {"page":1,"pages":2,"total":3,"films":[{"id":1,"title":"A Trip to the Moon","year":1902,
      "director":"Georges Méliès","genres":["adventure","fantasy"],"minutes":14,"synopsis":"Into a shell."},
      {"id":2,"title":"Cabiria","year":1914,"director":"Giovanni Pastrone","genres":[],"minutes":148,
      "synopsis":""}]}
      """,
      #"{"page":1,"pages":1,"total":0,"films":[]}"#,
    ],
    words: ["page", "pages", "total", "films", "id", "title", "year", "genres", "minutes"]
  ) { input, _ in
    let page: FilmPage
    do throws(MovieServiceError) {
      page = try FilmPage(json: input, number: 1, source: "page-1.json")
    } catch {
      try promise(error.code == .malformed, "\(error)")
      try promise(error.description.hasPrefix("page-1.json "), "\(error)")
      return .refused("malformed")
    }
    try promise(page.page == 1 && page.pages >= 1, "it is another page")
    try promise(page.total >= page.films.count, "\(page) of \(page.total)")
    let again = try FilmPage(json: JSONEncoder().encode(page), number: 1, source: "page-1.json")
    try promise(again == page, "it does not round-trip")
    return .accepted
  }
}
