import Foundation
import MovieBrowser
import Testing

@Suite("Problems are reported in one line, and change nothing")
struct TroubleTests {
  @Test(
    "a line that is not a valid command",
    arguments: [
      ("open 1000", "There is no film 1000. Type list to see them."),
      ("open 0", "There is no film 0. Type list to see them."),
      ("wish -1", "There is no film -1. Type list to see them."),
      ("seen 261", "There is no film 261. Type list to see them."),
      ("wish 21", "Film 21 is not loaded yet. Type open 21 to load it."),
      ("seen 260", "Film 260 is not loaded yet. Type open 260 to load it."),
      ("open", "Type the number of a film, for example: open 7"),
      ("wish x", "\"x\" is not the number of a film. For example: wish 7"),
      ("search", "Type the text to search for, for example: search dream"),
      ("list 2", "\"list\" takes no arguments."),
      ("find moon", "\"find\" takes no arguments."),
      ("dance", "There is no command \"dance\". Type help to see all commands."),
    ])
  func badLine(line: String, trouble: String) async {
    let session = await Session.started()
    await session.type("wish 5")
    let before = session.belongings
    #expect(await session.type(line) == ["! \(trouble)"])
    #expect(session.belongings == before)
  }

  @Test("the same problem is reported each time it occurs")
  func twice() async {
    let session = await Session.started()
    #expect(await session.type("dance") == (await session.type("dance")))
    #expect(await session.type("dance").count == 1)
  }

  @Test("a very long word is shortened in the line that quotes it")
  func long() async {
    let lines = await Session.started().type(String(repeating: "x", count: 5_000))
    let cut = String(repeating: "x", count: 60)
    #expect(lines == ["! There is no command \"\(cut)…\". Type help to see all commands."])
  }

  @Test(
    "control characters of a typed line are not written back to the terminal",
    arguments: ["\u{1B}[A", "\u{7}", "\u{9B}2J"])
  func controlCharacters(word: String) async {
    let lines = await Session.started().type("open \(word)")
    #expect(lines.count == 1)
    #expect(lines.allSatisfy { $0.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control } })
  }
}

@Suite("Invalid folders of pages")
struct BadFolderTests {
  /// The content of a page and the resulting message, in which `FILE` is the path.
  struct BadPage: Sendable, CustomTestStringConvertible {
    let name: String
    let text: String?
    let trouble: String

    var testDescription: String { name }
  }

  static let badPages = [
    BadPage(name: "a missing file", text: nil, trouble: "FILE cannot be read."),
    BadPage(
      name: "an empty file", text: "", trouble: "FILE is not a page of films (its JSON cannot be read)."),
    BadPage(
      name: "malformed JSON", text: "{\"page\": 2, ",
      trouble: "FILE is not a page of films (its JSON cannot be read)."),
    BadPage(
      name: "half a page", text: String(pageJSON(2, of: 3).prefix(150)),
      trouble: "FILE is not a page of films (its JSON cannot be read)."),
    BadPage(
      name: "HTML", text: "<!doctype html><title>Films</title>",
      trouble: "FILE is not a page of films (its JSON cannot be read)."),
    BadPage(name: "another object", text: "{}", trouble: "FILE is not a page of films (no \"page\")."),
    BadPage(
      name: "a list", text: "[1, 2]", trouble: "FILE is not a page of films (it has another type)."),
    BadPage(
      name: "text for a number", text: pageJSON(2, of: 3).replacing("1904", with: "\"1904\""),
      trouble: "FILE is not a page of films (films 2 year has another type)."),
    BadPage(
      name: "a number that is not whole", text: pageJSON(2, of: 3).replacing("1904", with: "1904.5"),
      trouble: "FILE is not a page of films (its JSON cannot be read)."),
    BadPage(
      name: "null for a text", text: pageJSON(2, of: 3).replacing("\"Film 4\"", with: "null"),
      trouble: "FILE is not a page of films (films 2 title has no value)."),
    BadPage(
      name: "a film without a director", text: pageJSON(2, of: 3).replacing("director", with: "producer"),
      trouble: "FILE is not a page of films (no \"director\" at films 1)."),
    BadPage(
      name: "another page", text: pageJSON(3, of: 3),
      trouble: "FILE is page 3, but page 2 was requested."),
    BadPage(
      name: "a page behind the last", text: pageJSON(2, of: 1),
      trouble: "FILE does not add up (page 2 of 1, 2 films of 2)."),
    BadPage(
      name: "more films than there are",
      text: pageJSON(2, of: 3).replacing("\"total\": 6", with: "\"total\": 1"),
      trouble: "FILE does not add up (page 2 of 3, 2 films of 1)."),
  ]

  @Test(
    "the next page: one line, films and marks are kept, and the corrected page loads", arguments: badPages)
  func nextPage(bad: BadPage) async throws {
    let folder = try TemporaryFolder()
    try folder.write(pageJSON(1, of: 3), page: 1)
    let session = await Session.started(FileMovieService(folder: folder.url))
    await session.type("wish 2")
    let before = session.belongings
    if let text = bad.text { try folder.write(text, page: 2) }

    let trouble = "! " + bad.trouble.replacing("FILE", with: folder.path(ofPage: 2))
    #expect(await session.type("next") == [trouble])
    #expect(session.belongings == before)
    #expect(await session.type("list").first == "Page 1 of 3")

    try folder.write(pageJSON(2, of: 3), page: 2)
    #expect(await session.type("next").prefix(2) == ["  loaded 2 films; 4 of them so far", "Page 2 of 3"])
    #expect(session.belongings.marks == before.marks)
  }

  @Test("the first page: one line at the start, and the corrected page loads", arguments: ["list", "next"])
  func firstPage(line: String) async throws {
    let folder = try TemporaryFolder()
    let session = Session(FileMovieService(folder: folder.url))
    #expect(await session.start() == ["! \(folder.path(ofPage: 1)) cannot be read."])
    #expect(session.belongings == Session().belongings)
    try folder.write(pageJSON(1, of: 3), page: 1)
    #expect(await session.type(line).prefix(2) == ["  loaded 2 films; 2 of them so far", "Page 1 of 3"])
  }

  @Test("a film that its page does not contain: one line, and its other films are shown")
  func missingFilm() async throws {
    let folder = try TemporaryFolder()
    try folder.write(pageJSON(1, of: 3), page: 1)
    try folder.write(pageJSON(3, of: 3).replacing("\"id\": 5", with: "\"id\": 50"), page: 3)
    let session = await Session.started(FileMovieService(folder: folder.url))
    #expect(
      await session.type("open 5") == [
        "  loaded 2 films; 4 of them so far", "! There is no film 5 on its page.",
      ])
    #expect(await session.type("open 6").first == "Film 6 (1906), directed by Director 6")
  }

  @Test(
    "a missing folder: one line for each command that needs it",
    arguments: [
      "list", "next", "search x",
    ])
  func missingFolder(line: String) async throws {
    let folder = try TemporaryFolder()
    try folder.remove()
    let session = await Session.started(FileMovieService(folder: folder.url))
    #expect(await session.type(line) == ["! \(folder.path(ofPage: 1)) cannot be read."])
    #expect(session.belongings == Session().belongings)
  }

  @Test(
    "without loaded films a film cannot be selected",
    arguments: ["open 1", "wish 1", "seen 1", "open 0"])
  func nothingLoaded(line: String) async throws {
    let folder = try TemporaryFolder()
    let session = await Session.started(FileMovieService(folder: folder.url))
    #expect(await session.type(line) == ["! No films are loaded yet. Type list to load some."])
  }

  @Test("a search that cannot load all pages says so in one line, and then shows its matches")
  func search() async throws {
    let folder = try TemporaryFolder()
    for number in [1, 2, 4] { try folder.write(pageJSON(number, of: 4), page: number) }
    let session = await Session.started(FileMovieService(folder: folder.url))
    for _ in 0..<100 { await session.type("search x") }
    #expect(
      await session.type("search film 3.") == [
        "! \(folder.path(ofPage: 3)) cannot be read.",
        "Found 1 for \"film 3.\" (of those loaded; 4 are not)", "   3  Film 3 (1903)",
      ])
    try folder.write(pageJSON(3, of: 4), page: 3)
    #expect(
      await session.type("search film 7.") == [
        "  loaded 2 films; 6 of them so far", "  loaded 2 films; 8 of them so far",
        "Found 1 for \"film 7.\"", "   7  Film 7 (1907)",
      ])
  }
}
