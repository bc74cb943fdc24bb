import FluxMiddleware
import Testing

@Suite("The difference between two values")
struct StateDifferenceTests {
  private struct Point: Hashable {
    var x = 0
    var y = 0
  }

  private struct Shape: Equatable {
    var name = "a"
    var corner = Point()
    var points: [Point] = []
    var table: [String: Point] = [:]
    var chosen: Int?
  }

  private enum Screen {
    case home
    case film(Int)
  }

  private enum Light: Hashable {
    case on
    case off
  }

  private struct Plain {
    var screen = Screen.home
    var screens: [Screen] = []
    var table: [Int: Screen] = [:]
    var callback: @Sendable () -> Void = {}
  }

  private func change(_ change: (inout Shape) -> Void) -> StateDifference {
    var shape = Shape(points: [Point(), Point()], table: ["a": Point(), "b": Point()], chosen: nil)
    let old = shape
    change(&shape)
    return StateDifference(from: old, to: shape)
  }

  @Test("equal values have no difference")
  func none() {
    let difference = change { _ in }
    #expect(difference.isEmpty)
    #expect(difference.changes.isEmpty)
    #expect(difference.isTruncated == false)
    #expect(difference.description == "")
  }

  @Test("a change has a path, the old value, and the new value")
  func parts() throws {
    let difference = change { $0.name = "b" }
    let change = try #require(difference.changes.first)
    #expect(difference.changes.count == 1)
    #expect(change.path == "name")
    #expect(change.old == "\"a\"")
    #expect(change.new == "\"b\"")
    #expect(difference.isEmpty == false)
  }

  @Test("a nested property is named from the outermost to the innermost")
  func nested() {
    #expect(change { $0.corner.y = 2 }.description == "corner.y: 0 → 2")
  }

  @Test("changes are in the order of the properties")
  func order() {
    let difference = change {
      $0.chosen = 1
      $0.corner = Point(x: 1, y: 2)
      $0.name = "b"
    }
    #expect(
      difference.description == "name: \"a\" → \"b\", corner.x: 0 → 1, corner.y: 0 → 2, chosen: nil → 1")
  }

  @Test("values that differ as a whole have no path")
  func whole() {
    let difference = StateDifference(from: 1, to: 2)
    #expect(difference.description == "1 → 2")
    #expect(difference.changes.map(\.path) == [""])
  }

  @Test("strings are in quotation marks, whatever contains them")
  func strings() {
    #expect(StateDifference(from: "1", to: "2").description == "\"1\" → \"2\"")
    #expect(StateDifference(from: ["1"], to: ["2"]).description == "[0]: \"1\" → \"2\"")
    #expect(StateDifference(from: String?.none, to: "nil").description == "nil → \"nil\"")
    #expect(StateDifference(from: [1: "a"], to: [1: "b"]).description == "[1]: \"a\" → \"b\"")
  }

  @Test("an element is named by its position")
  func elements() {
    #expect(change { $0.points[1].x = 3 }.description == "points[1].x: 0 → 3")
  }

  @Test("entries of a dictionary are named by their keys, in the order of the keys")
  func entries() {
    let difference = change {
      $0.table["b"] = nil
      $0.table["c"] = Point(x: 1, y: 1)
      $0.table["a"]?.x = 5
    }
    #expect(
      difference.description
        == "table[\"a\"].x: 0 → 5, table[\"b\"]: Point(x: 0, y: 0) → nothing, "
        + "table[\"c\"]: nothing → Point(x: 1, y: 1)")
  }

  @Test("the order of a dictionary's changes is always the same")
  func entriesInOrder() {
    let keys = ["d", "a", "f", "c", "b", "e"]
    for _ in 0..<50 {
      var old: [String: Int] = [:]
      for key in keys.shuffled() { old[key] = 0 }
      let paths = StateDifference(from: old, to: old.mapValues { _ in 1 }).changes.map(\.path)
      #expect(paths == keys.sorted().map { "[\"\($0)\"]" })
    }
  }

  @Test("an inserted entry has no old value, and a removed one has no new value")
  func missingEntries() {
    let difference = StateDifference(from: ["a": 1], to: ["b": 2])
    #expect(difference.changes.map(\.old) == ["1", nil])
    #expect(difference.changes.map(\.new) == [nil, "2"])
  }

  @Test("an optional with a value before and after is shown by the change of its value")
  func someToSome() {
    #expect(StateDifference(from: Optional(Point()), to: Point(x: 1)).description == "x: 0 → 1")
    #expect(StateDifference(from: Int?.some(1), to: 2).description == "1 → 2")
  }

  @Test("an optional that gets or loses its value is shown with nil")
  func someAndNone() {
    #expect(StateDifference(from: nil, to: Optional(Point())).description == "nil → Point(x: 0, y: 0)")
    #expect(StateDifference(from: Int?.some(1), to: nil).description == "1 → nil")
    #expect(StateDifference(from: Optional<Int>.none, to: nil).description == "")
  }

  @Test("enumerations are shown by their cases")
  func enums() {
    #expect(StateDifference(from: Light.on, to: .off).description == "on → off")
    #expect(StateDifference(from: Screen.home, to: .film(1)).description == "home → film(1)")
    #expect(StateDifference(from: Screen.film(1), to: .film(2)).description == "film(1) → film(2)")
    #expect(StateDifference(from: Screen.film(1), to: .film(1)).isEmpty)
  }

  @Test("values that are neither hashable nor equatable are compared by their contents")
  func plain() {
    let old = Plain(screens: [.home, .film(1)], table: [1: .home])
    var new = old
    #expect(StateDifference(from: old, to: new).isEmpty)
    new.screen = .film(1)
    new.screens[1] = .film(2)
    new.table[1] = .film(3)
    #expect(
      StateDifference(from: old, to: new).description
        == "screen: home → film(1), screens[1]: film(1) → film(2), table[1]: home → film(3)")
  }

  @Test("functions cannot be compared, and count as equal")
  func functions() {
    #expect(StateDifference(from: Plain(callback: {}), to: Plain(callback: { print("") })).isEmpty)
  }

  @Test("values whose type changed are shown")
  func otherType() {
    #expect(StateDifference(from: 1 as Any, to: "1" as Any).description == "1 → \"1\"")
  }
}
