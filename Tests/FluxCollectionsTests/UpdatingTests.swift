import FluxCollections
import TestSupport
import Testing

@Suite("Changing elements")
struct UpdatingTests {
  @Test("an element is changed in place, by its id or by its position")
  func update() {
    var list = list([1, 2, 3])
    #expect(list.update(2) { $0.text = "two" })
    #expect(list.update(at: 2) { $0.text = "three" })
    list[id: 1]?.text = "one"
    #expect(list.values == [Entry(1, "one"), Entry(2, "two"), Entry(3, "three")])
  }

  @Test("an unknown id or a position out of range changes nothing, and the closure is not called")
  func unknown() {
    expectUnchanged(list([1, 2])) { list in
      #expect(!list.update(3) { _ in Issue.record("called") })
      #expect(!list.update(at: 2) { _ in Issue.record("called") })
      #expect(!list.update(at: -1) { _ in Issue.record("called") })
      list.update([7, 8]) { _ in Issue.record("called") }
      list[id: 7]?.text = "x"
    }
    expectUnchanged(OrderedState()) { list in
      list.updateAll { _ in Issue.record("called") }
    }
  }

  @Test(
    "several elements are changed one after another, as often as their ids occur; unknown ids are skipped")
  func several() {
    var list = list([1, 2, 3])
    list.update([3, 9, 1, 3]) { $0.text += "!" }
    #expect(list.values == [Entry(1, "1!"), Entry(2, "2"), Entry(3, "3!!")])
  }

  @Test("all elements are changed, in their order")
  func all() {
    var list = list(0..<200)
    var order: [Int] = []
    list.updateAll { entry in
      order.append(entry.id)
      entry.text = "new"
    }
    #expect(order == Array(0..<200))
    #expect(list.allSatisfy { $0.text == "new" })
  }

  @Test("an element whose id changes keeps its position, and is found by the new id only")
  func rename() {
    var list = list([1, 2, 3])
    list.update(2) { $0.id = 9 }
    #expect(list.ids == [1, 9, 3])
    #expect(list[id: 2] == nil)
    #expect(list[id: 9] == Entry(9, "2"))
    list.update(at: 0) { $0.id = 8 }
    list[2] = Entry(7, "seven")
    #expect(list.ids == [8, 9, 7])
    #expect(list.inconsistency == nil)
  }

  @Test("an element that takes the id of another element replaces that element")
  func collision() {
    var list = list([1, 2, 3])
    list.update(3) { $0.id = 1 }
    #expect(list.values == [Entry(2, "2"), Entry(1, "3")])
    list[id: 2] = Entry(1, "again")
    #expect(list.values == [Entry(1, "again")])
    #expect(list.inconsistency == nil)
  }

  @Test("if elements exchange ids one after the other, one element is lost, as in a dictionary")
  func exchange() {
    var list = list([1, 2])
    list.updateAll { $0.id = 3 - $0.id }
    #expect(list.values == [Entry(2, "1")])
  }

  @Test("an assignment by id replaces in place or appends, and assigning nil removes")
  func set() {
    var list = list([1, 2])
    list[id: 1] = Entry(1, "one")
    list[id: 3] = Entry(3, "three")
    list[id: 2] = nil
    #expect(list.values == [Entry(1, "one"), Entry(3, "three")])
    expectUnchanged(list) { $0[id: 99] = nil }
  }

  @Test("an element that no other copy shares is changed in place")
  func inPlace() {
    let tracker = LifetimeTracker()
    struct Held: Identifiable {
      let id: Int
      var parts: [LifetimeTracker.Tracked]
    }
    var list = OrderedState((0..<100).map { Held(id: $0, parts: [tracker.make()]) })
    let before = list[id: 50]?.parts.withUnsafeBufferPointer { $0.baseAddress }
    list.update(50) { held in
      held.parts.withUnsafeMutableBufferPointer { #expect(UnsafePointer($0.baseAddress) == before) }
    }
  }

  @Test("removed and replaced elements are released")
  func released() {
    let tracker = LifetimeTracker()
    struct Held: Identifiable {
      let id: Int
      let part: LifetimeTracker.Tracked
    }
    var list = OrderedState((0..<500).map { Held(id: $0, part: tracker.make()) })
    #expect(tracker.alive == 500)
    list.remove(at: Array(0..<200))
    #expect(tracker.alive == 300)
    list.set(Held(id: 300, part: tracker.make()))
    #expect(tracker.alive == 300)
    let kept = list
    list.removeAll()
    #expect(tracker.alive == 300 && kept.count == 300)
    list = kept
    list.remove(ids: Array(0..<500))
    #expect(tracker.alive == 300 && kept.count == 300)
  }
}
