import FluxCollections
import FluxMiddleware
import Foundation
import Testing

@Suite("The parts of a value")
struct ValuePartsTests {
  private class Base {
    let id = 7
  }

  private final class Derived: Base {
    let name = "Ada"
  }

  private struct Film: Identifiable {
    let id: String
    var title = "Heat"
  }

  private enum Entry {
    case guest
    case user(name: String, age: Int)
  }

  /// Contains a value, so that the value has a path.
  private struct Holder {
    let held: Any
  }

  /// The parts of a value at the path `held`.
  private func parts(_ value: Any) throws -> ValueParts {
    try #require(ValuePart(Holder(held: value)).parts.first { $0.label == "held" }).parts
  }

  private func told(_ value: Any) throws -> [String] {
    try parts(value).map { "\($0.label) \($0.path) \($0.value)" }
  }

  @Test("the parts of an object are its properties, inherited ones first")
  func properties() throws {
    #expect(try parts(Derived()).kind == .properties)
    #expect(try told(Derived()) == ["id held.id 7", "name held.name Ada"])
  }

  @Test("the parts of a tuple are its values, by label or by position")
  func tuples() throws {
    #expect(try parts((1, b: 2)).kind == .tuple)
    #expect(try told((1, b: 2)) == ["0 held.0 1", "b held.b 2"])
  }

  @Test("the parts of an enumeration case are its associated values, after its name")
  func cases() throws {
    let payload = try parts(Entry.user(name: "Ada", age: 7))
    #expect(payload.kind == .payload)
    #expect(payload.map(\.path) == ["held.user"])
    #expect(try parts(Entry.guest).kind == .whole)
  }

  @Test("the parts of an array are its elements by position, and those of an ordered state by id")
  func elements() throws {
    let films = [Film(id: "a"), Film(id: "b")]
    #expect(try parts(films).map(\.path) == ["held[0]", "held[1]"])
    #expect(
      try parts(OrderedState(films)).map(\.path) == ["held[\"a\"]", "held[\"b\"]"])
    #expect(try parts(ContiguousArray(films)).map(\.path) == ["held[0]", "held[1]"])
  }

  @Test("the parts of a dictionary are its entries by key")
  func entries() throws {
    #expect(try parts(["a": 1]).kind == .entries)
    #expect(try told(["a": 1]) == ["a held[\"a\"] 1"])
    #expect(try told([3 as Int?: 1]) == ["3 held[3] 1"])
  }

  @Test("an optional has the parts of its value, at the same path")
  func optionals() throws {
    let three: Any = 3 as Int? as Any
    #expect(try parts(three).kind == .wrapped)
    #expect(try told(three) == ["held held 3"])
    #expect(try told(nil as Int? as Any) == [])
  }

  @Test("numbers, texts, dates, and similar values have no parts")
  func wholes() throws {
    let values: [Any] = [3, "text", true, Date.distantPast, UUID(), Data([1, 2]), Duration.seconds(1)]
    for value in values {
      let parts = try self.parts(value)
      #expect(parts.kind == .whole && parts.count == 0 && Array(parts).isEmpty)
    }
  }

  @Test("an empty collection is still a collection")
  func empty() throws {
    #expect(try parts([Int]()).kind == .elements)
    #expect(try parts([String: Int]()).kind == .entries)
  }

  @Test("a secret has neither a text nor parts, and its name needs no look-up")
  func secrets() throws {
    struct State {
      var film = Film(id: "a")
      var note = Film(id: "b")
    }
    let parts = Array(ValuePart(State(), label: "state", redacting: .fields("film", "title")).parts)
    #expect(parts.map(\.isSecret) == [true, false])
    #expect(parts.map(\.text) == ["•••", "Film(id: \"b\", title: •••)"])
    #expect(Array(parts[0].parts).isEmpty)
    #expect(parts[1].parts.map(\.isSecret) == [false, true])
  }

  @Test("a part is created when it is requested: a large collection creates only the requested parts")
  func lazy() throws {
    /// Counts how often it is described.
    final class Key: Hashable, CustomStringConvertible {
      nonisolated(unsafe) static var described = 0
      let number: Int
      init(_ number: Int) { self.number = number }
      static func == (one: Key, other: Key) -> Bool { one.number == other.number }
      func hash(into hasher: inout Hasher) { hasher.combine(number) }
      var description: String {
        Key.described += 1
        return "\(number)"
      }
    }
    let parts = try self.parts(Dictionary(uniqueKeysWithValues: (0..<1_000).map { (Key($0), $0) }))
    #expect(parts.count == 1_000)
    #expect(Key.described == 0)
    #expect(Array(parts.prefix(2)).count == 2)
    #expect((1...3).contains(Key.described))
  }

  @Test("skipping parts leaves the labels and paths of the others as they are", arguments: 0...5)
  func skipped(count: Int) throws {
    for value in [Derived(), ["Ada", "Bob", "Cleo"], (1, 2, 3, 4)] as [Any] {
      let all = try parts(value).map { "\($0.label) \($0.path) \($0.value)" }
      let rest = try parts(value).dropFirst(count).map { "\($0.label) \($0.path) \($0.value)" }
      #expect(rest == Array(all.dropFirst(count)))
    }
  }

  @Test("a part that is skipped is not created, so the text of its id is not computed")
  func lazySkip() {
    let texts = Texts()
    let state = OrderedState((0..<10).map { Counted(id: Counted.ID(number: $0, texts: texts)) })
    let parts = ValuePart(state).parts
    #expect(parts.dropFirst(8).map(\.label) == ["8", "9"])
    #expect(texts.made == [8, 9])
  }

  /// The ids whose texts were computed.
  private final class Texts {
    var made: Set<Int> = []
  }

  private struct Counted: Identifiable {
    struct ID: Hashable, CustomStringConvertible {
      let number: Int
      let texts: Texts

      var description: String {
        texts.made.insert(number)
        return "\(number)"
      }

      static func == (first: ID, second: ID) -> Bool { first.number == second.number }

      func hash(into hasher: inout Hasher) {
        hasher.combine(number)
      }
    }

    let id: ID
  }
}
