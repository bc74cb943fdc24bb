import Board
import Flux
import FluxLog
import Foundation
import Testing

@Suite("Keys of changes", .timeLimit(.minutes(15)))
struct ChangeKeyTests {
  private func key(_ number: Int, of client: String = "page") -> ChangeKey {
    ChangeKey(client: client, number: number)
  }

  @Test(
    "a key contains the name of a client and a number, with or without quotation marks",
    arguments: [
      ("f81d-4fae/7", ChangeKey(client: "f81d-4fae", number: 7)),
      ("\"A/1\"", ChangeKey(client: "A", number: 1)),
      ("", nil), ("7", nil), ("/7", nil), ("a/", nil), ("a/0", nil), ("a/-1", nil), ("a/1/2", nil),
      ("a b/1", nil),
      ("é/1", nil), ("a/x", nil), ("\"", nil), ("\"a/1", nil),
      ("\(String(repeating: "a", count: 65))/1", nil),
    ])
  func parsing(value: String, key: ChangeKey?) {
    #expect(ChangeKey(value) == key)
  }

  @Test("a repeated change is not made again, and receives the same answer")
  func repeated() {
    var list = ItemList()
    let answer = list.apply(.add("milk"), key: key(1))
    _ = list.apply(.edit(1, Change.Edit(text: "tea")))
    #expect(list.apply(.add("milk"), key: key(1)) == answer)
    #expect(list.items.map(\.text) == ["tea"])
    #expect(list.version == 2)
  }

  @Test("a change that arrives after a later change of its client is not made again")
  func late() {
    var list = ItemList()
    _ = list.apply(.add("milk"), key: key(1))
    _ = list.apply(.remove(1), key: key(2))
    #expect(list.apply(.add("milk"), key: key(1)) == .superseded)
    #expect(list.items.isEmpty)
  }

  @Test("a key that was used for another change is refused")
  func reused() {
    var list = ItemList()
    _ = list.apply(.add("milk"), key: key(1))
    #expect(list.apply(.add("tea"), key: key(1)) == .reused)
    #expect(list.items.map(\.text) == ["milk"])
  }

  @Test("clients with different names use the same numbers")
  func otherClient() {
    var list = ItemList()
    _ = list.apply(.add("milk"), key: key(1))
    #expect(list.apply(.add("tea"), key: key(1, of: "other")) == .added(Item(id: 2, text: "tea"), version: 2))
  }

  @Test("a change with a key makes a version even if it changes nothing, so that a repetition is recognized")
  func withoutEffect() {
    var list = ItemList()
    #expect(list.apply(.remove(1), key: key(1)) == .missing(1))
    #expect(list.version == 1)
    _ = list.apply(.add("milk"))
    #expect(list.apply(.remove(1), key: key(1)) == .missing(1))
    #expect(
      list.apply(.edit(1, Change.Edit(text: "milk")), key: key(2))
        == .edited(Item(id: 1, text: "milk"), version: 3))
    #expect(list.items.count == 1)
  }

  @Test("the last changes of the newest clients are remembered")
  func capacity() {
    var list = ItemList()
    for number in 0...ItemList.clientCapacity {
      _ = list.apply(.remove(1), key: key(1, of: "client-\(number)"))
    }
    #expect(list.lastChanges.count == ItemList.clientCapacity)
    #expect(list.lastChanges.first?.id == "client-1")
    _ = list.apply(.remove(1), key: key(2, of: "client-1"))
    #expect(list.lastChanges.first?.id == "client-2")
  }

  @Test("a full board refuses a repeated change again, even if it has room then")
  func full() async throws {
    let log = MemoryLog()
    let app = try await BoardApp.test(log)
    for number in 1...BoardState.capacity { _ = try await app.perform(.add("\(number)")) }
    #expect(try await app.perform(.add("one more"), key: key(1)) == .full)
    _ = try await app.perform(.remove(1))
    #expect(try await app.perform(.add("one more"), key: key(1)) == .full)
    #expect(
      try await app.perform(.add("one more"), key: key(2))
        == .added(Item(id: 1_001, text: "one more"), version: 1_003))
    let restarted = try await BoardApp.test(log)
    #expect(try await restarted.perform(.add("one more"), key: key(1)) == .superseded)
  }

  @Test("a repeated change receives its answer even if the board is full then")
  func repeatedOnFullBoard() async throws {
    let app = try await BoardApp.test()
    let answer = try await app.perform(.add("first"), key: key(1))
    for number in 2...BoardState.capacity { _ = try await app.perform(.add("\(number)")) }
    #expect(try await app.perform(.add("first"), key: key(1)) == answer)
  }

  @Test("a repeated request is recognized after a restart, also with a snapshot", arguments: [1, 1 << 20])
  func restart(snapshotLimit: Int) async throws {
    let log = MemoryLog()
    let app = try await BoardApp.test(log, snapshotLimit: snapshotLimit)
    let answer = try await app.perform(.add("milk"), key: key(1))
    try await app.close()
    let restarted = try await BoardApp.test(log, snapshotLimit: snapshotLimit)
    #expect(try await restarted.perform(.add("milk"), key: key(1)) == answer)
    #expect(restarted.texts == ["milk"])
  }

  @Test("the header Idempotency-Key makes a request repeatable")
  func header() async throws {
    let app = try await BoardApp.test()
    try await withServer(app) { port in
      let client = try await Client(to: port)
      func add(_ key: String) async throws -> Client.Response {
        try await client.send(
          "POST", "/items", body: #"{"text": "milk"}"#, kind: "application/json",
          headers: "Idempotency-Key: \(key)")
        return try await client.response()
      }
      let first = try await add("\"page/1\"")
      #expect(first.body == #"{"item":{"done":false,"id":1,"text":"milk"},"version":1}"#)
      let second = try await add("page/1")
      #expect((second.status, second.body) == (first.status, first.body))
      #expect(try await add("page/2").status == 201)
      let late = try await add("page/1")
      #expect(late.status == 410)
      #expect(late.body.contains("The board has decided about a later change of this client."))
      try await client.send(
        "DELETE", "/items/1", headers: "Idempotency-Key: page/2")
      #expect(try await client.response().status == 422)
      let bad = try await add("page")
      #expect(bad.status == 400)
      #expect(bad.body.contains("The Idempotency-Key must be a client's name and the number of its change"))
    }
  }

  @Test("before a list, a page receives its last change in the list, and the id of the item that it added")
  func events() async throws {
    let app = try await BoardApp.test()
    try await withServer(app) { port in
      let page = try await Client(to: port)
      try await page.send("GET", "/events?client=page")
      _ = try await page.head()
      _ = try await page.chunk()
      #expect(try await page.chunk()?.hasPrefix("id: 0\n") == true)
      _ = try await app.perform(.add("milk"), key: key(1))
      #expect(
        try await page.chunk()?.hasPrefix("event: made\ndata: {\"added\":1,\"number\":1}\n\nid: 1\n") == true)
      _ = try await app.perform(.add("tea"))
      #expect(try await page.chunk()?.hasPrefix("id: 2\n") == true)
      _ = try await app.perform(.remove(1), key: key(2))
      #expect(try await page.chunk()?.hasPrefix("event: made\ndata: {\"number\":2}\n\nid: 3\n") == true)
    }
  }
}
