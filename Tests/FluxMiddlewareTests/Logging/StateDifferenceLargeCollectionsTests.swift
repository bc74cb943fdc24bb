import FluxMiddleware
import Testing

@Suite("Differences of large collections")
struct StateDifferenceLargeCollectionsTests {
  private struct Film: Equatable {
    var title = "a"
    var year = 0
  }

  /// Neither hashable nor equatable.
  private struct Box {
    var content = 0
  }

  private let films = Array(repeating: Film(), count: 10_000)

  private func text<Value>(_ old: Value, _ new: Value, visits: Int = 2_000) -> String {
    StateDifference(from: old, to: new, limits: .init(visits: visits)).description
  }

  private func entries<Value>(_ count: Int, _ value: Value) -> [Int: Value] {
    Dictionary(uniqueKeysWithValues: (0..<count).map { ($0, value) })
  }

  // MARK: Arrays

  @Test("a change at the end of a long array is shown as a single change")
  func endOfArray() {
    var new = films
    new[9_999].year = 1
    #expect(text(films, new) == "[9999].year: 0 → 1")
  }

  @Test("a change at the end of a long slice of an array is shown as a single change")
  func endOfSlice() {
    var new = films[...]
    new[9_999].year = 1
    #expect(text(films[...], new) == "[9999].year: 0 → 1")
  }

  @Test("equal elements of an array cost no visits")
  func equalElements() {
    // The visits are those of the array and of the changed number.
    #expect(text([0, 0, 0, 0], [0, 0, 0, 1], visits: 2) == "[3]: 0 → 1")
  }

  @Test("equal elements of an array cost no visits, whatever its declared element type")
  func declaredAsAny() {
    let old: [Any] = [Film(), "a", 1, 1]
    let new: [Any] = [Film(), "a", 1, 2]
    #expect(text(old, new, visits: 2) == "[3]: 1 → 2")
  }

  @Test("elements that are not a number, before and after, cost no visits")
  func notANumber() {
    #expect(text([Double.nan, Double.nan, 0], [Double.nan, -Double.nan, 1], visits: 2) == "[2]: 0.0 → 1.0")
  }

  @Test("identical objects before and after cost no visits")
  func sameObjects() {
    final class Node {
      let value: Int

      init(_ value: Int) { self.value = value }
    }
    let nodes = (0..<4).map { Node($0) }
    // The visits are those of the array, of the objects, and of the numbers in them.
    #expect(text(nodes, nodes.dropLast() + [Node(7)], visits: 3) == "[3].value: 3 → 7")
  }

  @Test("elements that are not equatable cost one visit each, equal or not")
  func notEquatable() {
    let old = Array(repeating: Box(), count: 4)
    #expect(text(old, old.dropLast() + [Box(content: 1)], visits: 5) == "…")
    #expect(text(old, old.dropLast() + [Box(content: 1)], visits: 6) == "[3].content: 0 → 1")
  }

  // MARK: Dictionaries

  @Test("a change of the last key of a large dictionary is shown as a single change")
  func endOfDictionary() {
    let old = entries(10_000, Film())
    var new = old
    new[9_999]?.year = 1
    #expect(text(old, new) == "[9999].year: 0 → 1")
  }

  @Test("for a large dictionary, only the inserted and removed entries are shown")
  func cameAndWent() {
    let old = entries(10_000, 0)
    var new = old
    new[9_998] = nil
    new[10_000] = 5
    #expect(text(old, new) == "[9998]: 0 → nothing, [10000]: nothing → 5")
  }

  @Test("equal values of a dictionary cost no visits")
  func equalEntries() {
    #expect(text([1: 0, 2: 0, 3: 0], [1: 0, 2: 0, 3: 1], visits: 2) == "[3]: 0 → 1")
  }

  @Test("equal values of a dictionary cost no visits, whatever its declared value type")
  func entriesDeclaredAsAny() {
    let old: [Int: Any] = [1: Film(), 2: "a", 3: 1]
    let new: [Int: Any] = [1: Film(), 2: "a", 3: 2]
    #expect(text(old, new, visits: 2) == "[3]: 1 → 2")
  }

  @Test("only the keys that differ are sorted")
  func keysInOrder() {
    final class Counter { var count = 0 }
    struct Key: Hashable, Comparable {
      let number: Int
      let counter: Counter

      static func == (left: Key, right: Key) -> Bool { left.number == right.number }
      static func < (left: Key, right: Key) -> Bool {
        left.counter.count += 1
        return left.number < right.number
      }
      func hash(into hasher: inout Hasher) { hasher.combine(number) }
    }
    let counter = Counter()
    let keys = (0..<100).map { Key(number: $0, counter: counter) }
    let old = Dictionary(uniqueKeysWithValues: keys.map { ($0, 0) })
    var new = old
    new[keys[7]] = 1
    new[keys[9]] = 1
    #expect(StateDifference(from: old, to: new).changes.count == 2)
    #expect(counter.count == 1)
  }

  @Test("inserted and removed entries are shown even if the visits run out before them")
  func cameBehindVisits() {
    var old = entries(10, Box())
    var new = old
    old[10] = Box()
    new[11] = Box(content: 1)
    #expect(
      text(old, new, visits: 3) == "[10]: Box(content: 0) → nothing, [11]: nothing → Box(content: 1), …")
  }

  // MARK: The limit of comparisons

  private func text<Value>(_ old: Value, _ new: Value, comparisons: Int) -> String {
    StateDifference(from: old, to: new, limits: .init(comparisons: comparisons)).description
  }

  @Test("elements are compared up to the limit of comparisons, in addition to the array itself")
  func exactComparisons() {
    #expect(text([0, 0, 0], [0, 0, 1], comparisons: 4) == "[2]: 0 → 1")
    #expect(text([0, 0, 0], [0, 0, 1], comparisons: 3) == "…")
    #expect(text([0, 0], [0, 0, 1], comparisons: 3) == "+ 1")
    #expect(text([0: 0, 1: 0], [0: 0, 1: 1], comparisons: 3) == "[1]: 0 → 1")
    #expect(text(Set([1]), [1, 2], comparisons: 3) == "+ 2")
  }

  @Test("a collection that grew or shrank and exceeds the limit of comparisons is shown by its counts")
  func counts() {
    #expect(text([0, 0], [0, 0, 1], comparisons: 2) == "2 elements → 3 elements")
    #expect(text([0: 0], [0: 0, 1: 0], comparisons: 2) == "1 entry → 2 entries")
    #expect(text(Set([1, 2]), [1], comparisons: 2) == "2 elements → 1 element")
  }

  @Test("a collection of unchanged size that exceeds the limit of comparisons is reported as not searched")
  func equalCounts() {
    for difference in [
      StateDifference(from: [0, 0], to: [0, 1], limits: .init(comparisons: 2)),
      StateDifference(from: [0: 0, 1: 0], to: [0: 0, 1: 1], limits: .init(comparisons: 2)),
      StateDifference(from: Set([0, 1]), to: [0, 2], limits: .init(comparisons: 2)),
    ] {
      #expect(difference.changes.isEmpty)
      #expect(difference.isTruncated)
      #expect(difference.description == "…")
    }
  }

  @Test("changes found before the comparisons run out are shown")
  func foundBefore() {
    #expect(text([0, 0, 0], [1, 0, 1], comparisons: 3) == "[0]: 0 → 1, …")
  }

  @Test("a collection that is shown by its counts leaves the comparisons for later values")
  func behindCounts() {
    struct State {
      var numbers = [0, 0, 0, 0]
      var table = [1: 1, 2: 2, 3: 3, 4: 4]
      var set: Set = [1, 2, 3, 4]
      var title = "a"
    }
    let new = State(numbers: [0, 0, 0, 0, 0], table: [:], set: [], title: "b")
    #expect(
      text(State(), new, comparisons: 5)
        == "numbers: 4 elements → 5 elements, table: 4 entries → 0 entries, set: 4 elements → 0 elements, "
        + "title: \"a\" → \"b\"")
  }

  @Test("an equal part costs one comparison, however large it is")
  func equalPart() {
    struct State {
      var films: [Film]
      var title = "a"
    }
    #expect(
      text(State(films: films), State(films: Array(films), title: "b"), comparisons: 3)
        == "title: \"a\" → \"b\"")
  }

  @Test("an unchanged collection costs no comparisons, whether or not its values are equatable")
  func leftAlone() {
    struct State {
      var boxes = Array(repeating: Box(), count: 1_000)
      var table = Dictionary(uniqueKeysWithValues: (0..<1_000).map { ($0, Box()) })
      var anything: [Any] = Array(repeating: 0, count: 1_000)
      var title = "a"
    }
    let old = State()
    var new = old
    new.title = "b"
    // The comparisons of the state and of its four properties.
    #expect(text(old, new, comparisons: 5) == "title: \"a\" → \"b\"")
  }

  @Test("elements of an array are compared up to the first change, and then once each")
  func comparedOnce() {
    final class Counter { var count = 0 }
    struct Counted: Equatable {
      var number = 0
      let counter: Counter

      static func == (left: Counted, right: Counted) -> Bool {
        left.counter.count += 1
        return left.number == right.number
      }
    }
    let counter = Counter()
    let old = Array(repeating: Counted(counter: counter), count: 1_000)
    var new = old
    new[500].number = 1
    #expect(text(old, new, comparisons: 2_000) == "[500].number: 0 → 1")
    #expect(counter.count == 501 + 1_000)
  }

  @Test("values without `==` are compared one by one, and each costs a comparison")
  func comparedByWhatTheyHold() {
    // The comparisons of the tuple and of its two parts.
    #expect(text((0, 0), (0, 1), comparisons: 3) == "1: 0 → 1")
    #expect(text((0, 0), (0, 1), comparisons: 2) == "…")
  }
}
