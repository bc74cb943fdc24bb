import FluxAsync
import FluxCore
import TestSupport
import Testing

@Suite("Composite actions", .unlessItHangs)
struct CompositeActionTests {
  private let service = Service()
  private let store = Store(reducer: shelfReducer, state: Shelf())

  @Test("actions that require no waiting are dispatched before dispatch returns")
  func atOnce() {
    store.dispatch(Arrived(text: "a") + Arrived(text: "b").then(Arrived(text: "c")))
    #expect(store.state.texts == ["a", "b", "c"])
  }

  @Test("each action is dispatched after the previous action and all work that it started are finished")
  func order() async {
    struct Outer: TaskAction {
      let inner: Fetch

      func execute(state: Shelf, dispatch: @escaping DispatchFunction) async throws {
        dispatch(inner)
      }
    }
    let work = store.dispatchAsync(
      CompositeAction(Arrived(text: "first"), Outer(inner: Fetch("a", from: service)), Arrived(text: "last")))
    #expect(store.state.texts == ["first"])
    await service.calls.count(atLeast: 1)
    service.answer("a")
    await work.finished()
    #expect(store.state.texts == ["first", "a", "last"])
  }

  @Test("an action that fails does not prevent the next action from being dispatched")
  func failing() async {
    service.fail("a")
    await store.dispatchAsync(Fetch("a", from: service) + Arrived(text: "b")).finished()
    #expect(store.state == Shelf(texts: ["b"], failures: ["trouble"]))
  }

  @Test("cancellation ends the running action, and skips the rest")
  func cancelling() async {
    let work = store.dispatchAsync(Fetch("a", from: service) + Arrived(text: "b"))
    await service.calls.count(atLeast: 1)
    work.cancel()
    await work.finished()
    #expect(service.cancelled.values == ["a"])
    #expect(store.state == Shelf())
  }

  @Test("composites of composites are flat, and their descriptions list the actions")
  func flat() {
    let composite = (Arrived(text: "a") + Arrived(text: "b")).then(Arrived(text: "c") + Arrived(text: "d"))
    #expect(composite.actions.count == 4)
    #expect("\(Arrived(text: "a") + Arrived(text: "b"))" == "Arrived(text: \"a\") + Arrived(text: \"b\")")
  }

  @Test("an empty composite does nothing")
  func empty() async {
    await store.dispatchAsync(CompositeAction([])).finished()
    await store.dispatchAsync(RaceAction([])).finished()
    #expect(store.state == Shelf())
  }

  @Test("a composite of a hundred thousand actions needs no deep stack")
  func many() {
    store.dispatch(CompositeAction(Array(repeating: Arrived(text: "a"), count: 100_000)))
    #expect(store.state.texts.count == 100_000)
  }

  private static let levels = 10_000

  /// A composite with a note at each level, which contains the next level as its first or its last
  /// action.
  private static func nested(first: Bool) -> CompositeAction {
    (0..<levels).reduce(CompositeAction()) { inner, _ in
      first ? CompositeAction(inner, Arrived(text: "a")) : CompositeAction(Arrived(text: "a"), inner)
    }
  }

  @Test("ten thousand nested composites need no deep stack", arguments: [false, true])
  func deep(first: Bool) {
    let count = Shared(0)
    Worker(stackSize: 512 << 10) { [store] in
      let composite = Self.nested(first: first)
      store.dispatch(composite)
      count.value = composite.actions.count
    }.join()
    #expect(count.value == Self.levels)
    #expect(store.state.texts.count == Self.levels)
  }

  @Test("nested composites wait for work in the order of their actions, without a deep stack")
  func deepWaiting() async {
    let ended = EventLog<DispatchTask>()
    Worker(stackSize: 512 << 10) { [store, service] in
      let composite = CompositeAction(Fetch("first", from: service), Self.nested(first: true))
      ended.record(store.dispatchAsync(composite.then(Fetch("last", from: service))))
    }.join()
    service.answer("first")
    service.answer("last")
    for work in ended.values { await work.finished() }
    #expect(store.state.texts.count == Self.levels + 2)
    #expect(store.state.texts.first == "first")
    #expect(store.state.texts.last == "last")
  }

  @Test("composites that are joined share the storage of their actions", arguments: [false, true])
  func sharing(appends: Bool) {
    var sum = CompositeAction()
    var trees: Set<ObjectIdentifier> = []
    var parts = 0
    // Kept, so that no two trees have the same address.
    var kept: [CompositeAction] = []
    for _ in 1...Self.levels {
      sum = appends ? sum + Arrived(text: "a") : Arrived(text: "a") + sum
      trees.insert(ObjectIdentifier(sum.tree))
      parts += sum.tree.parts.count
      kept.append(sum)
    }
    #expect(trees.count == Self.levels)
    #expect(parts == 2 * Self.levels)
    #expect(sum.actions.count == Self.levels)
  }

  @Test("secrets that are redacted in logs are redacted in composites")
  func reflection() {
    let children = Mirror(reflecting: Arrived(text: "a") + Arrived(text: "b")).children
    #expect(children.map(\.label) == ["actions"])
    #expect(children.compactMap { $0.value as? [any Action] }.first?.count == 2)
  }
}
