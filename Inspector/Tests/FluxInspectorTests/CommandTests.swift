import Flux
import FluxInspector
import Foundation
import Testing

@Suite("Commands that a page sends", .timeLimit(.minutes(15)))
struct CommandTests {
  private let desk = Desk()

  /// A page that watches a store whose count is three.
  private func page() async throws -> PageClient {
    desk.count(3)
    let page = try await desk.open()
    _ = try await page.watch()
    return page
  }

  @Test("a page jumps back and forth, also to the base, and the state of the program follows")
  func jump() async throws {
    let page = try await page()
    for (entry, count) in [(1, 1), (0, 0), (3, 3), (2, 2)] {
      try await page.command("jump", entry: entry)
      #expect(desk.store.state.count == count)
      #expect(try await page.next("log")["current"] == .integer(entry))
    }
  }

  @Test("Entries that an action after a jump sets aside are sent as a branch, and a jump returns to them")
  func branch() async throws {
    let page = try await page()
    try await page.command("jump", entry: 1)
    #expect(try await page.next("log")["branches"] == [])
    desk.count(1)
    desk.clock.turn()
    var log = try await page.next("log")
    let branch: JSONValue = ["fork": 1, "first": 2, "last": 3, "count": 2]
    #expect(log["branches"] == [branch])
    #expect(log["evicted"] == 0)
    try await page.command("jump", entry: 3)
    log = try await page.next("log")
    #expect(log["isWhole"] == true)
    #expect(log["entries"]?.elements.map { $0["id"] } == [1, 2, 3])
    let other: JSONValue = ["fork": 1, "first": 4, "last": 4, "count": 1]
    #expect(log["branches"] == [other])
    #expect(desk.store.state.count == 3)
  }

  @Test("a page undoes and redoes actions")
  func undo() async throws {
    let page = try await page()
    try await page.command("undo")
    #expect(desk.store.state.count == 2)
    #expect(try await page.next("log")["canRedo"] == true)
    try await page.command("redo")
    #expect(desk.store.state.count == 3)
  }

  @Test("a page skips an entry and restores it")
  func skip() async throws {
    let page = try await page()
    try await page.command("skip", entry: 2)
    #expect(desk.store.state.count == 2)
    let log = try await page.next("log")
    #expect(log["entries"]?.elements.map { $0["isSkipped"] } == [true])
    #expect(log["entries"]?[0]?["id"] == 2)
    try await page.command("unskip", entry: 2)
    #expect(desk.store.state.count == 3)
  }

  @Test("a page commits, rolls back, and resets")
  func base() async throws {
    let page = try await page()
    try await page.command("jump", entry: 2)
    try await page.command("commit")
    #expect(desk.store.state.count == 2)
    desk.count(2)
    try await page.command("rollback")
    #expect(desk.store.state.count == 2)
    try await page.command("reset")
    #expect(desk.store.state.count == 0)
  }

  @Test("a page pauses and resumes recording")
  func pause() async throws {
    let page = try await page()
    try await page.command("pause")
    #expect(try await page.next("log")["isPaused"] == true)
    desk.count(1)
    try await page.command("resume")
    let log = try await page.next("log")
    #expect(log["isPaused"] == false)
    #expect(log["entries"]?.elements.map { $0["isAmended"] } == [true])
    #expect(desk.store.state.count == 4)
  }

  @Test("a page locks and unlocks the history")
  func lock() async throws {
    let page = try await page()
    try await page.command("lock")
    #expect(try await page.next("log")["isLocked"] == true)
    desk.count(2)
    try await page.command("unlock")
    let log = try await page.next("log")
    #expect(log["isLocked"] == false)
    #expect(log["refused"] == 2)
    #expect(desk.store.state.count == 3)
  }

  @Test("a page dispatches a registered action that the user typed")
  func dispatch() async throws {
    let page = try await page()
    let answer = try await page.ask(
      "dispatch", ["name": "AddBook", "payload": #"{"id": 4, "title": "Emma"}"#])
    #expect(answer["type"] == "done")
    #expect(desk.store.state.books.map(\.title) == ["Emma"])
  }

  @Test(
    "typed text that does not decode as an action is refused, and the refusal says what is wrong",
    arguments: [
      ("AddBook", "{\"id\": 4}", "Cannot decode AddBook: `title` is missing."),
      ("AddBook", "", "Cannot decode AddBook"),
      ("AddBook", "[[[", "Cannot decode AddBook"),
      ("Untold", "{}", "No action is registered under the name \"Untold\"."),
    ])
  func wrongAction(name: String, payload: String, message: String) async throws {
    let page = try await page()
    let answer = try await page.ask("dispatch", ["name": .string(name), "payload": .string(payload)])
    #expect(answer["type"] == "refused")
    #expect(answer["message"]?.string?.hasPrefix(message) == true, "\(answer)")
    #expect(desk.store.state.books.isEmpty)
  }

  @Test(
    "an unknown command, or one without its entry, is refused",
    arguments: ["dance", "jump", "skip", "unskip"])
  func wrongCommand(name: String) async throws {
    let answer = try await page().ask("command", ["command": .string(name)])
    #expect(answer["type"] == "refused")
    #expect(answer["code"] == "notUnderstood")
  }

  @Test("a command for an entry that no longer exists changes nothing")
  func goneEntry() async throws {
    let page = try await page()
    try await page.command("jump", entry: 77)
    try await page.command("skip", entry: 77)
    #expect(desk.store.state.count == 3)
  }

  @Test("a request about an unknown store is refused")
  func wrongStore() async throws {
    let page = try await page()
    for type in ["watch", "export"] {
      #expect(try await page.ask(type, store: 9)["code"] == "storeGone")
    }
  }

  @Test("a page shows a history that the program added itself, and its commands change that history")
  func ownHistory() async throws {
    let history = History<Shelf>(named: "drawing", keepingEvery: 2)
    let desk = Desk(history: history)
    desk.count(5)
    let page = try await desk.open()
    #expect(try await page.watch()["position"] == 5)
    try await page.command("jump", entry: 4)
    #expect(history.position == 4)
    #expect(try await page.ask("state", ["at": 1])["code"] == "notKept")
    #expect(try await page.ask("state", ["at": 77])["code"] == "noSuchEntry")
    #expect(try await page.ask("changes", ["entry": 1])["code"] == "notKept")
    #expect(try await page.ask("changes", ["entry": 77])["code"] == "noSuchEntry")
    #expect(try await page.ask("action", ["entry": 77])["code"] == "noSuchEntry")
  }

  @Test("the program's own undo action does not move the inspector's history")
  func ownUndo() async throws {
    let page = try await page()
    desk.store.dispatch(HistoryAction.undo)
    #expect(desk.store.state.count == 3)
    await page.close()
  }
}
