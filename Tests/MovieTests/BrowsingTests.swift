import Flux
import MovieBrowser
import Testing

@Suite("Browsing the films that come with the program")
struct BrowsingTests {
  @Test("the program loads and shows the first page at the start")
  func start() async {
    let lines = await Session().start()
    #expect(lines.count == 22)
    #expect(lines.first == "  loaded 20 films; 20 of them so far")
    #expect(lines.dropFirst().first == "Page 1 of 13")
    #expect(lines.dropFirst(2).first == "   1  A Trip to the Moon (1902)")
    #expect(lines.last == "  20  City Lights (1931)")
  }

  @Test("list shows the page again, and loads nothing")
  func list() async {
    let session = await Session.started()
    let lines = await session.type("list")
    #expect(lines.count == 21)
    #expect(lines.first == "Page 1 of 13")
    #expect(await session.type("list") == lines)
  }

  @Test("next loads and shows the following page, which list then shows again")
  func next() async {
    let session = await Session.started()
    let lines = await session.type("next")
    #expect(lines.prefix(2) == ["  loaded 20 films; 40 of them so far", "Page 2 of 13"])
    #expect(lines.last == "  40  Rome, Open City (1945)")
    #expect(await session.type("list").first == "Page 2 of 13")
  }

  @Test("next shows a page that a search has loaded without loading it again")
  func nextAfterSearch() async {
    let session = await Session.started()
    await session.type("search kurosawa")
    let lines = await session.type("next")
    #expect(lines.first == "Page 2 of 13")
    #expect(lines.count == 21)
  }

  @Test("after the last page there is no further page")
  func lastPage() async {
    let session = await Session.started()
    for number in 2...13 { #expect(await session.type("next").dropFirst().first == "Page \(number) of 13") }
    let before = session.belongings
    #expect(await session.type("next") == ["! That was the last page. Type list to see it again."])
    #expect(session.belongings == before)
    #expect(await session.type("list").first == "Page 13 of 13")
  }

  @Test("open shows a film in three lines")
  func open() async {
    let lines = await Session.started().type("open 5")
    #expect(
      lines == [
        "The Kid (1921), directed by Charlie Chaplin",
        "  comedy, drama; 68 minutes",
        "  A penniless tramp raises a foundling in a shabby attic, and the two become partners in mischief"
          + " until the authorities come knocking.",
      ])
  }

  @Test("open loads only the page that contains a film", arguments: [21, 40, 41, 260])
  func openUnloaded(film: Int) async throws {
    let session = await Session.started()
    let page = (film - 1) / 20 + 1
    let title = try #require(try await FileMovieService().page(page).films.first { $0.id == film }?.title)
    let lines = await session.type("open \(film)")
    #expect(lines.count == 4)
    #expect(lines.first == "  loaded 20 films; 40 of them so far")
    #expect(lines.dropFirst().first?.hasPrefix("\(title) (") == true)
    #expect(session.belongings.pages.map(\.page) == [1, page])
  }

  @Test("a film can be marked as soon as its page is loaded, whatever else was loaded before")
  func markAfterOpen() async {
    let session = await Session.started()
    await session.type("open 260")
    #expect(await session.type("wish 30") == ["! Film 30 is not loaded yet. Type open 30 to load it."])
    await session.type("open 30")
    #expect(await session.type("wish 30") == ["  film 30 is on the wish list"])
  }

  @Test("opening a film does not change the page that list and next refer to")
  func openKeepsPage() async {
    let session = await Session.started()
    await session.type("open 5")
    #expect(await session.type("list").first == "Page 1 of 13")
    #expect(await session.type("next").dropFirst().first == "Page 2 of 13")
  }

  @Test("an open film and a list show which films are wished for and seen")
  func notes() async {
    let session = await Session.started()
    await session.type("wish 5")
    await session.type("seen 5")
    #expect(await session.type("open 5").dropFirst().first == "  comedy, drama; 68 minutes, wished, seen")
    #expect(await session.type("list").contains("   5  The Kid (1921) [wished] [seen]"))
  }

  @Test("wish adds a film to the list, and the next wish removes it")
  func wish() async {
    let session = await Session.started()
    #expect(await session.type("wish 5") == ["  film 5 is on the wish list"])
    #expect(await session.type("wish 5") == ["  film 5 is off the wish list"])
    #expect(session.browser.store.state.marks == BrowserState().marks)
  }

  @Test("seen marks a film, and the next seen removes the mark")
  func seen() async {
    let session = await Session.started()
    #expect(await session.type("seen 5") == ["  film 5 is marked as seen"])
    #expect(await session.type("seen 5") == ["  film 5 is no longer marked as seen"])
    #expect(session.browser.store.state.marks == BrowserState().marks)
  }

  @Test("lists shows the marked films in the order in which they were marked")
  func lists() async {
    let session = await Session.started()
    #expect(await session.type("lists") == ["To see: nothing yet", "Seen: nothing yet"])
    for line in ["wish 7", "wish 5", "seen 3"] { await session.type(line) }
    #expect(
      await session.type("lists") == [
        "To see", "   7  Häxan (1922) [wished]", "   5  The Kid (1921) [wished]", "Seen",
        "   3  Cabiria (1914) [seen]",
      ])
  }

  @Test("help names every command once, each at the beginning of a line")
  func help() async {
    let lines = await Session.started().type("help")
    let verbs = lines.compactMap { $0.split(separator: " ").first.map(String.init) }
    #expect(
      verbs == [
        "list", "next", "back", "open", "search", "find", "wish", "seen", "lists", "undo", "redo", "quit",
      ])
  }

  @Test(
    "every command that the help names exists",
    arguments: ["list", "next", "open 1", "search a", "find", "lists"])
  func helpIsTrue(line: String) async {
    #expect(await Session.started().type(line).allSatisfy { !$0.hasPrefix("!") })
  }

  @Test("an empty line shows nothing", arguments: ["", "   "])
  func nothing(line: String) async {
    let session = await Session.started()
    #expect(await session.type(line) == [])
  }

  @Test("quit ends the program and shows nothing", arguments: ["quit", "exit", " QUIT "])
  func quit(line: String) async {
    let session = await Session.started()
    #expect(await session.browser.run(line) == false)
    #expect(await session.type("") == [])
  }

  @Test("every other line keeps the program running", arguments: ["", "list", "dance", "open 1000", "quit1"])
  func goesOn(line: String) async {
    #expect(await Session.started().browser.run(line))
  }
}
