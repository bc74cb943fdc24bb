import FluxCore
import TestSupport
import Testing

@Suite(
  "ReSwift: Store", .cases(of: "ReSwift/ReSwift", "ReSwiftTests/StoreTests.swift", at: "11f0a2e4", count: 2))
struct ReSwiftStoreTests {
  private struct Holding: FluxState {
    let tracked: LifetimeTracker.Tracked
  }

  @Test(
    "a new store reduces nothing, and starts with the state that it is given",
    .differs(
      1,
      because: """
        ReSwift can create the initial state with a private action and an optional state. A store of Flux \
        always has an initial state, so the state of a reducer is never optional.
        """))
  func noFirstAction() {
    let reduced = Recorder<String>()
    let store = Store(
      reducer: { (_: inout Parts, action) in reduced.record("\(type(of: action))") }, state: Parts(foo: 3))
    #expect(reduced.values.isEmpty)
    #expect(store.state == Parts(foo: 3))
    store.dispatch(Unknown())
    #expect(reduced.values == ["Unknown"])
  }

  @Test("a store without references is released together with its state", .holds(2))
  func released() {
    let tracker = LifetimeTracker()
    var store: Store<Holding>? = Store(
      reducer: { (_: inout Holding, _) in }, state: Holding(tracked: tracker.make()))
    let proxy = store?.proxy
    store?.dispatch(Unknown())
    #expect(tracker.alive == 1)
    store = nil
    #expect(tracker.alive == 0)
    #expect(proxy?.state == nil)
  }
}
