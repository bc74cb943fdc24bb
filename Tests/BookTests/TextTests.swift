import BookShelf
import Testing

@Suite("Untrusted text")
struct BookTextTests {
  @Test(
    "control characters in a title do not reach the terminal",
    arguments: ["\u{1B}[2J", "\u{7}", "\r", "\n", "\u{9B}31m", "\u{202E}", "\u{2028}"])
  func titles(text: String) async {
    let session = Session(SmallService(titles: ["A\(text)B"], songs: ["C\(text)D"]))
    for line in ["shelf", "all", "sections", "together", "rename 1 E\(text)F", "remove 1"] {
      for shown in await session.type(line) {
        let obeyed = shown.unicodeScalars.filter {
          $0.properties.generalCategory != .format || $0 == "\u{202E}"
        }
        .filter { [.control, .format, .lineSeparator].contains($0.properties.generalCategory) }
        #expect(obeyed.isEmpty, "\(line)")
      }
    }
  }

  @Test("control characters in a service's error do not reach the terminal")
  func trouble() async {
    let session = Session(TroubledTexts())
    #expect(
      await session.type("all").last == "! Oh\u{FFFD}[2J no. Type refresh to try again.")
  }
}

private struct TroubledTexts: BookService {
  private let error = BookServiceError("Oh\u{1B}[2J no.")

  func shelf() async throws -> [Book] { throw error }
  func books(page: Int) async throws -> BookPage { throw error }
  func songs(after name: String?) async throws -> SongPage { throw error }
  func save(_ book: Book) async throws { throw error }
  func remove(_ book: Book) async throws { throw error }
}
