import FluxCollections
import Testing

@Suite("The journal")
struct JournalTests {
  @Test("nothing has changed since the version itself")
  func nothing() {
    let list = list([1, 2])
    #expect(list.changedIDs(since: list.stamp) == [])
  }

  @Test(
    "ids that were placed, changed, removed and moved are told, each once, in the order of their first change"
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

  @Test("what changed between two versions is told from the first of them on")
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

  @Test("an element that takes another id is told by both, and so is the one that gives way")
  func rename() {
    var list = list(0..<10)
    let before = list.stamp
    list.update(1) { $0.id = 2 }
    #expect(list.changedIDs(since: before).map(Set.init) == [1, 2])
  }

  @Test("a version that this list has not been through is not known")
  func otherVersions() {
    var one = list(0..<10)
    var other = one
    one.update(1) { $0.text = "x" }
    other.update(2) { $0.text = "x" }
    #expect(other.changedIDs(since: one.stamp) == nil)
    #expect(one.changedIDs(since: list([1]).stamp) == nil)
    #expect(list(0..<10).changedIDs(since: one.stamp) == nil)
  }

  @Test("a later version is not known to an earlier one")
  func later() {
    let old = list(0..<10)
    var new = old
    new.update(1) { $0.text = "x" }
    #expect(old.changedIDs(since: new.stamp) == nil)
  }

  @Test("it reaches back for a thousand changes at least, and says so beyond its reach")
  func reach() {
    var list = list(0..<10)
    let before = list.stamp
    for turn in 0..<1000 { list.update(turn % 10) { $0.text = "x" } }
    #expect(list.changedIDs(since: before) == Array(0..<10))
    for turn in 0..<1000 { list.update(turn % 10) { $0.text = "x" } }
    #expect(list.changedIDs(since: before) == nil)
  }

  @Test("a change of more than it holds makes all before it unknown, and what comes after it known")
  func large() {
    var list = list(0..<5000)
    let before = list.stamp
    list.updateAll { $0.text = "x" }
    #expect(list.changedIDs(since: before) == nil)
    let after = list.stamp
    list.remove(id: 7)
    #expect(list.changedIDs(since: after) == [7])
  }

  @Test("sorting, emptying and setting all are not told id by id, and what comes after them is")
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

  @Test("a copy knows what the list it was copied from has been through")
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
