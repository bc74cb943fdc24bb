import FluxCollections
import TestSupport
import Testing

@Suite("Reading a list")
struct ReadingTests {
  @Test("an element is found by its id, and an unknown id is nil")
  func byID() {
    let list = list(0..<100)
    #expect(list[id: 42] == Entry(42, "42"))
    #expect(list[id: 100] == nil)
    #expect(list.value(forId: 42) == Entry(42, "42"))
    #expect(list.value(forId: 100) == nil)
    #expect(list.contains(id: 99) && !list.contains(id: -1))
  }

  @Test("an id that is not an integer needs no label to find an element")
  func unlabelled() {
    struct Book: Identifiable, Equatable {
      var id: String
      var title = ""
    }
    var books = OrderedState(Book(id: "a"), Book(id: "b"))
    #expect(books["b"] == Book(id: "b"))
    #expect(books["c"] == nil)
    books["b"]?.title = "Emma"
    books["c"] = Book(id: "c")
    books["a"] = nil
    #expect(books.values == [Book(id: "b", title: "Emma"), Book(id: "c")])
  }

  @Test("where ids are integers, a subscript without a label uses positions")
  func integers() {
    let list = list([30, 20, 10])
    #expect(list[0].id == 30)
    #expect(list[id: 10]?.id == 10)
  }

  @Test("an element is found by its position, and a position out of range returns nil")
  func byPosition() {
    let list = list(0..<1000)
    #expect((0..<1000).allSatisfy { list.element(at: $0)?.id == $0 && list[$0].id == $0 })
    #expect(list.element(at: -1) == nil)
    #expect(list.element(at: 1000) == nil)
  }

  @Test("the position of an id is found, and that of an unknown id is nil")
  func position() {
    let list = list((0..<500).reversed())
    #expect((0..<500).allSatisfy { list.position(of: $0) == 499 - $0 })
    #expect(list.position(of: 500) == nil)
  }

  @Test("values, ids, entities, and the total correspond to the elements")
  func all() {
    let list = list([3, 1, 2])
    #expect(list.values == [Entry(3, "3"), Entry(1, "1"), Entry(2, "2")])
    #expect(list.all == list.values)
    #expect(list.ids == [3, 1, 2])
    #expect(list.entities == [1: Entry(1, "1"), 2: Entry(2, "2"), 3: Entry(3, "3")])
    #expect(list.total == 3)
  }

  @Test("a list is a random-access collection")
  func collection() {
    let list = list(0..<200)
    #expect(list.first?.id == 0 && list.last?.id == 199)
    #expect(list.reversed().map(\.id) == (0..<200).reversed())
    #expect(list[50..<53].map(\.id) == [50, 51, 52])
    #expect(list.index(0, offsetBy: 7) == 7 && list.distance(from: 3, to: 9) == 6)
    #expect(list.firstIndex { $0.id == 77 } == 77)
    #expect(zip(list.indices, list).allSatisfy { $0 == $1.id })
  }

  @Test("an iteration visits the list as it was when the iteration began")
  func iteration() {
    var list = list(0..<300)
    var seen: [Int] = []
    for entry in list {
      list.update(entry.id + 1) { $0.id += 1000 }
      list.remove(at: 0)
      seen.append(entry.id)
    }
    #expect(seen == Array(0..<300))
  }

  @Test("an iterator that has reached the end stays there")
  func end() {
    var iterator = list([1]).makeIterator()
    #expect(iterator.next()?.id == 1)
    #expect(iterator.next() == nil)
    #expect(iterator.next() == nil)
    var empty = list([]).makeIterator()
    #expect(empty.next() == nil)
  }

  @Test("a position out of range stops the program with a message")
  func trap() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = OrderedState(Entry(1))[1]
    }
    expect(result, says: "position 1 is out of bounds. The OrderedState has a count of 1.")
  }

  @Test("an assignment at a position out of range stops the program")
  func trapSetting() async {
    await #expect(processExitsWith: .failure) {
      var list = OrderedState(Entry(1))
      list[-1] = Entry(2)
    }
  }
}
