import FluxAsync
import FluxCore
import TestSupport
import Testing

@Suite(
  "SwiftDux: Store",
  .cases(
    of: "StevenLambion/SwiftDux", "Tests/SwiftDuxTests/Store/StoreTests.swift", at: "99cb24da", count: 6))
struct SwiftDuxStoreTests {
  private typealias Plan = ActionPlan<Person>

  private let store = personStore(state: Person(age: 0))

  @Test("a store starts with the state that it is given", .holds(1))
  func first() {
    #expect(store.state.name == "Ada")
  }

  @Test("an action changes the state before the call that dispatched it returns", .holds(2))
  func action() {
    store.dispatch(SetName(name: "Grace"))
    #expect(store.state.name == "Grace")
  }

  @Test(
    "the actions of a plan may come from a stream of one action type",
    .differs(
      3,
      because: """
        In SwiftDux, a Combine publisher can send actions before the call returns. In Flux, the work \
        awaits the stream; only a plan that awaits nothing dispatches its actions before the call \
        returns.
        """))
  func plan() async {
    let plan = Plan(streaming: { _ in
      AsyncStream<SetName> { stream in
        stream.yield(SetName(name: "1234"))
        stream.finish()
      }
    })
    await store.dispatchAsync(plan).finished()
    #expect(store.state.name == "1234")
  }

  @Test(
    "the actions of a plan may come from a stream of any actions",
    .differs(
      4,
      because: """
        In SwiftDux, a Combine publisher can send actions before the call returns. In Flux, the work \
        awaits the stream; only a plan that awaits nothing dispatches its actions before the call \
        returns.
        """))
  func planOfAny() async {
    let plan = Plan(streaming: { _ in
      AsyncStream<any Action> { stream in
        for action in [SetName(name: "1234"), SetAge(age: 5)] as [any Action] { stream.yield(action) }
        stream.finish()
      }
    })
    await store.dispatchAsync(plan).finished()
    #expect(store.state.name == "1234")
    #expect(store.state.age == 5)
  }

  @Test("a plan reads the state that its earlier actions made", .holds(5))
  func steps() {
    store.dispatch(
      Plan { store in
        for _ in 1...3 { store.dispatch(SetAge(age: (store.state?.age ?? 0) + 1)) }
      })
    #expect(store.state.age == 3)
  }

  @Test("a plan may end by a callback, and still send actions immediately", .holds(6))
  func callback() async {
    let isOver = Shared(false)
    let plan = Plan { store, completed in
      store.dispatch(SetName(name: "Grace"))
      completed()
      return nil
    }
    let work = store.dispatchAsync(plan.then(Plan { _ in isOver.value = true }))
    await work.finished()
    #expect(store.state.name == "Grace")
    #expect(isOver.value)
  }
}
