import FluxCore
import FluxTesting
import TestSupport
import Testing

@Suite("Lifetimes of values that a test gives to a test store")
struct TestStoreLifetimeTests {
  private static let keepers = [
    Keeper("TestReporter") { touch in
      let reporter = TestReporter { _ in touch() }
      let store = TestStore(reducer: reduce, state: Tally(), reporter: reporter)
      store.send(Add())
      return [reporter, store]
    },
    Keeper("TestStore, of its reducer") { touch in
      let store = TestStore(
        reducer: { (_: inout Tally, _: any Action) in touch() }, state: Tally(), reporter: Reports().reporter)
      store.send(Add())
      return [store]
    },
  ]

  @Test(
    "a captured value is released with the test store", .unlessItHangs, arguments: keepers)
  func release(keeper: Keeper) async {
    await keeper.expectRelease()
  }

  @Test("the expectation of a step is released when the TestStore has compared it")
  func expectation() {
    let (tracker, store) = (LifetimeTracker(), Reports().store())
    do {
      let tracked = tracker.make()
      store.send(Add()) { state in
        tracked.touch()
        state.count = 1
      }
    }
    #expect(tracker.alive == 0)
    #expect(store.state.count == 1)
  }
}
