import Flux
import FluxInspector
import Foundation
import Testing

@Suite("States and actions as trees", .timeLimit(.minutes(15)))
struct StateTests {
  private func desk(limits: InspectorLimits = InspectorLimits()) -> Desk {
    let desk = Desk(limits: limits)
    desk.store.dispatch(AddBook(id: 27, title: "Emma \"the\" <b>first</b>"))
    desk.store.dispatch(AddBook(id: 28, title: "Ulysses"))
    return desk
  }

  @Test("a page receives the current state as a tree")
  func current() async throws {
    let desk = desk()
    let answer = try await desk.open().ask("state", ["at": .null])
    #expect(answer["at"] == .null)
    let tree = try #require(answer["tree"])
    #expect(tree["type"] == "Shelf")
    let books = try #require(tree.node("books"))
    #expect(books["type"] == "OrderedState<Book>")
    #expect(books["summary"] == "2 elements")
    #expect(
      books.node("27", "title")
        == ["label": "title", "type": "String", "value": "\"Emma \"the\" <b>first</b>\""])
    #expect(tree.node("owners")?["value"] == "no entries")
    #expect(tree.node("count")?["value"] == "0")
  }

  @Test("the states behind an entry and the base are sent as they were")
  func earlier() async throws {
    let desk = desk()
    let page = try await desk.open()
    #expect(try await page.ask("state", ["at": 1])["tree"]?.node("books")?["summary"] == "1 element")
    #expect(try await page.ask("state", ["at": 0])["tree"]?.node("books")?["value"] == "no elements")
    #expect(try await page.ask("state", ["at": 2])["tree"]?.node("books")?["summary"] == "2 elements")
  }

  @Test("a state is sent with its address, if the store has one for it")
  func address() async throws {
    let desk = Desk(address: { shelf in shelf.books.isEmpty ? nil : "shelf://books/\(shelf.books.count)" })
    desk.store.dispatch(AddBook(id: 27, title: "Emma"))
    desk.store.dispatch(AddBook(id: 28, title: "Ulysses"))
    let page = try await desk.open()
    #expect(try await page.ask("state", ["at": .null])["address"] == "shelf://books/2")
    #expect(try await page.ask("state", ["at": 1])["address"] == "shelf://books/1")
    #expect(try await page.ask("state", ["at": 0])["address"] == nil)
    let other = self.desk()
    #expect(try await other.open().ask("state")["address"] == nil)
  }

  @Test("a path selects the part at which a tree begins")
  func path() async throws {
    let desk = desk()
    let page = try await desk.open()
    let answer = try await page.ask("state", ["at": .null, "path": ["books", "28"]])
    #expect(answer["tree"]?["label"] == "28")
    #expect(answer["tree"]?.node("title")?["value"] == "\"Ulysses\"")
    #expect(try await page.ask("state", ["path": ["books", "29"]])["code"] == "noSuchPath")
    #expect(try await page.ask("state", ["path": ["books", "28", "title", "x"]])["code"] == "noSuchPath")
  }

  @Test("entries of a dictionary are under their keys, in order")
  func dictionary() async throws {
    let desk = desk()
    desk.store.dispatch(SetPassword(password: "x"))
    let tree = try await desk.open().ask("state")["tree"]
    #expect(tree?.node("owners")?["summary"] == "1 entry")
    #expect(tree?.node("owners", "Ada", "password")?["value"] == "\"x\"")
  }

  @Test("values that are too deep, too broad, or too long are cut, and marked as cut")
  func limits() async throws {
    let desk = desk(limits: InspectorLimits(depth: 1, breadth: 1, nodes: 100, characters: 4))
    let page = try await desk.open()
    let tree = try #require(try await page.ask("state")["tree"])
    #expect(tree["isCut"] == true)
    #expect(tree["children"]?.elements.count == 1)
    #expect(tree.node("book…")?["isCut"] == true)
    #expect(tree.node("book…")?["children"]?.elements.isEmpty == true)
    let deeper = try await page.ask("state", ["path": ["books", "28", "title"]])["tree"]
    #expect(deeper?["value"] == "\"Ulys…\"")
  }

  @Test("no tree has more values than allowed, however broad and deep the state is")
  func nodes() async throws {
    func count(_ node: JSONValue) -> Int {
      (node["children"]?.elements ?? []).reduce(1) { $0 + count($1) }
    }
    let desk = Desk(limits: InspectorLimits(nodes: 50))
    for id in 0..<150 { desk.store.dispatch(AddBook(id: id, title: "T")) }
    let tree = try #require(try await desk.open().ask("state")["tree"])
    #expect((40...60).contains(count(tree)))
    #expect(tree.node("books")?["isCut"] == true)
  }

  @Test("the changes of an action are sent")
  func changes() async throws {
    let desk = desk()
    desk.count(1)
    let page = try await desk.open()
    let inserted = try await page.ask("changes", ["entry": 2])
    #expect(inserted["isCut"] == false)
    #expect(
      inserted["changes"]
        == [["path": "books[28]", "kind": "inserted", "after": "Book(id: 28, title: \"Ulysses\")"]])
    let changed = try await page.ask("changes", ["entry": 3])
    #expect(changed["changes"] == [["path": "count", "kind": "changed", "before": "0", "after": "1"]])
  }

  @Test("an action is sent as a tree, and as JSON if a page can dispatch it")
  func action() async throws {
    let desk = desk()
    desk.store.dispatch(Untold(password: "x"))
    let page = try await desk.open()
    let registered = try await page.ask("action", ["entry": 2])
    #expect(registered["tree"]?["label"] == "AddBook")
    #expect(registered["tree"]?.node("id")?["value"] == "28")
    let json = try #require(registered["json"]?.string)
    #expect(
      try JSONDecoder().decode(JSONValue.self, from: Data(json.utf8)) == ["id": 28, "title": "Ulysses"])
    let untold = try await page.ask("action", ["entry": 3])
    #expect(untold["json"] == .null)
    #expect(untold["tree"]?.node("password")?["value"] == "\"x\"")
  }
}
