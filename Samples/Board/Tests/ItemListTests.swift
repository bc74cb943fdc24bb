import Board
import Flux
import Testing

@Suite("The list")
struct ItemListTests {
  private var list = ItemList()

  init() {
    for text in ["milk", "bread", "tea"] { _ = list.apply(.add(text)) }
  }

  @Test("an item that is added is the last one, and has an id that none had before")
  mutating func adding() {
    #expect(list.items.map(\.text) == ["milk", "bread", "tea"])
    #expect(list.items.map(\.id) == [1, 2, 3])
    _ = list.apply(.remove(3))
    #expect(list.apply(.add("jam")) == .added(Item(id: 4, text: "jam"), version: 5))
  }

  @Test("an edit changes what it names, and leaves the rest")
  mutating func editing() {
    let done = list.apply(.edit(2, Change.Edit(isDone: true)))
    #expect(done == .edited(Item(id: 2, text: "bread", isDone: true), version: 4))
    let renamed = list.apply(.edit(2, Change.Edit(text: "rolls")))
    #expect(renamed == .edited(Item(id: 2, text: "rolls", isDone: true), version: 5))
    #expect(list.items.map(\.text) == ["milk", "rolls", "tea"])
  }

  @Test(
    "an item is moved to its place, and a place beyond the end is the last",
    arguments: [
      (1, 2, [2, 3, 1]), (1, 1, [2, 1, 3]), (3, 0, [3, 1, 2]), (1, 99, [2, 3, 1]), (2, 1, [1, 2, 3]),
    ])
  func moving(id: Int, place: Int, ids: [Int]) {
    var list = list
    _ = list.apply(.edit(id, Change.Edit(place: place)))
    #expect(list.items.map(\.id) == ids)
  }

  @Test("what changes nothing makes no version")
  mutating func changingNothing() {
    #expect(
      list.apply(.edit(2, Change.Edit(text: "bread", isDone: false, place: 1)))
        == .edited(Item(id: 2, text: "bread"), version: 3))
    #expect(list.apply(.edit(9, Change.Edit(isDone: true))) == .missing(9))
    #expect(list.apply(.remove(9)) == .missing(9))
    #expect(list.version == 3)
  }

  @Test("a board that is full takes no other item, and everything else")
  func fullBoard() async throws {
    let app = try await BoardApp.test()
    for number in 1...BoardState.capacity {
      // The loop makes a thousand writes to memory, one after another.
      _ = try await app.perform(.add("\(number)"))
    }
    #expect(try await app.perform(.add("one more")) == .full)
    _ = try await app.perform(.remove(1))
    #expect(
      try await app.perform(.add("one more")) == .added(Item(id: 1_001, text: "one more"), version: 1_002))
  }
}
