import FluxAsync
import FluxCore
import FluxUI
import TestSupport
import Testing

@MainActor
@Suite struct AppearanceWorkTests {
  /// A plan that waits until it is canceled, and then reports it.
  private func wait(_ events: EventLog<String>, named name: String = "plan") -> ActionPlan<Notebook> {
    ActionPlan<Notebook> { store in
      events.record("\(name) begins")
      store.dispatch(Increment())
      let never = AsyncStream<Void> { _ in }
      for await _ in never {}
      events.record("\(name) ends, cancelled: \(Task.isCancelled)")
    }
  }

  @Test("an action is dispatched each time the view appears, and is shown before the view appears")
  func actions() {
    let store = makeStore()
    let connection = Connection(to: store) { state in state.count }
    let work = AppearanceWork()
    for count in 1...3 {
      work.appear(dispatching: Increment(), by: connection.dispatch)
      #expect(connection.props == count)
      if count == 2 { work.disappear() }
    }
    #expect(!work.isRunning)
  }

  @Test(
    "the work of a plan is canceled when the view disappears, and starts again when the view appears again")
  func cancelling() async {
    let store = makeStore()
    let events = EventLog<String>()
    let work = AppearanceWork()
    for count in [1, 2] {
      work.appear(dispatching: wait(events), by: ActionDispatcher(store))
      await events.count(atLeast: 2 * count - 1)
      #expect(work.isRunning)
      work.disappear()
      #expect(!work.isRunning)
      await events.count(atLeast: 2 * count)
    }
    let turn = ["plan begins", "plan ends, cancelled: true"]
    #expect(events.values == turn + turn)
    work.disappear()
  }

  @Test(
    "work that is not canceled on disappearing continues, and appearing again meanwhile dispatches nothing")
  func goingOn() async {
    let store = makeStore()
    let events = EventLog<String>()
    let work = AppearanceWork()
    let dispatch = ActionDispatcher(store)
    work.appear(dispatching: wait(events), cancelOnDisappear: false, by: dispatch)
    await events.count(atLeast: 1)
    work.disappear()
    #expect(work.isRunning)
    work.appear(dispatching: SetTitle(title: "again"), cancelOnDisappear: false, by: dispatch)
    #expect(store.state.title == "")
    #expect(events.values == ["plan begins"])
  }

  @Test("a view whose work has finished dispatches again when it appears again")
  func over() async {
    let store = makeStore()
    let events = EventLog<String>()
    let work = AppearanceWork()
    let plan = ActionPlan<Notebook> { _ async in events.record("done") }
    for count in [1, 2] {
      let dispatched = store.dispatchAsync(Nothing())
      work.appear(dispatching: plan, cancelOnDisappear: false, by: ActionDispatcher(store))
      await events.count(atLeast: count)
      await dispatched.finished()
      while work.isRunning { await Task.yield() }
    }
    #expect(events.values == ["done", "done"])
  }

  @Test("a view that appears twice without disappearing starts its work once")
  func twice() async {
    let store = makeStore()
    let events = EventLog<String>()
    let work = AppearanceWork()
    work.appear(dispatching: wait(events, named: "first"), by: ActionDispatcher(store))
    await events.count(atLeast: 1)
    work.appear(dispatching: wait(events, named: "second"), by: ActionDispatcher(store))
    work.disappear()
    await events.count(atLeast: 2)
    #expect(events.values == ["first begins", "first ends, cancelled: true"])
  }

  @Test("releasing an AppearanceWork cancels the work that is bound to the view, and other work continues")
  func dropping() async {
    let store = makeStore()
    let events = EventLog<String>()
    var bound: AppearanceWork? = AppearanceWork()
    var free: AppearanceWork? = AppearanceWork()
    let released = WeakReference(bound)
    bound?.appear(dispatching: wait(events, named: "bound"), by: ActionDispatcher(store))
    await events.count(atLeast: 1)
    free?.appear(
      dispatching: wait(events, named: "free"), cancelOnDisappear: false, by: ActionDispatcher(store))
    await events.count(atLeast: 2)
    bound = nil
    free = nil
    #expect(released.object == nil)
    await events.count(atLeast: 3)
    #expect(events.values == ["bound begins", "free begins", "bound ends, cancelled: true"])
  }

  @Test("a token of a dispatcher cancels the work that the dispatcher started")
  func tokens() async {
    let store = makeStore()
    let events = EventLog<String>()
    var token: SubscriptionToken? = ActionDispatcher(store).sendAsCancellable(wait(events))
    await events.count(atLeast: 1)
    #expect(token != nil)
    token = nil
    await events.count(atLeast: 2)
    #expect(events.values.last == "plan ends, cancelled: true")
  }
}
