import FluxAsync
import FluxCore
import FluxMiddleware
import FluxTesting
import TestSupport
import Testing

/// The reduced actions, in order.
private struct Trail: FluxState, Equatable {
  var names: [String] = []
}

private struct Loaded: Action {}

/// Finds the result immediately, as in a cache, and calls back on a thread of the test's choice.
private struct Load: AsyncAction {
  var found = Recorder<[String]?>()
  var callsBackElsewhere = false

  func execute(state: (any FluxState)?, dispatch: @escaping DispatchFunction) {
    found.record((state as? Trail)?.names)
    if callsBackElsewhere {
      Worker { dispatch(Loaded()) }.join()
    } else {
      dispatch(Loaded())
    }
  }
}

private struct Run: TaskAction {
  var policy = WorkPolicy.every

  func execute(state: Trail, dispatch: @escaping DispatchFunction) async { dispatch(Loaded()) }
}

private struct Ask: AsyncRequest {
  var service: Service?
  var policy = WorkPolicy.every
  var tellsWhenUnwanted = false
  /// Whether a request is unwanted after another one has been reduced.
  var asksOnce = false

  func isWanted(in state: Trail) -> Bool { !asksOnce || !state.names.contains("Ask") }

  func perform(in context: RequestContext<Trail>) async throws -> Int {
    _ = try await service?.call("answer")
    return 1
  }
}

/// Rule 14 of the contract, for every type of work.
@Suite("An action is reduced before the actions that its work dispatches", .unlessItHangs)
struct WorkAfterActionTests {
  private let clock = ManualClock()

  private func makeStore(
    _ middleware: [Middleware<Trail>] = [], plugins: [Plugin<Trail>] = []
  ) -> Store<Trail> {
    Store(
      reducer: { (trail: inout Trail, action: any Action) in
        switch action {
        case is any AsyncRequest, is Load, is Loaded, is Run, is CancelWork, is CompositeAction,
          is RaceAction,
          is WorkFailed:
          trail.names.append("\(type(of: action))")
        case let event as any RequestEvent: trail.names.append("\(event.stage)")
        default: trail.names.append("plan")
        }
      },
      middleware: middleware, plugins: [.asyncWork(clock: clock)] + plugins, state: Trail())
  }

  @Test("a callback that is called immediately", arguments: [false, true])
  func callback(isElsewhere: Bool) {
    let store = makeStore()
    store.dispatch(Load(callsBackElsewhere: isElsewhere))
    #expect(store.state.names == ["Load", "Loaded"])
  }

  @Test("execute receives the state that its action found")
  func stateFound() {
    let store = makeStore()
    let load = Load()
    store.dispatch(Loaded())
    store.dispatch(load)
    #expect(load.found.values == [["Loaded"]])
  }

  @Test("a callback in a store that lists the middleware for async actions")
  func middleware() {
    let store = makeStore([asyncActionsMiddleware, asyncActionsMiddleware])
    store.dispatch(Load())
    #expect(store.state.names == ["Load", "Loaded"])
  }

  @Test("a callback of an action that a middleware holds and sends on later")
  func held() {
    let passOn = Recorder<@Sendable () -> Void>()
    let store = makeStore([
      { _, _ in
        { next in
          { action in
            if action is Load { passOn.record { next(action) } } else { next(action) }
          }
        }
      }
    ])
    store.dispatch(Load())
    store.dispatch(Run(policy: .leading.debounced(for: .seconds(1))))
    passOn.values[0]()
    #expect(store.state.names == ["Run", "Load", "Loaded"])
  }

  @Test("a callback of an action that a thunk dispatches")
  func thunk() {
    let store = makeStore([thunkMiddleware()])
    store.dispatch(Thunk<Trail> { dispatch, _ in dispatch(Load()) })
    #expect(store.state.names == ["Load", "Loaded"])
  }

  @Test("a callback of an action that an observer cancels is not executed")
  func cancelledByObserver() {
    let store = makeStore()
    let load = Load()
    let context = Recorder<EffectScope>()
    let token = store.subscribe(initial: false) { _ in
      EffectScope.current.map { context.record($0) }
      EffectScope.current?.end()
    }
    store.dispatchAsync(load)
    #expect(context.count == 1)
    #expect(load.found.values == [])
    #expect(store.state.names == ["Load"])
    token.cancel()
  }

  @Test("a plan with a callback that an observer cancels is not run")
  func planCancelledByObserver() async {
    let store = makeStore()
    let isRun = Shared(false)
    let token = store.subscribe(initial: false) { trail in
      if trail.names == ["plan"] { store.dispatch(CancelWork.all()) }
    }
    let plan = ActionPlan<Trail> { _, completed in
      isRun.value = true
      completed()
      return nil
    }
    await store.dispatchAsync(plan).finished()
    #expect(!isRun.value)
    token.cancel()
  }

  @Test("a task that starts immediately", arguments: [WorkPolicy.every, .latest, .leading, .queue])
  func task(policy: WorkPolicy) async {
    let store = makeStore()
    await store.dispatchAsync(Run(policy: policy)).finished()
    #expect(store.state.names == ["Run", "Loaded"])
  }

  @Test("a task whose policy delays it starts its delay after the action")
  func debouncedTask() async {
    let (clock, sleepers) = (clock, Shared<Int?>(nil))
    let store = Store(
      reducer: { (trail: inout Trail, action: any Action) in
        trail.names.append("\(type(of: action))")
        guard action is Run else { return }
        // Yields so that a task can begin.
        for _ in 1...100 { onAnotherThread {} }
        sleepers.value = clock.sleepers
      },
      plugins: [.asyncWork(clock: clock)], state: Trail())
    let work = store.dispatchAsync(Run(policy: .latest.debounced(for: .seconds(1))))
    #expect(sleepers.value == 0)
    await clock.sleepers(atLeast: 1)
    clock.advance(by: .seconds(1))
    await work.finished()
    #expect(store.state.names == ["Run", "Loaded"])
  }

  @Test("a request that starts immediately", arguments: [WorkPolicy.every, .latest, .leading, .queue])
  func request(policy: WorkPolicy) async {
    let store = makeStore()
    await store.dispatchAsync(Ask(policy: policy)).finished()
    #expect(store.state.names == ["Ask", "pending", "fulfilled"])
  }

  @Test("a request whose policy delays it")
  func debouncedRequest() async {
    let store = makeStore()
    let work = store.dispatchAsync(Ask(policy: .latest.debounced(for: .seconds(1))))
    #expect(store.state.names == ["Ask"])
    await clock.sleepers(atLeast: 1)
    clock.advance(by: .seconds(1))
    await work.finished()
    #expect(store.state.names == ["Ask", "pending", "fulfilled"])
  }

  @Test("a request that is not wanted")
  func unwanted() {
    let store = makeStore()
    let ask = Ask(service: Service(), tellsWhenUnwanted: true, asksOnce: true)
    store.dispatch(ask)
    store.dispatch(ask)
    #expect(store.state.names == ["Ask", "pending", "Ask", "rejected"])
  }

  @Test(
    "a request decides whether it is wanted by the state before it", arguments: [WorkPolicy.every, .leading])
  func wantedByStateFound(policy: WorkPolicy) async {
    let store = makeStore()
    await store.dispatchAsync(Ask(policy: policy, asksOnce: true)).finished()
    #expect(store.state.names == ["Ask", "pending", "fulfilled"])
  }

  @Test("the rejection of a replaced request comes after the newer request")
  func replaced() async {
    let service = Service()
    let store = makeStore()
    store.dispatch(Ask(service: service, policy: .latest))
    await service.calls.count(atLeast: 1)
    store.dispatch(Ask(service: service, policy: .latest))
    #expect(store.state.names == ["Ask", "pending", "Ask", "rejected", "pending"])
    service.answer("answer")
    service.answer("answer")
    await store.effects.finished()
  }

  @Test("the rejection of a request comes after the action that cancels it")
  func cancelled() async {
    let service = Service()
    let store = makeStore()
    store.dispatch(Ask(service: service))
    await service.calls.count(atLeast: 1)
    store.dispatch(CancelWork.all())
    #expect(store.state.names == ["Ask", "pending", "CancelWork", "rejected"])
    await store.effects.finished()
  }

  @Test("the newest work is that of the action that an observer dispatched last")
  func newestOfNested() async {
    let store = makeStore()
    let isFirst = Shared(true)
    let inner = Shared<DispatchTask?>(nil)
    let token = store.subscribe(initial: false) { _ in
      if isFirst.exchange(false) { inner.value = store.dispatchAsync(Ask(policy: .latest)) }
    }
    await store.dispatchAsync(Ask(policy: .latest)).finished()
    await inner.value?.finished()
    await store.effects.finished()
    #expect(store.state.names == ["Ask", "Ask", "pending", "fulfilled"])
    token.cancel()
  }

  @Test("plans that do not wait, that use a callback, that wait, and that fail")
  func plans() async {
    struct Trouble: Error {}
    let plans: [(ActionPlan<Trail>, [String])] = [
      (ActionPlan { $0.dispatch(Loaded()) }, ["plan", "Loaded"]),
      (
        ActionPlan { store, completed in
          store.dispatch(Loaded())
          completed()
          return nil
        }, ["plan", "Loaded"]
      ),
      (
        ActionPlan { store async in
          store.dispatch(Loaded())
        }, ["plan", "Loaded"]
      ),
      (ActionPlan { _ in throw Trouble() }, ["plan", "WorkFailed"]),
      (ActionPlan(sending: { _ in [Loaded(), Loaded()] }), ["plan", "Loaded", "Loaded"]),
    ]
    for (plan, names) in plans {
      let store = makeStore()
      await store.dispatchAsync(plan).finished()
      #expect(store.state.names == names)
    }
  }

  @Test("composites and races")
  func composites() {
    var store = makeStore()
    store.dispatch(Load() + Loaded())
    #expect(store.state.names == ["CompositeAction", "Load", "Loaded", "Loaded"])
    store = makeStore()
    store.dispatch(RaceAction(Load(), Loaded()))
    #expect(store.state.names == ["RaceAction", "Load", "Loaded", "Loaded"])
  }

  @Test("an effect of a listener")
  func listener() async {
    let listeners = Listeners<Trail>()
    let store = makeStore(plugins: [listeners.plugin])
    listeners.start(of: Load.self) { _, listener in listener.dispatch(Ask()) }
    await store.dispatchAsync(Load()).finished()
    #expect(store.state.names.first == "Load")
    #expect(store.state.names.filter { $0 != "Loaded" } == ["Load", "Ask", "pending", "fulfilled"])
  }
}
