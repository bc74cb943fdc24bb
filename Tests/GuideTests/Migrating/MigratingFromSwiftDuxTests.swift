import Flux
import Foundation
import TestSupport
import Testing

@Suite("Migrating.md: SwiftDux behaves differently")
struct MigratingFromSwiftDuxTests {
  private let store = Store(reducer: reduced, state: Reduced())

  @Test("The state of a `StoreProxy` is optional, because a proxy does not keep the store alive.")
  func proxyState() {
    var store: Store<Reduced>? = Store(reducer: reduced, state: Reduced(actions: ["A"]))
    let proxy = store?.proxy
    #expect(proxy?.state?.actions == ["A"])
    store = nil
    // SwiftDux reads an unowned reference, and traps.
    #expect(proxy?.state == nil)
  }

  @Test("`proxy(as:)` returns the proxy of a type that the state has; `proxy(for:)` takes a part.")
  func proxyTypes() {
    let countable = store.proxy(as: (any Countable).self)
    #expect(countable?.state?.count == 0)
    #expect(store.proxy(as: String.self) == nil)
    #expect(store.proxy(for: \.actions).state == [])
  }

  @Test(
    "Where ids are `Int`, an unlabeled subscript of a list is a position; `value(forId:)` finds an element.")
  func positions() {
    let here = OrderedState([Row(id: 7), Row(id: 3)])
    // SwiftDux offers both subscripts without a label, and an optional result selects the id.
    let there = [7: Row(id: 7), 3: Row(id: 3)]
    #expect(there[3] == here[1])
    #expect(here.value(forId: 3) == here[1])
    #expect(here[id: 3] == here[1])
    #expect(here.value(forId: 1) == nil)
  }

  @Test("A position of a list that does not exist traps only in the subscript.")
  func missingPositions() {
    var here = OrderedState([Row(id: 7)])
    here.remove(at: 3)
    here.insert(Row(id: 8), at: 9)
    here.move(from: IndexSet([5]), to: 0)
    #expect(here.ids == [7, 8])
  }

  @Test("Assigning `nil` to an id of a list removes its element.")
  func assigningNil() {
    var here = OrderedState([Titled(id: "a"), Titled(id: "b")])
    here["a"] = nil
    #expect(here.ids == ["b"])
    // SwiftDux returns from the setter when the new value is `nil`.
    var there = ["a": 1, "b": 2]
    func assign(_ value: Int?, to id: String) {
      guard let value else { return }
      there[id] = value
    }
    assign(nil, to: "a")
    #expect(there.keys.sorted() == ["a", "b"])
  }

  @Test("An id is in a list once, whichever operation adds it.")
  func uniqueIDs() {
    // SwiftDux's `insert(contentsOf:at:)` adds the ids again.
    let there = [1, 2] + [2, 3]
    #expect(there == [1, 2, 2, 3])
    var here = OrderedState([Row(id: 1), Row(id: 2)])
    here.insert(contentsOf: [Row(id: 2), Row(id: 3)], at: 2)
    #expect(here.ids == [1, 2, 3])
  }

  @Test("An action that does work passes the middleware and the reducer like any other action.")
  func workIsReduced() {
    let names = Recorder<String>()
    let print = printActionMiddleware(printer: { _ in names.record("printed") }) as Middleware<Reduced>
    let reducer: MutatingReducer<Reduced> = { _, action in
      if action is ActionPlan<Reduced> { names.record("reduced") }
    }
    let store = Store(reducer: reducer, middleware: [print], state: Reduced())
    // SwiftDux's store runs a plan in place of sending it: both lists stay empty there.
    store.dispatch(ActionPlan<Reduced> { _ in })
    #expect(names.values == ["printed", "reduced"])
  }

  @Test("The store sends no `prepare` action when it is created.")
  func noPrepare() {
    let actions = Recorder<String>()
    let observe: Middleware<Reduced> = observeActions { _, action in actions.record("\(action)") }
    let store = Store(reducer: reduced, middleware: [observe], state: Reduced())
    #expect(actions.values == [])
    withExtendedLifetime(store) {}
  }

  @Test("A subscription receives the state, first the present one; `didChange` sends neither.")
  func didChange() {
    var there: [Void] = []
    let here = Recorder<Int>()
    let token = store.subscribe { here.record($0.actions.count) }
    store.dispatch(Named("A"))
    there.append(())
    #expect(there.count == 1)
    #expect(here.values == [0, 1])
    token.cancel()
  }

  @Test("`onReturning` accepts the method of a reducer class, which handles one type of action.")
  func reducerClass() {
    let store = Store(reducer: onReturning(Named.self, OldReducer().reduce), state: Reduced())
    store.dispatch(Named("A"))
    #expect(store.state.actions == ["A"])
  }

  @Test("`filter` returns a list, not an array.")
  func filter() {
    let list = OrderedState([Row(id: 1), Row(id: 2)]).filter { $0.id > 1 }
    #expect(list == OrderedState([Row(id: 2)]))
    #expect(list.values == [Row(id: 2)])
  }

  @Test("A saved file starts with a line that guards the JSON behind it.")
  func savedFile() throws {
    let files = InMemoryStorage()
    let persistence = Persistence<Reduced, [String]>(of: \.actions, in: files, name: "actions")
    let store = Store(reducer: reduced, plugins: [persistence.plugin], state: Reduced())
    store.dispatch(Named("A"))
    try persistence.flush()
    let saved = String(decoding: try #require(files.files.values.first), as: UTF8.self)
    let lines = saved.split(separator: "\n")
    #expect(lines.first?.hasPrefix(#"{"format":"flux-state""#) == true)
    #expect(lines.dropFirst().joined() == #"["A"]"#)
  }
}

private protocol Countable: Sendable {
  var count: Int { get }
}

extension Reduced: Countable {
  var count: Int { actions.count }
}

private struct Row: Identifiable, Equatable, Sendable {
  let id: Int
}

private struct Titled: Identifiable, Equatable, Sendable {
  let id: String
}

/// A reducer as SwiftDux has it: a class with a method that returns the next state.
private final class OldReducer: Sendable {
  func reduce(state: Reduced, action: Named) -> Reduced {
    Reduced(actions: state.actions + [action.name])
  }
}
