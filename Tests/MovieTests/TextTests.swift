import Flux
import Foundation
import MovieBrowser
import SampleTerminalViews
import Testing

@Suite("Untrusted text")
struct TextTests {
  @Test("control characters in a page of films, or in its error, do not reach the terminal")
  func tame() async {
    let session = Session(WildService())
    var shown = await session.start()
    for line in ["open 1", "search film", "wish 1", "lists", "next", "find"] {
      shown += await session.type(line)
    }
    await session.browser.press(.character("\u{202E}")).finished()
    shown += session.drawn()
    #expect(shown.contains { $0.contains("Film\u{FFFD}[2J 1") })
    #expect(shown.contains { $0.contains("Gone\u{FFFD}.") })
    #expect(shown.contains { $0.hasPrefix("find: \u{FFFD}") })
    for piece in shown {
      #expect(!piece.unicodeScalars.contains { $0 == "\u{1B}" || $0 == "\u{202E}" })
    }
  }
}

/// A service with one valid page and one missing page, whose strings contain control characters.
private struct WildService: MovieService {
  func page(_ number: Int) async throws(MovieServiceError) -> FilmPage {
    guard number == 1 else { throw MovieServiceError(.missing, "Gone\u{1B}.") }
    let json = pageJSON(1, of: 2).replacing("Film", with: #"Film\u001b[2J"#)
      .replacing("Director", with: #"\u202eDirector"#).replacing("drama", with: #"dr\u001bama"#)
      .replacing("happens", with: #"hap\u202epens"#)
    do {
      return try JSONDecoder().decode(FilmPage.self, from: Data(json.utf8))
    } catch {
      throw MovieServiceError(.malformed, "\(error)")
    }
  }
}
