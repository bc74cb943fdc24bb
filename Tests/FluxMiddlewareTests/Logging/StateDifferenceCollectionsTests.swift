import FluxMiddleware
import Testing

@Suite("Differences of collections")
struct StateDifferenceCollectionsTests {
  /// Neither hashable nor equatable.
  private struct Box {
    var content = 0
  }

  private func text<Value>(_ old: Value, _ new: Value) -> String {
    StateDifference(from: old, to: new).description
  }

  // MARK: Dictionaries

  @Test("numeric keys are in numeric order")
  func numericKeys() {
    #expect(text([9: 0, 10: 0, -1: 0], [9: 1, 10: 1, -1: 1]) == "[-1]: 0 → 1, [9]: 0 → 1, [10]: 0 → 1")
  }

  @Test("keys without an order are in the order of their descriptions")
  func unorderedKeys() {
    enum Key: Hashable, CaseIterable { case b, c, a }
    for _ in 0..<20 {
      let old = Dictionary(uniqueKeysWithValues: Key.allCases.shuffled().map { ($0, 0) })
      #expect(text(old, old.mapValues { _ in 1 }) == "[a]: 0 → 1, [b]: 0 → 1, [c]: 0 → 1")
    }
  }

  @Test("keys of several types are in the order of their descriptions")
  func mixedKeys() {
    let old: [AnyHashable: Int] = [9: 0, 10: 0, "5": 0]
    #expect(text(old, old.mapValues { _ in 1 }) == "[10]: 0 → 1, [\"5\"]: 0 → 1, [9]: 0 → 1")
  }

  @Test("of many inserted entries, three are shown, with the number of the others")
  func manyAdded() {
    let films = Dictionary(uniqueKeysWithValues: (1...20).map { ($0, "f\($0)") })
    let difference = StateDifference(from: ["films": [:]], to: ["films": films])
    #expect(
      difference.description
        == "[\"films\"][1]: nothing → \"f1\", [\"films\"][2]: nothing → \"f2\", "
        + "[\"films\"][3]: nothing → \"f3\", [\"films\"]: and 17 more added")
    #expect(difference.isTruncated == false)
  }

  @Test("four inserted entries are all shown")
  func fourAdded() {
    #expect(
      text([:], [1: 1, 2: 2, 3: 3, 4: 4])
        == "[1]: nothing → 1, [2]: nothing → 2, [3]: nothing → 3, [4]: nothing → 4")
  }

  @Test("removed, inserted, and changed entries are counted separately")
  func removedAndAdded() {
    let old = Dictionary(uniqueKeysWithValues: (1...6).map { ($0, 0) })
    var new = Dictionary(uniqueKeysWithValues: (11...15).map { ($0, 0) })
    new[6] = 1
    #expect(
      text(old.merging([0: 0]) { $1 }, new.merging([0: 0]) { $1 })
        == "[1]: 0 → nothing, [2]: 0 → nothing, [3]: 0 → nothing, [6]: 0 → 1, [11]: nothing → 0, "
        + "[12]: nothing → 0, [13]: nothing → 0, and 2 more removed and 2 more added")
  }

  @Test("an entry whose value is nil is not a missing entry")
  func noValue() {
    #expect(text([1: Int?.none], [1: 2]) == "[1]: nil → 2")
    #expect(text([:], [1: Int?.none]) == "[1]: nothing → nil")
  }

  @Test("an entry with an optional key is shown like any other")
  func optionalKeys() {
    #expect(text([1: "a", 2: "b"] as [Int?: String], [1: "a", 2: "c"]) == "[2]: \"b\" → \"c\"")
    #expect(text([nil: "a", 2: "b"] as [Int?: String], [nil: "b", 2: "c"]).contains("\"b\" → \"c\""))
  }

  // MARK: Sets

  @Test("for a set, the removed and inserted elements are shown in ascending order")
  func sets() {
    #expect(text(Set([1]), []) == "- 1")
    #expect(text(Set([1, 10, 9]), [1, 20, 3]) == "- 9 - 10 + 3 + 20")
    #expect(text(["tags": Set(["a"])], ["tags": ["a", "b"]]) == "[\"tags\"]: + \"b\"")
  }

  @Test("a removed element is the old value of a change, and an inserted one is the new value")
  func setParts() {
    let changes = StateDifference(from: Set([1]), to: [2]).changes
    #expect(changes.map(\.old) == ["- 1"])
    #expect(changes.map(\.new) == ["+ 2"])
    #expect(StateDifference(from: Set([1]), to: []).changes.map(\.new) == [nil])
  }

  @Test("a collection that only lost or only gained elements counts as changed itself")
  func onlyGained() {
    #expect(StateDifference(from: Set([1]), to: [1, 2]).changes.map(\.kind) == [.changed])
    #expect(StateDifference(from: [1, 2], to: [1]).changes.map(\.kind) == [.changed])
    let more = StateDifference(from: [Int: Int](), to: [1: 0, 2: 0, 3: 0, 4: 0, 5: 0]).changes
    #expect(more.map(\.kind) == [.inserted, .inserted, .inserted, .changed])
  }

  @Test("of many elements of a set, three are shown, with the number of the others")
  func largeSets() {
    #expect(text([], Set(1...20)) == "+ 1 + 2 + 3 and 17 more")
    #expect(text(Set(1...4), Set(5...9)) == "- 1 - 2 - 3 - 4 + 5 + 6 + 7 and 2 more")
  }

  // MARK: Arrays

  @Test("a type whose mirror is a collection is shown by the elements of its mirror")
  func ownCollection() {
    struct Pages: CustomReflectable {
      let pages: [Int]
      var customMirror: Mirror { Mirror(self, unlabeledChildren: pages, displayStyle: .collection) }
    }
    #expect(text(Pages(pages: [1, 2]), Pages(pages: [1, 3])) == "[1]: 2 → 3")
    #expect(text(Pages(pages: [1, 2]), Pages(pages: [1, 2, 3])) == "+ 3")
  }

  @Test("for an array that grew or shrank at its end, the inserted or removed elements are shown")
  func ends() {
    #expect(text(["marks": [5]], ["marks": [5, 27]]) == "[\"marks\"]: + 27")
    #expect(text([1, 2, 3], [1]) == "- 2 - 3")
    #expect(text([], ["a"]) == "+ \"a\"")
    #expect(text([], Array(1...20)) == "+ 1 + 2 + 3 and 17 more")
  }

  @Test("for an array that grew or shrank elsewhere, the lengths are shown")
  func elsewhere() {
    #expect(text([1, 2], [0, 1, 2]) == "2 elements → 3 elements")
    #expect(text([1, 2], [2]) == "2 elements → 1 element")
  }

  @Test("elements that are not equatable are compared by their contents")
  func notEquatable() {
    #expect(text([Box()], [Box(), Box(content: 1)]) == "+ Box(content: 1)")
    #expect(text([Box(content: 1)], [Box(), Box()]) == "1 element → 2 elements")
  }

  @Test("an array that is too long to be searched is shown by its lengths")
  func beyondVisits() {
    let boxes = Array(repeating: Box(), count: 10)
    let difference = StateDifference(from: boxes, to: boxes + [Box()], limits: .init(visits: 5))
    #expect(difference.description == "10 elements → 11 elements")
  }

  @Test("equal elements before the end cost no visits")
  func longArray() {
    let numbers = Array(1...5_000)
    #expect(StateDifference(from: numbers, to: numbers + [0], limits: .init(visits: 1)).description == "+ 0")
  }
}
