import MovieBrowser
import Testing

@Suite("Searching the films")
struct SearchTests {
  private static let kurosawa = [
    "  48  Rashomon (1950)", "  56  Seven Samurai (1954)", " 138  Ran (1985)",
  ]

  @Test("a search loads what is missing, page after page, and shows what it has found")
  func loads() async {
    let lines = await Session.started().type("search kurosawa")
    let loaded = (2...13).map { "  loaded 20 films; \($0 * 20) of them so far" }
    #expect(lines == loaded + ["Found 3 for \"kurosawa\""] + Self.kurosawa)
  }

  @Test("a search needs neither capitals nor accents", arguments: ["melies", "Méliès", "MELIES moon"])
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

  @Test("a search before anything is loaded loads everything")
  func loadsAll() async {
    let lines = await Session().type("search kurosawa")
    let loaded = (1...13).map { "  loaded 20 films; \($0 * 20) of them so far" }
    #expect(lines == loaded + ["Found 3 for \"kurosawa\""] + Self.kurosawa)
  }

  @Test(
    "capitals do not matter, beyond ASCII either", arguments: ["Méliès", "MÉLIÈS", "me\u{301}lie\u{300}s"])
  func capitals(words: String) async {
    let session = await Session.started()
    #expect(
      await session.type("search \(words)").suffix(2) == [
        "Found 1 for \"\(words)\"", "   1  A Trip to the Moon (1902)",
      ])
  }

  @Test(
    "every word has to be there, in title, director, genres, year or story",
    arguments: [
      "trip moon", "méliès 1902", "fantasy adventure shell", "1902",
    ])
  func everyWord(words: String) async {
    #expect(await Session.started().type("search \(words)").contains("   1  A Trip to the Moon (1902)"))
  }

  @Test("one word that is nowhere finds nothing")
  func oneWordMissing() async {
    #expect(
      await Session.started().type("search moon zyzzyva").last == "Nothing found for \"moon zyzzyva\".")
  }

  @Test("words in letters that no film has find nothing", arguments: ["東京", "Ёлки", "🎬"])
  func foreign(word: String) async {
    #expect(await Session.started().type("search \(word)").last == "Nothing found for \"\(word)\".")
  }

  @Test("very long words are cut in what is shown")
  func long() async {
    let word = String(repeating: "x", count: 5_000)
    let cut = String(repeating: "x", count: 60)
    #expect(await Session.started().type("search \(word)").last == "Nothing found for \"\(cut)…\".")
  }

  @Test("what a search has found is shown, all of it, before the next line can be typed")
  func shownBeforeNext() async {
    let session = await Session.started()
    await session.type("search kurosawa")
    for _ in 0..<500 {
      #expect(await session.type("search kurosawa") == ["Found 3 for \"kurosawa\""] + Self.kurosawa)
    }
  }
}
