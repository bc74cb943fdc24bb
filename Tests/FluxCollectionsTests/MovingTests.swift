import FluxCollections
import Foundation
import TestSupport
import Testing

@Suite("Moving, sorting and filtering")
struct MovingTests {
  @Test("every move of every set of five elements has the result of SwiftUI's move")
  func exhaustive() {
    for chosen in 0..<32 {
      let positions = IndexSet((0..<5).filter { chosen & 1 << $0 != 0 })
      for destination in 0...5 {
        var list = list(0..<5)
        list.move(from: positions, to: destination)
        // The elements before the destination, the moved ones, and those from the destination on.
        let expected =
          (0..<destination).filter { !positions.contains($0) } + positions
          + (destination..<5).filter { !positions.contains($0) }
        #expect(list.ids == expected, "\(Array(positions)) to \(destination)")
      }
    }
  }

  @Test("a move of one position equals the move of a set with that position")
  func single() {
    var list = list(0..<4)
    list.move(from: 0, to: 3)
    #expect(list.ids == [1, 2, 0, 3])
    list.move(from: 3, to: 0)
    #expect(list.ids == [3, 1, 2, 0])
  }

  @Test("positions out of range are skipped, and a destination out of range is replaced by the nearest end")
  func outOfRange() {
    var list = list(0..<4)
    list.move(from: [1, 9, -1], to: 99)
    #expect(list.ids == [0, 2, 3, 1])
    list.move(from: [2, 1], to: -3)
    #expect(list.ids == [2, 3, 0, 1])
  }

  @Test("a move to the present position changes nothing")
  func inPlace() {
    expectUnchanged(list(0..<5)) { list in
      list.move(from: [1, 2], to: 1)
      list.move(from: [1, 2], to: 2)
      list.move(from: [1, 2], to: 3)
      list.move(from: 4, to: 5)
      list.move(from: [], to: 0)
      list.move(from: [17], to: 0)
    }
  }

  @Test("sorting orders the elements, and keeps the order of equal ones")
  func sort() {
    var list = OrderedState(Entry(1, "b"), Entry(2, "a"), Entry(3, "b"), Entry(4, "a"))
    list.sort { $0.text < $1.text }
    #expect(list.ids == [2, 4, 1, 3])
    #expect(list.position(of: 1) == 2)
    list.sort { $0.id < $1.id }
    #expect(list.ids == [1, 2, 3, 4])
    #expect(list.sorted { $0.id > $1.id }.ids == [4, 3, 2, 1])
  }

  @Test("sorting comparable elements requires no closure")
  func comparable() {
    var list = OrderedState(Entry(1, "b"), Entry(2, "a"))
    list.sort()
    #expect(list.ids == [2, 1])
  }

  @Test("sorting a sorted list changes nothing")
  func sorted() {
    expectUnchanged(list([1, 2, 3])) { $0.sort { $0.id < $1.id } }
    expectUnchanged(list([1, 2, 3])) { $0.sort { _, _ in false } }
  }

  @Test("a filtered list contains the matching elements in their order, and the original is unchanged")
  func filter() {
    let all = list(0..<300)
    let even: OrderedState<Entry> = all.filter { $0.id.isMultiple(of: 2) }
    #expect(even.ids == Array(stride(from: 0, to: 300, by: 2)))
    #expect(even[id: 1] == nil)
    #expect(all.count == 300 && all[id: 1] != nil)
  }
}
