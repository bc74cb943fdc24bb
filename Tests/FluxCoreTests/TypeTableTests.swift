import FluxCore
import Testing

@Suite("Looking up what there is for a type of action")
struct TypeTableTests {
  private struct Small: Action {}
  private struct Large: Action {
    var values = (1, 2, 3, 4, 5)
  }
  private enum Choice: Action {
    case one, two(String)
  }
  private struct Generic<Wrapped: Sendable>: Action {
    var wrapped: Wrapped
  }
  private class Base: Action, @unchecked Sendable {}
  private final class Derived: Base, @unchecked Sendable {}

  private static let actions: [any Action] = [
    Small(), Large(), Choice.one, Generic(wrapped: 1), Generic(wrapped: "a"), Generic(wrapped: [Large()]),
    Base(), Derived(),
  ]

  private func disguised(_ object: Base) -> any Action { object }

  @Test("an action is of the type that type(of:) says, and of no other, whatever kind of type it is")
  func exactTypes() {
    for action in Self.actions {
      for other in Self.actions {
        let isSame = type(of: action) == type(of: other)
        #expect(ActionType(type(of: other)).matches(action) == isSame, "\(action), \(other)")
      }
    }
    #expect(ActionType(Derived.self).matches(disguised(Derived())))
    #expect(!ActionType(Base.self).matches(disguised(Derived())))
  }

  @Test(
    "a table finds the value of the action's type, and nothing for another type, with classes in it or not")
  func lookUp() {
    for present in 0..<(1 << Self.actions.count) {
      var table = TypeTable<Int>()
      for (index, action) in Self.actions.enumerated() where present & (1 << index) != 0 {
        table.insert(index, for: type(of: action)) { first, _ in first }
      }
      for (index, action) in Self.actions.enumerated() {
        let expected = present & (1 << index) != 0 ? index : nil
        #expect(table[action] == expected)
        #expect(table.contains(action) == (expected != nil))
        #expect(table.contains(type(of: action)) == (expected != nil))
      }
    }
  }

  @Test("a second value for a type is combined with the first, in a merge too")
  func combining() {
    var first = TypeTable<String>()
    first.insert("a", for: Small.self) { $0 + $1 }
    first.insert("b", for: Small.self) { $0 + $1 }
    var second = TypeTable<String>()
    second.insert("c", for: Small.self) { $0 + $1 }
    second.insert("d", for: Derived.self) { $0 + $1 }
    first.merge(second) { $0 + $1 }
    #expect(first[Small()] == "abc")
    #expect(first[disguised(Derived())] == "d")
    #expect(first.mapValues { $0.count }[Small()] == 3)
    #expect(first.mapValues { $0.count }[disguised(Derived())] == 1)
  }

  @Test("an empty table finds nothing")
  func empty() {
    let table = TypeTable<Int>()
    #expect(table[Small()] == nil)
    #expect(!table.contains(Small.self))
  }
}
