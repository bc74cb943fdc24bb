import FluxCollections
import Testing

@Suite("The entity operations of a list")
struct EntityTests {
  @Test("adding keeps existing elements unchanged, and returns whether an element was added")
  func add() {
    var list = list([1, 2])
    let (isFirstNew, isSecondNew) = (list.add(Entry(1, "new")), list.add(Entry(3, "3")))
    #expect(!isFirstNew && isSecondNew)
    list.add(contentsOf: [Entry(4, "4"), Entry(2, "new"), Entry(4, "new")])
    #expect(list.values == [Entry(1, "1"), Entry(2, "2"), Entry(3, "3"), Entry(4, "4")])
  }

  @Test("setting replaces an existing element in place, and appends a new one")
  func set() {
    var list = list([1, 2, 3])
    list.set(Entry(2, "two"))
    list.set(Entry(4, "four"))
    list.set(contentsOf: [Entry(5, "x"), Entry(1, "one"), Entry(5, "five")])
    #expect(list.map(\.text) == ["one", "two", "3", "four", "five"])
  }

  @Test("setting all replaces all elements, and the last of several with the same id remains")
  func setAll() {
    var list = list(0..<100)
    list.setAll([Entry(1, "a"), Entry(2), Entry(1, "b")])
    #expect(list.values == [Entry(2), Entry(1, "b")])
    list.setAll([])
    #expect(list.isEmpty)
    expectUnchanged(list) { $0.setAll([]) }
  }

  @Test("an upsert merges into an existing element, and appends a new one")
  func upsert() {
    var list = list([1, 2])
    list.upsert(Entry(2, "!")) { $0.text += $1.text }
    list.upsert(contentsOf: [Entry(3, "x"), Entry(3, "y")]) { $0.text += $1.text }
    list.upsert(Entry(1, "one"))
    #expect(list.values == [Entry(1, "one"), Entry(2, "2!"), Entry(3, "xy")])
  }

  @Test("a merge that changes the id removes another element with that id")
  func mergedID() {
    var list = list([1, 2, 3])
    list.upsert(Entry(2, "x")) { old, _ in old.id = 3 }
    #expect(list.values == [Entry(1, "1"), Entry(3, "2")])
    #expect(list.inconsistency == nil)
  }

  @Test("an operation without elements changes nothing")
  func nothing() {
    expectUnchanged(list([1])) { list in
      list.add(contentsOf: [])
      list.set(contentsOf: [])
      list.upsert(contentsOf: [])
      list.add(Entry(1, "x"))
      list.add(contentsOf: [Entry(1, "x")])
    }
  }
}
