import FluxMiddleware
import Testing

@Suite("The limits of a difference")
struct StateDifferenceLimitsTests {
  private let zeros = Array(repeating: 0, count: 5)
  private let ones = Array(repeating: 1, count: 5)

  @Test("no more changes are shown than allowed, and an ellipsis shows that there are more", arguments: 0...4)
  func changes(limit: Int) {
    let difference = StateDifference(from: zeros, to: ones, limits: .init(changes: limit))
    #expect(difference.changes.map(\.path) == (0..<limit).map { "[\($0)]" })
    #expect(difference.isTruncated)
    #expect(difference.description.hasSuffix("…"))
  }

  @Test("exactly as many changes as allowed are shown without an ellipsis")
  func exactChanges() {
    let difference = StateDifference(from: zeros, to: ones, limits: .init(changes: 5))
    #expect(difference.changes.count == 5)
    #expect(difference.isTruncated == false)
  }

  @Test("equal values after the last shown change do not count as more changes")
  func equalRest() {
    let difference = StateDifference(from: [0, 5], to: [1, 5], limits: .init(changes: 1))
    #expect(difference.description == "[0]: 0 → 1")
  }

  @Test("a change after equal values that follow the last shown change counts as more")
  func changedRest() {
    let difference = StateDifference(from: [0, 5, 0], to: [1, 5, 1], limits: .init(changes: 1))
    #expect(difference.description == "[0]: 0 → 1, …")
  }

  @Test("a limit below 0 has the effect of 0")
  func negative() {
    #expect(StateDifference(from: 1, to: 2, limits: .init(changes: -1)).description == "…")
    #expect(StateDifference(from: 1, to: 2, limits: .init(visits: -1)).description == "…")
    #expect(StateDifference(from: 1, to: 2, limits: .init(comparisons: -1)).description == "…")
    #expect(StateDifference(from: 1, to: 2, limits: .init(characters: -1)).description == "… → …")
    #expect(StateDifference(from: 1, to: 1, limits: .init(changes: -1)).isEmpty)
  }

  @Test("counted entries are one further change, which can be omitted like any other")
  func countedEntries() {
    let entries = Dictionary(uniqueKeysWithValues: (1...20).map { ($0, 0) })
    let told = StateDifference(from: [:], to: entries, limits: .init(changes: 4))
    #expect(told.description.hasSuffix("[3]: nothing → 0, and 17 more added"))
    let leftOut = StateDifference(from: [:], to: entries, limits: .init(changes: 3))
    #expect(leftOut.description.hasSuffix("[3]: nothing → 0, …"))
  }

  @Test("when visits run out within a dictionary, an ellipsis stands for the rest")
  func visitsInDictionary() {
    let old = Dictionary(uniqueKeysWithValues: (1...20).map { ($0, 0) })
    let difference = StateDifference(from: old, to: old.mapValues { _ in 1 }, limits: .init(visits: 3))
    #expect(difference.description == "[1]: 0 → 1, [2]: 0 → 1, …")
  }

  @Test(
    "no more pairs are visited than allowed, and an ellipsis shows that there may be more", arguments: 1...5)
  func visits(limit: Int) {
    // One visit is for the array itself.
    let difference = StateDifference(from: zeros, to: ones, limits: .init(visits: limit))
    #expect(difference.changes.count == limit - 1)
    #expect(difference.isTruncated)
  }

  @Test("exactly as many pairs as allowed are visited without an ellipsis")
  func exactVisits() {
    let difference = StateDifference(from: zeros, to: ones, limits: .init(visits: 6))
    #expect(difference.changes.count == 5)
    #expect(difference.isTruncated == false)
  }

  @Test("equal values that can be compared directly cost no visit, however large they are")
  func equalAtOnce() {
    let large = Array(repeating: 0, count: 10_000)
    #expect(StateDifference(from: large, to: Array(large), limits: .init(visits: 0)).isEmpty)
  }

  @Test("a difference that could not visit anything is not empty")
  func notEmpty() {
    let difference = StateDifference(from: 1, to: 2, limits: .init(visits: 0))
    #expect(difference.changes.isEmpty)
    #expect(difference.isEmpty == false)
    #expect(difference.description == "…")
  }

  @Test("a value is shortened to the allowed number of characters and an ellipsis")
  func characters() {
    let limits = StateDifference.Limits(characters: 4)
    #expect(StateDifference(from: 12_345, to: 1_234, limits: limits).description == "1234… → 1234")
    #expect(StateDifference(from: [1: 1], to: [1: 98_765], limits: limits).description == "[1]: 1 → 9876…")
  }

  @Test("characters are counted as a reader counts them, not in bytes")
  func characterCount() {
    let limits = StateDifference.Limits(characters: 4)
    #expect(StateDifference(from: "éü", to: "👩‍👩‍👧‍👦é", limits: limits).description == "\"éü\" → \"👩‍👩‍👧‍👦é\"")
  }

  @Test("a shortened value does not count as an omitted change")
  func cutIsNotTruncated() {
    let difference = StateDifference(from: "a", to: String(repeating: "x", count: 100))
    #expect(difference.changes.count == 1)
    #expect(difference.isTruncated == false)
  }

  @Test("the default limits are 8 changes, 2000 visits, 100000 comparisons, and 60 characters")
  func defaults() {
    let limits = StateDifference.Limits()
    #expect(limits.changes == 8)
    #expect(limits.visits == 2_000)
    #expect(limits.comparisons == 100_000)
    #expect(limits.characters == 60)
  }

  @Test("objects that contain themselves are visited up to the limit")
  func cycle() {
    final class Ring {
      var next: Ring?
    }
    let one = Ring()
    let other = Ring()
    one.next = one
    other.next = other
    defer {
      one.next = nil
      other.next = nil
    }
    let difference = StateDifference(from: one, to: other, limits: .init(visits: 100))
    #expect(difference.changes.isEmpty)
    #expect(difference.isTruncated)
  }

  @Test("a long chain of objects is visited down to 100 levels")
  func chain() {
    final class Ring {
      let value: Int
      let next: Ring?

      init(value: Int, next: Ring?) {
        self.value = value
        self.next = next
      }
    }
    func chain(of length: Int, ending value: Int) -> Ring {
      (1..<length).reduce(Ring(value: value, next: nil)) { ring, _ in Ring(value: 0, next: ring) }
    }
    let short = StateDifference(from: chain(of: 20, ending: 1), to: chain(of: 20, ending: 2))
    #expect(short.changes.map(\.new) == ["2"])
    let long = StateDifference(from: chain(of: 500, ending: 1), to: chain(of: 500, ending: 2))
    #expect(long.changes.isEmpty)
    #expect(long.isTruncated)
  }
}
