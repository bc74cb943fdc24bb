import MovieBrowser
import Testing

@Suite("The films that come with the program")
struct BundledPagesTests {
  @Test("there are 13 pages, each of which contains that number", arguments: 1...13)
  func pages(number: Int) async throws {
    let page = try await FileMovieService().page(number)
    #expect(page.page == number)
    #expect(page.pages == 13)
    #expect(page.total == 260)
    #expect(page.films.count == 20)
  }

  @Test("there is no page before the first and none after the last", arguments: [0, 14])
  func noMorePages(number: Int) async {
    let error = await #expect(throws: MovieServiceError.self) { try await FileMovieService().page(number) }
    #expect(error?.code == .missing)
    #expect(error?.description == "There is no page \(number).")
  }

  @Test("the films are numbered from 1 to 260 in the order of the pages")
  func ids() async throws {
    #expect(try await films().map(\.id) == Array(1...260))
  }

  @Test("no film occurs twice")
  func unique() async throws {
    let names = try await films().map { "\($0.title) (\($0.year)), \($0.director)" }
    #expect(Set(names).count == names.count)
  }

  @Test("every field of every film has a plausible value")
  func fields() async throws {
    for film in try await films() {
      #expect((1888...2030).contains(film.year), "\(film)")
      #expect((1...900).contains(film.minutes), "\(film)")
      #expect(isTidy(film.title), "\(film)")
      #expect(isTidy(film.director), "\(film)")
      #expect(!film.genres.isEmpty && film.genres.allSatisfy(isTidy), "\(film)")
      #expect(Set(film.genres).count == film.genres.count, "\(film)")
    }
  }

  @Test("every synopsis is one sentence")
  func synopses() async throws {
    for film in try await films() {
      #expect(isTidy(film.synopsis), "\(film)")
      #expect(film.synopsis.count >= 20, "\(film)")
      #expect(film.synopsis.hasSuffix("."), "\(film)")
      let ends = film.synopsis.dropLast().indices.filter { index in
        ".!?".contains(film.synopsis[index]) && film.synopsis[film.synopsis.index(after: index)] == " "
      }
      #expect(ends.isEmpty, "\(film)")
    }
  }

  private func films() async throws -> [Film] {
    var films: [Film] = []
    for number in 1...13 { films += try await FileMovieService().page(number).films }
    return films
  }

  /// Whether a string is one line without leading, trailing, or double spaces.
  private func isTidy(_ text: String) -> Bool {
    !text.isEmpty && text.split(whereSeparator: \.isWhitespace).joined(separator: " ") == text
  }
}
