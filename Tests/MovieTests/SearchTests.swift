import MovieBrowser
import Testing

@Suite("Searching the films")
struct SearchTests {
  private static let kurosawa = [
    "  48  Rashomon (1950)", "  56  Seven Samurai (1954)", " 138  Ran (1985)",
  ]

  @Test("a search loads the missing pages one after another, and shows the matches")
  func loads() async {
    let lines = await Session.started().type("search kurosawa")
    let loaded = (2...13).map { "  loaded 20 films; \($0 * 20) of them so far" }
    #expect(lines == loaded + ["Found 3 for \"kurosawa\""] + Self.kurosawa)
  }

  @Test("a search ignores capitals and accents", arguments: ["melies", "Méliès", "MELIES moon"])
  func folds(words: String) async {
    let session = await Session.started()
    await session.type("search dream")
    let lines = await session.type("search \(words)")
    #expect(lines == ["Found 1 for \"\(words)\"", "   1  A Trip to the Moon (1902)"])
  }

  @Test("a second search loads nothing")
  func loadsOnce() async {
    let session = await Session.started()
    await session.type("search dream")
    #expect(await session.type("search kurosawa") == ["Found 3 for \"kurosawa\""] + Self.kurosawa)
  }

  @Test("a search before any load loads all pages")
  func loadsAll() async {
    let lines = await Session().type("search kurosawa")
    let loaded = (1...13).map { "  loaded 20 films; \($0 * 20) of them so far" }
    #expect(lines == loaded + ["Found 3 for \"kurosawa\""] + Self.kurosawa)
  }

  @Test(
    "capitals are ignored beyond ASCII, too", arguments: ["Méliès", "MÉLIÈS", "me\u{301}lie\u{300}s"])
  func capitals(words: String) async {
    let session = await Session.started()
    #expect(
      await session.type("search \(words)").suffix(2) == [
        "Found 1 for \"\(words)\"", "   1  A Trip to the Moon (1902)",
      ])
  }

  @Test(
    "every word must occur in the title, director, genres, year, or story",
    arguments: [
      "trip moon", "méliès 1902", "fantasy adventure shell", "1902",
    ])
  func everyWord(words: String) async {
    #expect(await Session.started().type("search \(words)").contains("   1  A Trip to the Moon (1902)"))
  }

  @Test("a word that occurs nowhere finds nothing")
  func oneWordMissing() async {
    #expect(
      await Session.started().type("search moon zyzzyva").last == "Nothing found for \"moon zyzzyva\".")
  }

  @Test("words in a script that no film uses find nothing", arguments: ["東京", "Ёлки", "🎬"])
  func foreign(word: String) async {
    #expect(await Session.started().type("search \(word)").last == "Nothing found for \"\(word)\".")
  }

  @Test("very long words are shortened in the output")
  func long() async {
    let word = String(repeating: "x", count: 5_000)
    let cut = String(repeating: "x", count: 60)
    #expect(await Session.started().type("search \(word)").last == "Nothing found for \"\(cut)…\".")
  }

  @Test("all matches are shown before the next line can be typed")
  func shownBeforeNext() async {
    let session = await Session.started()
    await session.type("search kurosawa")
    for _ in 0..<500 {
      #expect(await session.type("search kurosawa") == ["Found 3 for \"kurosawa\""] + Self.kurosawa)
    }
  }
}
