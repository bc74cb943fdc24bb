import FluxCollections
import Foundation
import Testing

@Suite("Removing elements")
struct RemovingTests {
  @Test("an element is removed by its id, and returned")
  func byID() {
    var list = list([1, 2, 3])
    #expect(list.remove(id: 2) == Entry(2, "2"))
    #expect(list.ids == [1, 3])
    list.remove(forId: 3)
    #expect(list.ids == [1])
  }

  @Test("an element is removed by its position, and returned")
  func byPosition() {
    var list = list([1, 2, 3])
    #expect(list.remove(at: 0) == Entry(1, "1"))
    #expect(list.ids == [2, 3])
  }

  @Test("elements are removed by a set of positions, which count before the removal")
  func byIndexSet() {
    var list = list(0..<10)
    list.remove(at: IndexSet([0, 3, 4, 9]))
    #expect(list.ids == [1, 2, 5, 6, 7, 8])
  }

  @Test("positions may be in any order, and may repeat")
  func anyOrder() {
    var list = list(0..<6)
    list.remove(at: [5, 0, 3, 0, 5])
    #expect(list.ids == [1, 2, 4])
  }

  @Test("positions out of range are skipped")
  func outOfRange() {
    var some = list([1, 2, 3])
    some.remove(at: [-1, 1, 3, .max])
    #expect(some.ids == [1, 3])
    expectUnchanged(some) { list in
      #expect(list.remove(at: -1) == nil)
      #expect(list.remove(at: 2) == nil)
      list.remove(at: [7, -7])
      list.remove(at: [])
    }
  }

  @Test("unknown ids are skipped, and an operation with only unknown ids changes nothing")
  func unknown() {
    var some = list([1, 2, 3])
    some.remove(ids: [9, 2, 2, 8])
    #expect(some.ids == [1, 3])
    expectUnchanged(some) { list in
      #expect(list.remove(id: 2) == nil)
      list.remove(forId: 2)
      list.remove(ids: [2, 9])
      list.removeAll { $0.id > 3 }
    }
  }

  @Test("elements that match a closure are removed, and none are when the closure throws")
  func matching() {
    struct Stop: Error {}
    var some = list(0..<10)
    some.removeAll { $0.id.isMultiple(of: 3) }
    #expect(some.ids == [1, 2, 4, 5, 7, 8])
    #expect(throws: Stop.self) { try some.removeAll { if $0.id == 8 { throw Stop() } else { true } } }
    #expect(some.ids == [1, 2, 4, 5, 7, 8])
  }

  @Test("a list can be emptied in one operation, and filled again")
  func all() {
    var list = list(0..<1000)
    list.removeAll()
    #expect(list.isEmpty && list.values.isEmpty && list[id: 3] == nil)
    list.append(Entry(3))
    #expect(list.ids == [3])
    expectUnchanged(OrderedState()) { $0.removeAll() }
  }

  @Test("thousands of elements are removed one by one until none is left")
  func untilEmpty() {
    var list = list(0..<5000)
    for id in stride(from: 0, to: 5000, by: 2) { list.remove(id: id) }
    #expect(list.ids == Array(stride(from: 1, to: 5000, by: 2)))
    while !list.isEmpty { list.remove(at: list.count / 2) }
    #expect(list.inconsistency == nil)
    #expect(list.values.isEmpty)
  }
}
