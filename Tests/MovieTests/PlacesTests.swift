import Flux
import FluxNavigation
import Foundation
import MovieBrowser
import Testing

@Suite("The places of the user")
struct PlacesTests {
  // MARK: Back

  @Test(
    "back shows the screen before a film, a search, or the marks", arguments: ["open 5", "search 5", "lists"])
  func back(line: String) async {
    let session = await Session.started(ScriptedService())
    await session.type("next")
    await session.type(line)
    #expect(await session.type("back").first == "Page 2 of 3")
  }

  @Test(
    "back leads from a film to the search or the marks that led to it",
    arguments: [
      ("search film 3.", "Found 1 for \"film 3.\""), ("lists", "To see: nothing yet"),
    ])
  func backTwice(line: String, shown: String) async {
    let session = await Session.started(ScriptedService())
    await session.type(line)
    await session.type("open 3")
    #expect(await session.type("back").first == shown)
    #expect(await session.type("back").first == "Page 1 of 3")
  }

  @Test("at the first screen, back says so and changes nothing")
  func backAtRoot() async {
    let session = await Session.started(ScriptedService())
    await session.type("next")
    let places = session.places
    #expect(await session.type("back") == ["! You are at the first screen."])
    #expect(session.places == places)
  }

  @Test("list shows the page below a film, and the film is no longer a place")
  func listAfterFilm() async {
    let session = await Session.started(ScriptedService())
    for line in ["next", "search film", "open 5"] { await session.type(line) }
    #expect(await session.type("list").first == "Page 2 of 3")
    #expect(session.places.entries.map(\.route) == [.page(2)])
  }

  @Test("the stack contains at most a page, a search or the marks, and a film")
  func smallStack() async {
    let session = await Session.started(ScriptedService())
    for line in ["open 5", "search film", "open 3", "open 4", "lists", "open 6", "open 6"] {
      await session.type(line)
    }
    #expect(session.places.entries.map(\.route) == [.page(1), .marks, .film(6)])
  }

  @Test("a screen that could not be loaded is not a place")
  func failedLoad() async {
    let missing = MovieServiceError(.missing, "There is no page 3.")
    let session = await Session.started(
      ScriptedService([3: [.fail(missing), .fail(missing), .fail(missing)]]))
    await session.type("open 3")
    let places = session.places
    for line in ["open 5", "search film", "dance", "help"] { await session.type(line) }
    #expect(session.places == places)
  }

  // MARK: Addresses

  @Test(
    "an address is the first screen",
    arguments: [
      ("films/3", "Film 3 (1903), directed by Director 3"), ("films?page=2", "Page 2 of 3"),
      ("films", "Page 1 of 3"),
      ("search?q=film%203.", "Found 1 for \"film 3.\""), ("lists", "To see: nothing yet"),
    ])
  func address(address: String, shown: String) async throws {
    let session = Session(ScriptedService())
    let lines = await session.start(at: try Place(address: address))
    #expect(lines.first { !$0.hasPrefix("  loaded") } == shown)
    #expect(
      await session.type("list").first == (address == "films?page=2" ? "Page 2 of 3" : "Page 1 of 3"))
  }

  @Test("an address of a film that does not exist is reported, and list shows the first page")
  func addressOfNothing() async throws {
    let session = Session(ScriptedService())
    let lines = await session.start(at: .film(1_000))
    #expect(lines == ["  loaded 2 films; 2 of them so far", "! There is no film 1000."])
    #expect(await session.type("list").first == "Page 1 of 3")
  }

  @Test(
    "each place has an address that leads back to it",
    arguments: [
      Place.page(1), .page(12), .film(7), .found(words: "snow & ice"), .marks,
    ])
  func roundTrip(place: Place) throws {
    #expect(try Place(address: addresses.print(place)) == place)
  }

  // MARK: Restarts

  @Test("a restart shows the last place, and back leads to the place before it")
  func restart() async {
    let storage = InMemoryStorage()
    let first = await Session.started(ScriptedService(), storage: storage)
    for line in ["next", "search film", "open 5"] { await first.type(line) }
    #expect(first.browser.close())
    let second = Session(ScriptedService(), storage: storage)
    #expect(await second.start().last == "  What happens in film 5.")
    #expect(await second.type("back").contains("Found 6 for \"film\""))
    #expect(await second.type("back").first == "Page 2 of 3")
  }

  @Test("an address replaces the saved place as the first screen")
  func restartWithAddress() async {
    let storage = InMemoryStorage()
    let first = await Session.started(ScriptedService(), storage: storage)
    for line in ["next", "open 5"] { await first.type(line) }
    #expect(first.browser.close())
    let second = Session(ScriptedService(), storage: storage)
    #expect(await second.start(at: .film(1)).last == "  What happens in film 1.")
    #expect(await second.type("back").contains("Page 2 of 3"))
  }

  @Test("a damaged saved place is reported in one line, and the first page and the marks are shown")
  func damaged() async throws {
    let storage = InMemoryStorage()
    let marks = try #require(try await storageAfter(["wish 1", "next"]).read("marks.json"))
    try storage.write(marks, to: "marks.json")
    try storage.write(Data("no place".utf8), to: "place.json")
    let session = Session(ScriptedService(), storage: storage)
    let lines = await session.start()
    #expect(lines.filter { $0.hasPrefix("! place.json") }.count == 1, "\(lines)")
    #expect(lines.contains("Page 1 of 3"))
    #expect(session.belongings.marks.wished == [1])
  }

  @Test("a saved place that cannot be loaded is reported, and the first page and the marks are shown")
  func gone() async throws {
    let missing = MovieServiceError(.missing, "There is no page 3.")
    let storage = try await storageAfter(["wish 1", "open 5"])
    let session = Session(ScriptedService([3: [.fail(missing)]]), storage: storage)
    let lines = await session.start()
    #expect(lines.filter { $0.hasPrefix("!") } == ["! There is no page 3."])
    #expect(lines.contains("Page 1 of 3"))
    #expect(session.belongings.marks.wished == [1])
    #expect(session.places.entries.map(\.route) == [.page(1)])
  }

  @Test("a saved page that the films no longer have becomes the last page")
  func fewerPages() async throws {
    let storage = InMemoryStorage()
    let first = await Session.started(storage: storage)
    for line in ["next", "next", "next", "open 1"] { await first.type(line) }
    #expect(first.browser.close())
    let second = await Session.started(ScriptedService(), storage: storage)
    #expect(await second.type("back").contains("Page 3 of 3"))
  }

  @Test("the user can stop the load of the saved place, and keeps the place")
  func stopped() async throws {
    let storage = try await storageAfter(["open 5"])
    let service = ScriptedService([3: [.hold]])
    let session = Session(service, storage: storage)
    let start = session.browser.start()
    await service.asked(for: 3)
    await session.type("")
    await start.value
    #expect(session.places.top.route == .film(5))
  }

  /// Returns a storage that contains the saved data of a session.
  private func storageAfter(_ lines: [String]) async throws -> InMemoryStorage {
    let storage = InMemoryStorage()
    let session = await Session.started(ScriptedService(), storage: storage)
    for line in lines { await session.type(line) }
    #expect(session.browser.close())
    return storage
  }
}

extension Session {
  fileprivate var places: RouteStack<Place> { browser.store.state.places }
}
