import Foundation
import MovieBrowser
import Testing

@Suite("A truncated page of films")
struct TruncatedPageTests {
  @Test("a page that is cut off at any byte is malformed, and never a page of fewer films")
  func truncated() throws {
    let whole = Data(pageJSON(1, of: 3).utf8)
    #expect(try FilmPage(json: whole, number: 1, source: "page-1.json").films.count == 2)
    for count in 0..<whole.count {
      let error = #expect(throws: MovieServiceError.self) {
        try FilmPage(json: whole.prefix(count), number: 1, source: "page-1.json")
      }
      #expect(error?.code == .malformed)
    }
  }
}
