import FluxAsync
import FluxCore
import TestSupport
import Testing

@Suite("Contexts that are kept after their work has ended", .unlessItHangs)
struct KeptContextTests {
  private struct Connect: TaskAction {
    let tracked: LifetimeTracker.Tracked
    let contexts: EventLog<TaskContext<Shelf>>
    var policy = WorkPolicy.every

    func execute(in context: TaskContext<Shelf>) async throws {
      tracked.touch()
      contexts.record(context)
    }
  }

  private struct Ask: AsyncRequest {
    let tracked: LifetimeTracker.Tracked
    let contexts: EventLog<RequestContext<Shelf>>

    func perform(in context: RequestContext<Shelf>) async throws -> String {
      tracked.touch()
      contexts.record(context)
      return "a"
    }
  }

  /// A request that cancels the dispatch that it belongs to when the store asks for the second
  /// time whether the request is wanted.
  private struct CancelWhileArriving: AsyncRequest {
    let tracked: LifetimeTracker.Tracked
    let asked: EventLog<Bool>
    var policy: WorkPolicy { .leading }

    func isWanted(in state: Shelf) -> Bool {
      tracked.touch()
      asked.record(true)
      if asked.values.count == 2 { EffectScope.current?.end() }
      return true
    }

    func perform(in context: RequestContext<Shelf>) async throws -> String { "a" }
  }

  private let tracker = LifetimeTracker()
  private let released = EventLog<Bool>()
  private let store = Store(reducer: shelfReducer, state: Shelf())

  private func tracked() -> LifetimeTracker.Tracked { tracker.make { released.record(true) } }

  @Test(
    "the context of a task does not retain the action",
    arguments: [WorkPolicy.every, .every.timingOut(after: .seconds(900))])
  func task(policy: WorkPolicy) async {
    let contexts = EventLog<TaskContext<Shelf>>()
    await store.dispatchAsync(Connect(tracked: tracked(), contexts: contexts, policy: policy)).finished()
    await released.count(atLeast: 1)
    #expect(tracker.alive == 0)
    contexts.values[0].dispatch(Arrived(text: "later"))
    #expect(contexts.values[0].attempt == 1)
  }

  @Test("the context and the handle of a request do not retain the request")
  func request() async throws {
    let contexts = EventLog<RequestContext<Shelf>>()
    let handle = store.request(Ask(tracked: tracked(), contexts: contexts))
    #expect(try await handle.value == "a")
    await released.count(atLeast: 1)
    #expect(tracker.alive == 0)
    #expect(try await handle.value == "a")
    #expect(contexts.values[0].store.state != nil)
  }

  @Test("the handle of a request that is canceled while it arrives does not retain the request")
  func cancelWhileArriving() async throws {
    let asked = EventLog<Bool>()
    let handles = EventLog<RequestTask<CancelWhileArriving>>()
    func dispatchPlan() async {
      let request = CancelWhileArriving(tracked: tracked(), asked: asked)
      await store.dispatchAsync(ActionPlan<Shelf> { handles.record($0.request(request)) }).finished()
    }
    await dispatchPlan()
    #expect(asked.values.count == 2)
    await released.count(atLeast: 1)
    #expect(tracker.alive == 0)
    guard case .failure(.aborted) = await handles.values[0].result else {
      Issue.record("The request was not aborted.")
      return
    }
  }

  @Test("the proxy of a synchronous plan does not retain the plan", arguments: [false, true])
  func plan(isAwaited: Bool) async {
    let proxies = EventLog<StoreProxy<Shelf>>()
    func dispatchPlan() async {
      let tracked = tracked()
      let plan = ActionPlan<Shelf> { store in
        tracked.touch()
        proxies.record(store)
      }
      if isAwaited { await store.dispatchAsync(plan).finished() } else { store.dispatch(plan) }
    }
    await dispatchPlan()
    await released.count(atLeast: 1)
    #expect(tracker.alive == 0)
    proxies.values[0].dispatch(Arrived(text: "later"))
    #expect(store.state.texts == ["later"])
  }

  @Test("a request that arrives while its store is being released reports no error")
  func release() {
    let errors = EventLog<String>()
    let kept = Shared<ActionContext?>(nil)
    let tracked = tracked()
    do {
      let releasing = Store(
        reducer: shelfReducer,
        plugins: [
          .asyncWork(onError: { error, _ in errors.record("\(error)") }),
          Plugin(
            onStoreStart: { kept.value = $0 },
            onStoreEnd: { _ in
              guard let context = kept.value else { return }
              Ask(tracked: tracked, contexts: EventLog())._startWork(in: context)?(context)
            }),
        ], state: Shelf())
      releasing.dispatch(Arrived(text: "a"))
    }
    #expect(errors.values == [])
  }
}
