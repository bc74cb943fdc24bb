import FluxCore
import TestSupport
import Testing

@Suite("A table of values by action type")
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

  @Test("an action has the type that type(of:) returns, and no other, for all types of types")
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
    "a table finds the value for the action's type only, with or without classes in it")
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

  @Test("a branch sends actions whose types are in the table to one closure, and all others to the other")
  func branching() {
    let (here, there) = (Recorder<Int>(), Recorder<Int>())
    for present in 0..<(1 << Self.actions.count) {
      var table = TypeTable<Bool>()
      for (index, action) in Self.actions.enumerated() where present & (1 << index) != 0 {
        table.insert(true, for: type(of: action)) { first, _ in first }
      }
      let send = table.branch(to: { _ in here.record(1) }, otherwise: { _ in there.record(1) })
      for action in Self.actions { send(action) }
      #expect(here.takeAll().count == present.nonzeroBitCount)
      #expect(there.takeAll().count == Self.actions.count - present.nonzeroBitCount)
    }
  }

  @Test("a table of very many types finds each of them, by look-up and by branch, and no other types")
  func manyTypes() {
    var many: [any Action] = []
    func add<Value: Sendable>(_ value: Value, levels: Int) {
      let action = Generic(wrapped: value)
      many.append(action)
      if levels > 0 { add(action, levels: levels - 1) }
    }
    add(true, levels: 120)
    add(1.5, levels: 120)
    var table = TypeTable<Int>()
    for (index, action) in many.enumerated() where index.isMultiple(of: 2) {
      table.insert(index, for: type(of: action)) { first, _ in first }
    }
    let (here, there) = (Recorder<Int>(), Recorder<Int>())
    let send = table.branch(to: { _ in here.record(1) }, otherwise: { _ in there.record(1) })
    for (index, action) in many.enumerated() {
      #expect(table[action] == (index.isMultiple(of: 2) ? index : nil))
      send(action)
    }
    #expect(here.count == 121)
    #expect(there.count == 121)
  }

  @Test("an empty table finds nothing")
  func empty() {
    let table = TypeTable<Int>()
    #expect(table[Small()] == nil)
    #expect(!table.contains(Small.self))
  }
}
