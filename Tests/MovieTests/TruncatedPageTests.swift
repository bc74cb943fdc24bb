import Foundation
import MovieBrowser
import Testing

@Suite("A truncated page of films")
struct TruncatedPageTests {
  @Test("a page that is cut off at any byte is malformed, and never a page of fewer films")
  func truncated() async throws {
    let whole = try JSONEncoder().encode(try await FileMovieService().page(1))
    for count in 0..<whole.count {
      let error = #expect(throws: MovieServiceError.self) {
        try FilmPage(json: whole.prefix(count), number: 1, source: "page-1.json")
      }
      #expect(error?.code == .malformed)
    }
  }
}
