import FluxCollections
import TestSupport
import Testing

@Suite("Versions of a list")
struct VersionTests {
  @Test("lists are equal if their elements are equal, in the same order")
  func equality() {
    #expect(list([1, 2]) == list([1, 2]))
    #expect(list([1, 2]) != list([2, 1]))
    #expect(list([1, 2]) != list([1]))
    #expect(OrderedState(Entry(1, "a")) != OrderedState(Entry(1, "b")))
    #expect(OrderedState<Entry>() == OrderedState<Entry>())
  }

  @Test("a difference is found at any position", arguments: [0, 1, 63, 64, 500, 998, 999])
  func anywhere(position: Int) {
    let old = list(0..<1000)
    var new = old
    new.update(at: position) { $0.text = "other" }
    #expect(new != old)
    new.update(at: position) { $0.text = "\(position)" }
    #expect(new == old)
  }

  @Test("a difference of long lists is found at any position, and equal lists have none")
  func longLists() {
    let old = list(0..<3_000)
    var new = old
    new.move(from: 2_999, to: 0)
    #expect(new != old && old != new)
    // The last change restores the earlier value.
    new.update(5) { $0.text += "" }
    #expect(new != old && old != new)
    new.move(from: 0, to: 3_000)
    #expect(new == old && old == new)
    new.remove(id: 7)
    new.insert(Entry(3_000), at: 7)
    #expect(new != old && old != new)
    #expect(list(0..<3_000) == old && list((0..<3_000).reversed()) != old)
  }

  @Test("one comparison shows that a long list differs from its previous version, in either direction")
  func lastChange() {
    final class Comparisons { var count = 0 }
    struct Counted: Identifiable, Equatable {
      let id: Int
      var stars = 0
      let comparisons: Comparisons

      static func == (left: Counted, right: Counted) -> Bool {
        left.comparisons.count += 1
        return left.stars == right.stars
      }
    }
    let comparisons = Comparisons()
    let old = OrderedState((0..<100_000).map { Counted(id: $0, comparisons: comparisons) })
    var new = old
    new.update(70_001) { $0.stars = 1 }
    #expect(old != new && new != old)
    #expect(comparisons.count == 2)
  }

  @Test("equal lists have the same hash value, whatever operations made them")
  func hashing() {
    var changed = list(0..<200)
    changed.move(from: 0, to: 200)
    changed.move(from: 199, to: 0)
    #expect(changed == list(0..<200))
    #expect(changed.hashValue == list(0..<200).hashValue)
    #expect(Set([changed, list(0..<200)]).count == 1)
  }

  @Test("the stamp is not part of equality or hashing")
  func stamps() {
    let (one, other) = (list([1]), list([1]))
    #expect(one.stamp != other.stamp)
    #expect(one == other && one.hashValue == other.hashValue)
  }

  @Test("lists that are created empty, or emptied in one operation, share a stamp, and know later changes")
  func emptyLists() {
    let empty = OrderedState<Entry>()
    #expect(empty.stamp == OrderedState<Entry>([]).stamp)
    #expect(empty.stamp == ([] as OrderedState<Entry>).stamp)
    var one: OrderedState<Entry> = []
    one.append(Entry(1))
    var other = OrderedState<Entry>()
    other.append(Entry(1))
    #expect(one.stamp != empty.stamp)
    #expect(one.stamp != other.stamp)
    #expect(one.changedIDs(since: empty.stamp) == [1])
    #expect(list([1]).changedIDs(since: empty.stamp) == nil)
    one.removeAll()
    #expect(one.stamp == empty.stamp)
  }

  @Test("a copy has the same stamp until one of the copies changes")
  func copies() {
    let old = list([1, 2])
    var new = old
    #expect(new.stamp == old.stamp)
    new.update(1) { $0.text = "x" }
    #expect(new.stamp != old.stamp)
    #expect(old[id: 1] == Entry(1, "1"))
  }

  @Test("every change creates a stamp that no earlier version had")
  func uniqueStamps() {
    var list = list(0..<50)
    var stamps: Set = [list.stamp]
    let changes: [(inout OrderedState<Entry>) -> Void] = [
      { $0.append(Entry(100)) }, { $0.prepend(Entry(101)) }, { $0.insert(Entry(102), at: 3) },
      { $0.add(Entry(103)) }, { $0.set(Entry(104)) }, { $0.upsert(Entry(104)) }, { $0.update(3) { _ in } },
      { $0.update([1, 2]) { _ in } }, { $0.updateAll { _ in } }, { $0[0] = Entry(105) },
      { $0[id: 1]?.text = "" }, { $0.remove(id: 1) }, { $0.remove(at: 0) }, { $0.remove(at: [1, 2]) },
      { $0.remove(ids: [5, 6]) }, { $0.move(from: 0, to: 5) }, { $0.sort { $0.id > $1.id } },
      { $0.removeAll { $0.id == 20 } }, { $0.setAll([Entry(1)]) }, { $0.removeAll() },
      { $0.append(contentsOf: [Entry(1)]) }, { $0.add(contentsOf: [Entry(2)]) },
    ]
    for change in changes {
      change(&list)
      stamps.insert(list.stamp)
    }
    #expect(stamps.count == changes.count + 1)
  }

  @Test("a thousand kept versions all remain unchanged")
  func history() {
    var list = list(0..<500)
    var model = list.values
    var versions: [(list: OrderedState<Entry>, entries: [Entry])] = []
    var random = SeededGenerator(seed: 3)
    for turn in 0..<1000 {
      let position = Int.random(in: 0..<list.count, using: &random)
      if turn.isMultiple(of: 3) {
        list.move(from: position, to: 0)
        model.insert(model.remove(at: position), at: 0)
      } else {
        list.update(at: position) { $0.text = "turn \(turn)" }
        model[position].text = "turn \(turn)"
      }
      versions.append((list, model))
    }
    #expect(versions.allSatisfy { $0.list.values == $0.entries && $0.list.inconsistency == nil })
  }

  @Test(
    "versions share unchanged storage: a thousand versions make a few copies of each element, not a thousand"
  )
  func sharing() {
    final class Counted: Sendable {
      let tracked: LifetimeTracker.Tracked
      init(_ tracked: LifetimeTracker.Tracked) { self.tracked = tracked }
    }
    struct Held: Identifiable {
      let id: Int
      var part: Counted
    }
    let tracker = LifetimeTracker()
    var list = OrderedState((0..<1000).map { Held(id: $0, part: Counted(tracker.make())) })
    var versions = [list]
    for id in 0..<1000 {
      list.update(id) { $0.part = Counted(tracker.make()) }
      versions.append(list)
    }
    #expect(tracker.alive == 2000)
    versions.removeAll()
    #expect(tracker.alive == 1000 && list.count == 1000)
  }

  @Test("poor hash values make a list slow, but not wrong")
  func poorHash() {
    struct Poor: Hashable {
      let value: Int
      func hash(into hasher: inout Hasher) { hasher.combine(value & 1) }
    }
    struct Item: Identifiable, Equatable { let id: Poor }
    var list = OrderedState((0..<300).map { Item(id: Poor(value: $0)) })
    #expect((0..<300).allSatisfy { list.position(of: Poor(value: $0)) == $0 })
    list.remove(ids: stride(from: 0, to: 300, by: 3).map(Poor.init))
    #expect(list.count == 200 && list.inconsistency == nil)
  }
}
