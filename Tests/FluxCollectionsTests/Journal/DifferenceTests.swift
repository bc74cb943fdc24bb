import FluxCollections
import TestSupport
import Testing

@Suite("Differences")
struct DifferenceTests {
  private func difference(
    from old: OrderedState<Entry>, _ change: (inout OrderedState<Entry>) -> Void
  ) -> OrderedStateDifference<Int> {
    var new = old
    change(&new)
    return new.difference(from: old)
  }

  @Test("equal lists have no difference, whether or not they share storage")
  func none() {
    let old = list(0..<500)
    #expect(old.difference(from: old).isEmpty)
    #expect(list(0..<500).difference(from: old).isEmpty)
    #expect(OrderedState<Entry>().difference(from: OrderedState()).isEmpty)
  }

  @Test("new elements are insertions, in the new order")
  func inserted() {
    let difference = difference(from: list(0..<500)) { list in
      list.insert(Entry(900), at: 300)
      list.insert(Entry(901), at: 100)
    }
    #expect(difference.inserted == [901, 900])
    #expect(difference.removed.isEmpty && difference.moved.isEmpty && difference.updated.isEmpty)
  }

  @Test("missing elements are removals, in the old order")
  func removed() {
    let difference = difference(from: list(0..<500)) { $0.remove(ids: [400, 7, 8]) }
    #expect(difference.removed == [7, 8, 400])
    #expect(difference.inserted.isEmpty && difference.moved.isEmpty && difference.updated.isEmpty)
  }

  @Test("changed elements are updates, in the new order; elements that changed back are not")
  func updated() {
    let difference = difference(from: list(0..<500)) { list in
      list.update([300, 2]) { $0.text = "new" }
      list.update(7) { $0.text = "7" }
    }
    #expect(difference.updated == [2, 300])
    #expect(difference.inserted.isEmpty && difference.removed.isEmpty && difference.moved.isEmpty)
  }

  @Test(
    "moved elements are moves, and elements that only shifted are not",
    arguments: [(0, 500), (499, 0), (3, 90)])
  func moved(from: Int, to: Int) {
    let difference = difference(from: list(0..<500)) { $0.move(from: from, to: to) }
    #expect(difference.moved == [from])
    #expect(difference.inserted.isEmpty && difference.removed.isEmpty && difference.updated.isEmpty)
  }

  @Test("an element may be moved and updated")
  func movedAndUpdated() {
    let difference = difference(from: list(0..<200)) { list in
      list.move(from: 10, to: 150)
      list.update(10) { $0.text = "new" }
    }
    #expect(difference.moved == [10] && difference.updated == [10])
  }

  @Test("an element that takes another id is removed by the old one and inserted by the new one")
  func renamed() {
    let difference = difference(from: list(0..<200)) { $0.update(5) { $0.id = 500 } }
    #expect(difference.removed == [5] && difference.inserted == [500])
  }

  @Test("a difference with an empty list consists only of insertions or only of removals")
  func empty() {
    #expect(list([1, 2]).difference(from: OrderedState()).inserted == [1, 2])
    #expect(OrderedState<Entry>().difference(from: list([1, 2])).removed == [1, 2])
  }

  @Test("a custom comparison decides which elements are updated")
  func comparison() {
    let old = list(0..<10)
    var new = old
    new.updateAll { $0.text = "new" }
    #expect(new.difference(from: old, by: { _, _ in true }).isEmpty)
    #expect(new.difference(from: old) { $0.id != 4 && $1.id != 4 }.updated == [4])
  }

  @Test("reversing a list keeps one element in place, and rotating it keeps all but the moved elements")
  func orders() {
    #expect(list((0..<10).reversed()).difference(from: list(0..<10)).moved.count == 9)
    let rotated = list(Array(3..<500) + [0, 1, 2]).difference(from: list(0..<500))
    #expect(rotated.moved == [0, 1, 2])
  }

  @Test("only elements in leaves that the versions do not share are compared")
  func sharing() {
    let old = list(0..<10_000)
    var new = old
    new.update(5000) { $0.text = "new" }
    new.update(9000) { $0.text = "new" }
    var comparisons = 0
    let difference = new.difference(from: old) { left, right in
      comparisons += 1
      return left == right
    }
    #expect(difference.updated == [5000, 9000])
    #expect(comparisons <= 128)
  }

  private static let seeds: Range<UInt64> = {
    #if DEBUG
      0..<10
    #else
      0..<300
    #endif
  }()

  @Test("a difference converts the old list into the new one, after any operations")
  func random() {
    for seed in Self.seeds {
      var random = SeededGenerator(seed: seed)
      var list = OrderedState<Entry>(shape: seed % 3 == 0 ? .usual : ListShape(leaf: 4, group: 4))
      list.append(contentsOf: (0..<100).map { Entry($0, "\($0)") })
      for _ in 0..<20 {
        let old = list
        for _ in 0..<Int.random(in: 1...12, using: &random) {
          ListOperation.random(size: 100, count: list.count, using: &random).perform(on: &list)
        }
        if let words = mistake(in: list.difference(from: old), from: old, to: list) {
          Issue.record("\(words), seed \(seed)")
          return
        }
      }
    }
  }

  private func mistake(
    in difference: OrderedStateDifference<Int>, from old: OrderedState<Entry>, to new: OrderedState<Entry>
  ) -> String? {
    if difference.inserted != new.ids.filter({ !old.contains(id: $0) }) { return "inserted" }
    if difference.removed != old.ids.filter({ !new.contains(id: $0) }) { return "removed" }
    let differing = new.values.filter { entry in old[id: entry.id].map { $0 != entry } ?? false }
    if difference.updated != differing.map(\.id) { return "updated" }
    let moved = Set(difference.moved)
    if moved.count != difference.moved.count { return "moved twice" }
    let kept = old.ids.filter { new.contains(id: $0) && !moved.contains($0) }
    if kept != new.ids.filter({ old.contains(id: $0) && !moved.contains($0) }) { return "not enough moved" }
    return nil
  }
}
