import FluxMiddleware
import Foundation
import Testing

@Suite("Differences of particular types")
struct StateDifferenceTypesTests {
  private class Base {
    var inherited: Int

    init(inherited: Int) {
      self.inherited = inherited
    }
  }

  private final class Derived: Base {
    var own = 0
  }

  private final class Heir: Base {}

  /// Has a custom description with one of its two properties.
  private struct Titled: CustomStringConvertible {
    var title = "A"
    var note = 1

    var description: String { title }
  }

  @Test("an inherited property of a class is compared before the class's own properties")
  func inherited() {
    let old = Derived(inherited: 1)
    let new = Derived(inherited: 2)
    new.own = 3
    #expect(StateDifference(from: old, to: new).description == "inherited: 1 → 2, own: 0 → 3")
  }

  @Test("a class whose properties are all inherited is compared")
  func onlyInherited() {
    let difference = StateDifference(from: Heir(inherited: 1), to: Heir(inherited: 2))
    #expect(difference.description == "inherited: 1 → 2")
  }

  @Test("an identical object before and after is not visited")
  func sameObject() {
    let object = Derived(inherited: 1)
    #expect(StateDifference(from: object, to: object, limits: .init(visits: 1)).isEmpty)
  }

  @Test("two objects without properties count as equal")
  func emptyObjects() {
    final class Token {}
    #expect(StateDifference(from: Token(), to: Token()).isEmpty)
  }

  @Test("a position in a tuple has one dot before it")
  func tuple() {
    struct Pair { var pair = (1, 2) }
    #expect(StateDifference(from: Pair(), to: Pair(pair: (1, 3))).description == "pair.1: 2 → 3")
    #expect(StateDifference(from: (1, 2), to: (3, 2)).description == "0: 1 → 3")
  }

  @Test("an element of a tuple that has a label is named by it")
  func namedTuple() {
    struct Pair { var pair = (left: 1, right: 2) }
    let difference = StateDifference(from: Pair(), to: Pair(pair: (left: 1, right: 3)))
    #expect(difference.description == "pair.right: 2 → 3")
  }

  @Test("a number that remains NaN has not changed, whatever contains it and whatever its sign")
  func notANumber() {
    struct Place: Equatable { var height = Double.nan }
    enum Reading: Equatable { case height(Double) }
    #expect(StateDifference(from: Double.nan, to: Double.nan).isEmpty)
    #expect(StateDifference(from: Float.nan, to: -Float.nan).isEmpty)
    #expect(StateDifference(from: [Place()], to: [Place()]).isEmpty)
    #expect(StateDifference(from: Reading.height(.nan), to: .height(.nan)).isEmpty)
  }

  @Test("a number that becomes NaN, or was NaN, has changed")
  func toNotANumber() {
    #expect(StateDifference(from: 1.0, to: Double.nan).description == "1.0 → nan")
    #expect(StateDifference(from: Double.nan, to: 1.0).description == "nan → 1.0")
  }

  @Test("values that are equatable but not hashable are compared directly")
  func equatable() {
    struct Film: Equatable { var title = "A" }
    let films = Array(repeating: Film(), count: 100)
    #expect(StateDifference(from: films, to: Array(films), limits: .init(visits: 1)).isEmpty)
  }

  @Test("equal numbers of different types differ")
  func unlikeTypes() {
    #expect(StateDifference(from: 1 as Any, to: 1.0 as Any).description == "1 → 1.0")
  }

  @Test("a type with a custom description is shown by it")
  func ownDescription() {
    #expect(StateDifference(from: Titled(), to: Titled(title: "B", note: 2)).description == "A → B")
  }

  @Test("values with equal custom descriptions are shown by their contents")
  func sameDescription() {
    #expect(StateDifference(from: Titled(), to: Titled(note: 2)).description == "note: 1 → 2")
  }

  @Test("a date is shown by its description")
  func date() {
    let difference = StateDifference(
      from: Date(timeIntervalSince1970: 0), to: Date(timeIntervalSince1970: 60))
    #expect(difference.description == "1970-01-01 00:00:00 +0000 → 1970-01-01 00:01:00 +0000")
  }

  @Test("dates within one second are distinguished")
  func datesInOneSecond() {
    let difference = StateDifference(
      from: Date(timeIntervalSinceReferenceDate: 0), to: Date(timeIntervalSinceReferenceDate: 0.25))
    #expect(difference.description == "timeIntervalSinceReferenceDate: 0.0 → 0.25")
  }

  @Test("a URL and a UUID are shown by their descriptions")
  func foundation() throws {
    let old = try #require(URL(string: "http://a.example/x"))
    let new = try #require(URL(string: "http://b.example/y"))
    #expect(StateDifference(from: old, to: new).description == "http://a.example/x → http://b.example/y")
    #expect(StateDifference(from: Optional(old), to: new).changes.count == 1)
    let ids = (UUID(), UUID())
    #expect(StateDifference(from: ids.0, to: ids.1).description == "\(ids.0) → \(ids.1)")
  }

  // MARK: Ways to store a property

  private struct Reference {
    weak var weak: Derived?
    unowned(unsafe) let unsafe: Derived
    var number = 1
  }

  @Test("weak and unowned references are compared as the objects that they refer to")
  func references() {
    let (old, new) = (Derived(inherited: 1), Derived(inherited: 2))
    let difference = StateDifference(
      from: Reference(weak: old, unsafe: old), to: Reference(weak: new, unsafe: new, number: 2))
    withExtendedLifetime((old, new)) {}
    #expect(
      difference.description == "weak.inherited: 1 → 2, unsafe.inherited: 1 → 2, number: 1 → 2")
  }

  private struct Pack<each Part> {
    var parts: (repeat each Part)
  }

  private struct Mixed {
    var existential: any Equatable
    var list: [any Equatable]
    var function: (Int) -> Int
    lazy var later = 5
    var number = 1
  }

  @Test("existential and lazy properties and parameter packs are compared")
  func storage() {
    #expect(
      StateDifference(from: Pack(parts: (1, "a")), to: Pack(parts: (2, "a"))).description
        == "parts.0: 1 → 2")
    let old = Mixed(existential: 1, list: [1, "a"], function: { $0 })
    var new = Mixed(existential: "1", list: [1, "b"], function: { $0 + 1 }, number: 2)
    _ = new.later
    #expect(
      StateDifference(from: old, to: new).description == """
        existential: 1 → "1", list[1]: "a" → "b", $__lazy_storage_$_later: nil → 5, number: 1 → 2
        """)
  }
}
