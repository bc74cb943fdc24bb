import FluxCollections
import Testing

@Suite("The journal")
struct JournalTests {
  @Test("nothing has changed since the present version")
  func nothing() {
    let list = list([1, 2])
    #expect(list.changedIDs(since: list.stamp) == [])
  }

  @Test(
    "each inserted, changed, removed, or moved id is listed once, in the order of its first change"
  )
  func kinds() {
    var list = list(0..<10)
    let before = list.stamp
    list.append(Entry(20))
    list.update(3) { $0.text = "x" }
    list.remove(id: 5)
    list.move(from: 0, to: 4)
    list.update(3) { $0.text = "y" }
    list.set(Entry(20, "z"))
    #expect(list.changedIDs(since: before) == [20, 3, 5, 0])
  }

  @Test("the changes since a version do not include earlier changes")
  func between() {
    var list = list(0..<10)
    list.update(1) { $0.text = "x" }
    let middle = list.stamp
    list.update(2) { $0.text = "x" }
    #expect(list.changedIDs(since: middle) == [2])
  }

  @Test("an operation on several elements is one change")
  func several() {
    var list = list(0..<10)
    let before = list.stamp
    list.remove(at: [1, 2])
    list.append(contentsOf: [Entry(11), Entry(12)])
    #expect(list.changedIDs(since: before).map(Set.init) == [1, 2, 11, 12])
  }

  @Test("a change of an element's id lists both ids, and the id of an element that it replaces")
  func rename() {
    var list = list(0..<10)
    let before = list.stamp
    list.update(1) { $0.id = 2 }
    #expect(list.changedIDs(since: before).map(Set.init) == [1, 2])
  }

  @Test("a version that is not in the history of the list is unknown")
  func otherVersions() {
    var one = list(0..<10)
    var other = one
    one.update(1) { $0.text = "x" }
    other.update(2) { $0.text = "x" }
    #expect(other.changedIDs(since: one.stamp) == nil)
    #expect(one.changedIDs(since: list([1]).stamp) == nil)
    #expect(list(0..<10).changedIDs(since: one.stamp) == nil)
  }

  @Test("a later version is unknown to an earlier one")
  func later() {
    let old = list(0..<10)
    var new = old
    new.update(1) { $0.text = "x" }
    #expect(old.changedIDs(since: new.stamp) == nil)
  }

  @Test("the journal contains at least a thousand changes, and reports versions beyond its reach")
  func reach() {
    var list = list(0..<10)
    let before = list.stamp
    for turn in 0..<1000 { list.update(turn % 10) { $0.text = "x" } }
    #expect(list.changedIDs(since: before) == Array(0..<10))
    for turn in 0..<1000 { list.update(turn % 10) { $0.text = "x" } }
    #expect(list.changedIDs(since: before) == nil)
  }

  @Test("a change of more ids than fit makes all earlier versions unknown, and later changes are known")
  func large() {
    var list = list(0..<5000)
    let before = list.stamp
    list.updateAll { $0.text = "x" }
    #expect(list.changedIDs(since: before) == nil)
    let after = list.stamp
    list.remove(id: 7)
    #expect(list.changedIDs(since: after) == [7])
  }

  @Test("sorting, emptying, and setting all elements are not recorded by id, and later changes are")
  func wholesale() {
    let changes: [(inout OrderedState<Entry>) -> Void] = [
      { $0.sort { $0.id > $1.id } }, { $0.removeAll() }, { $0.setAll([Entry(1)]) },
    ]
    for change in changes {
      var list = list(0..<10)
      let before = list.stamp
      change(&list)
      #expect(list.changedIDs(since: before) == nil)
      let after = list.stamp
      list.append(Entry(99))
      #expect(list.changedIDs(since: after) == [99])
    }
  }

  @Test("a copy has the journal of the list that it was copied from")
  func copies() {
    var list = list(0..<10)
    let before = list.stamp
    list.update(1) { $0.text = "x" }
    var copy = list
    copy.update(2) { $0.text = "x" }
    list.update(3) { $0.text = "x" }
    #expect(copy.changedIDs(since: before) == [1, 2])
    #expect(list.changedIDs(since: before) == [1, 3])
  }
}
