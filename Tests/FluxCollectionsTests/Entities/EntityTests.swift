import FluxCollections
import Testing

@Suite("The entity operations of a list")
struct EntityTests {
  @Test("adding keeps what is known as it is, and says so")
  func add() {
    var list = list([1, 2])
    let (isFirstNew, isSecondNew) = (list.add(Entry(1, "new")), list.add(Entry(3, "3")))
    #expect(!isFirstNew && isSecondNew)
    list.add(contentsOf: [Entry(4, "4"), Entry(2, "new"), Entry(4, "new")])
    #expect(list.values == [Entry(1, "1"), Entry(2, "2"), Entry(3, "3"), Entry(4, "4")])
  }

  @Test("setting replaces where it stands, and appends what is new")
  func set() {
    var list = list([1, 2, 3])
    list.set(Entry(2, "two"))
    list.set(Entry(4, "four"))
    list.set(contentsOf: [Entry(5, "x"), Entry(1, "one"), Entry(5, "five")])
    #expect(list.map(\.text) == ["one", "two", "3", "four", "five"])
  }

  @Test("setting all replaces everything, and the last of several with the same id stands")
  func setAll() {
    var list = list(0..<100)
    list.setAll([Entry(1, "a"), Entry(2), Entry(1, "b")])
    #expect(list.values == [Entry(2), Entry(1, "b")])
    list.setAll([])
    #expect(list.isEmpty)
    expectUnchanged(list) { $0.setAll([]) }
  }

  @Test("upserting merges into what is known, and appends what is new")
  func upsert() {
    var list = list([1, 2])
    list.upsert(Entry(2, "!")) { $0.text += $1.text }
    list.upsert(contentsOf: [Entry(3, "x"), Entry(3, "y")]) { $0.text += $1.text }
    list.upsert(Entry(1, "one"))
    #expect(list.values == [Entry(1, "one"), Entry(2, "2!"), Entry(3, "xy")])
  }

  @Test("a merge that changes the id makes another one with it give way")
  func mergedID() {
    var list = list([1, 2, 3])
    list.upsert(Entry(2, "x")) { old, _ in old.id = 3 }
    #expect(list.values == [Entry(1, "1"), Entry(3, "2")])
    #expect(list.inconsistency == nil)
  }

  @Test("nothing at all changes nothing")
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
