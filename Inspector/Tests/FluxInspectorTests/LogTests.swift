import Flux
import FluxInspector
import Foundation
import Testing

@Suite("The log of a store", .timeLimit(.minutes(15)))
struct LogTests {
  private func ids(_ log: JSONValue) -> [Int] {
    log["entries"]?.elements.compactMap { $0["id"]?.integer } ?? []
  }

  @Test("a page first receives the list of stores, and the actions that it can dispatch")
  func welcome() async throws {
    let desk = Desk()
    let page = try await PageClient.open(desk.inspector.address)
    let welcome = try await page.next("welcome")
    #expect(welcome["protocol"] == 1)
    #expect(welcome["program"] == "tests")
    let store = try #require(welcome["stores"]?[0])
    #expect(
      store == ["id": 1, "name": "Shelf", "actions": ["AddBook", "Count", "SetPassword"], "canExport": true])
  }

  @Test("a page that starts to watch a store receives the whole log")
  func whole() async throws {
    let desk = Desk()
    desk.count(3)
    let log = try await desk.open().watch()
    #expect(log["isWhole"] == true)
    #expect(ids(log) == [1, 2, 3])
    #expect(log["first"] == 1)
    #expect(log["keepThrough"] == .null)
    #expect(log["current"] == 3)
    #expect(log["position"] == 3)
    #expect(log["canUndo"] == true)
    #expect(log["canRedo"] == false)
    #expect(log["isPaused"] == false)
    #expect(log["isLocked"] == false)
    #expect(log["refused"] == 0)
  }

  @Test("actions that are dispatched afterwards are sent together on the next turn")
  func live() async throws {
    let desk = Desk()
    desk.count(2)
    let page = try await desk.open()
    _ = try await page.watch()
    desk.count(2)
    desk.clock.turn()
    let log = try await page.next("log")
    #expect(log["isWhole"] == false)
    #expect(ids(log) == [3, 4])
    desk.clock.turn()
    desk.count(1)
    desk.clock.turn()
    #expect(ids(try await page.next("log")) == [5])
  }

  @Test("a long log is sent in parts of five hundred entries")
  func long() async throws {
    let desk = Desk()
    desk.count(1_234)
    let page = try await desk.open()
    var log = try await page.watch()
    var told = [ids(log)]
    #expect(log["isWhole"] == true)
    for _ in 0..<2 {
      log = try await page.next("log")
      #expect(log["isWhole"] == false)
      #expect(log["keepThrough"] == .null)
      told.append(ids(log))
    }
    #expect(told.map(\.count) == [500, 500, 234])
    #expect(Array(told.joined()) == Array(1...1_234))
  }

  @Test("an entry contains the action, its time, its duration, and its origin")
  func entry() async throws {
    let desk = Desk()
    let page = try await desk.open()
    _ = try await page.watch()
    desk.store.dispatch(AddBook(id: 7, title: "Ulysses"))
    desk.clock.turn()
    let entry = try #require(try await page.next("log")["entries"]?[0])
    #expect(entry["name"] == "AddBook")
    #expect(entry["text"] == "AddBook(id: 7, title: \"Ulysses\")")
    #expect(entry["step"] == 1)
    #expect(entry["isSkipped"] == false)
    #expect(entry["isAmended"] == false)
    #expect(entry["time"] != .null)
    #expect(entry["duration"] != .null)
    #if os(Linux)
      let origin = try await page.origin(of: 1)
      #expect(origin.hasPrefix("LogTests.swift:"))
      #expect(origin.hasSuffix("LogTests.entry()"), "\(origin)")
    #endif
  }

  @Test("while no page watches, nothing is noted about an action unless the program requests it")
  func noting() async throws {
    for (noting, isNoted) in [(Inspector.Noting.whileWatched, false), (.always, true)] {
      let desk = Desk(noting: noting)
      desk.count(1)
      let page = try await desk.open()
      let entry = try await page.watch()["entries"]?[0]
      #expect((entry?["time"] != .null) == isNoted)
      #if os(Linux)
        #expect(entry?["origin"] == .null)
        if isNoted { #expect(try await page.origin(of: 1).hasPrefix("Shelf.swift:")) }
      #else
        #expect((entry?["origin"] != .null) == isNoted)
      #endif
    }
  }

  #if os(Linux)
    @Test("a dispatch does not look up code locations, and an entry has no origin before the look-up is done")
    func unprepared() async throws {
      let desk = Desk()
      desk.inspector.notes.isOn = true
      desk.count(1)
      let entry = try #require(try await desk.open().watch()["entries"]?[0])
      #expect(entry["time"] != .null)
      #expect(entry["origin"]?.string?.contains(".swift:") != true, "\(entry)")
    }
  #endif

  @Test("a time that is not a number is omitted")
  func noTime() async throws {
    let notes = HistoryNoting(date: { Date(timeIntervalSince1970: .infinity) })
    let desk = Desk(history: History(noting: notes))
    desk.count(1)
    let entry = try #require(try await desk.open().watch()["entries"]?[0])
    #expect(entry["name"] == "Count")
    #expect(entry["time"] == .null)
  }

  @Test("an entry says that its action came from a page")
  func fromPage() async throws {
    let desk = Desk()
    let page = try await desk.open()
    _ = try await page.watch()
    try await page.ask("dispatch", ["name": "Count", "payload": "{}"])
    #expect(try await page.next("log")["entries"]?[0]?["origin"] == "the inspector's page")
  }

  @Test("an action that work dispatches later does not count as an action of the page that started the work")
  func fromWork() async throws {
    let (gate, opening) = AsyncStream.makeStream(of: Void.self)
    let work = Locked<Task<Void, Never>?>(nil)
    let later: Middleware<Shelf> = { dispatch, _ in
      { next in
        { action in
          next(action)
          guard action is AddBook else { return }
          let task = Task {
            for await _ in gate {}
            dispatch(Count())
          }
          work.withLock { $0 = task }
        }
      }
    }
    let desk = Desk(middleware: [later])
    let page = try await desk.open()
    _ = try await page.watch()
    try await page.ask("dispatch", ["name": "AddBook", "payload": #"{"id": 1, "title": "Emma"}"#])
    #expect(try await page.next("log")["entries"]?[0]?["origin"] == "the inspector's page")
    opening.finish()
    await work.withLock { $0 }?.value
    desk.clock.turn()
    let entry = try await page.next("log")["entries"]?[0]
    #expect(entry?["name"] == "Count")
    // A page's own origin comes with the entry.
    #expect(entry?["origin"] != "the inspector's page")
  }

  @Test("only the first three hundred characters of a long action are sent")
  func longText() async throws {
    let desk = Desk()
    desk.store.dispatch(AddBook(id: 1, title: String(repeating: "é", count: 10_000)))
    let text = try await desk.open().watch()["entries"]?[0]?["text"]?.string
    #expect(text?.count == 301)
    #expect(text?.hasSuffix("é…") == true)
  }

  @Test("an entry that replaces undone entries is sent with the ids that it replaces")
  func displaced() async throws {
    let desk = Desk()
    desk.count(3)
    let page = try await desk.open()
    _ = try await page.watch()
    try await page.command("jump", entry: 1)
    let jumped = try await page.next("log")
    #expect(jumped["current"] == 1)
    #expect(jumped["canRedo"] == true)
    #expect(ids(jumped) == [])
    desk.count(1)
    desk.clock.turn()
    let log = try await page.next("log")
    #expect(log["keepThrough"] == 1)
    #expect(ids(log) == [4])
  }

  @Test("a page that stops watching receives nothing more, and receives the whole log when it watches again")
  func unwatch() async throws {
    let desk = Desk()
    desk.count(1)
    let page = try await desk.open()
    _ = try await page.watch()
    #expect(try await page.ask("unwatch")["type"] == "done")
    desk.count(1)
    desk.clock.turn()
    let log = try await page.watch()
    #expect(log["isWhole"] == true)
    #expect(ids(log) == [1, 2])
  }

  @Test("a page that connects again receives everything again")
  func again() async throws {
    let desk = Desk()
    desk.count(2)
    let page = try await desk.open()
    _ = try await page.watch()
    await page.close()
    desk.count(1)
    #expect(ids(try await desk.open().watch()) == [1, 2, 3])
  }

  @Test("each of two pages receives the entries that it does not have yet")
  func twoPages() async throws {
    let desk = Desk()
    let first = try await desk.open()
    _ = try await first.watch()
    desk.count(1)
    let second = try await desk.open()
    #expect(ids(try await second.watch()) == [1])
    desk.clock.turn()
    desk.clock.turn()
    #expect(ids(try await first.next("log")) == [1])
  }
}
