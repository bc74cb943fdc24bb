import FluxAsync
import FluxCore
import TestSupport
import Testing

@Suite("Lifetimes of the closures of plans", .unlessItHangs)
struct PlanLifetimeTests {
  @Test("values that the plans of a composite and of a race keep are released when the plans end")
  func closures() async {
    let tracker = LifetimeTracker()
    let released = EventLog<Int>()
    let store = Store(reducer: shelfReducer, state: Shelf())
    func plan(_ number: Int) -> ActionPlan<Shelf> {
      let tracked = tracker.make { released.record(number) }
      return ActionPlan<Shelf> { store in
        tracked.touch()
        store.dispatch(Arrived(text: "\(number)"))
      }
    }
    await store.dispatchAsync(CompositeAction(plan(1), plan(2))).finished()
    await store.dispatchAsync(RaceAction(plan(3), plan(4))).finished()
    await released.count(atLeast: 4)
    #expect(tracker.alive == 0)
    #expect(store.state.texts.starts(with: ["1", "2"]))
  }
}
