import FluxAsync
import FluxCore
import FluxMiddleware
import FluxTesting
import TestSupport
import Testing

private struct Q: AsyncRequest {
  let name: String
  let service: Service
  var policy = WorkPolicy.every
  init(_ name: String, _ service: Service, _ policy: WorkPolicy = .every) {
    (self.name, self.service, self.policy) = (name, service, policy)
  }
  func perform(in context: RequestContext<Shelf>) async throws -> String { try await service.call(name) }
}

private let toldReducer: ActionHandlers<Shelf> = combine(
  shelfReducer,
  on(Q.Pending.self) { shelf, action in shelf.texts.append("pending \(action.request.name)") },
  on(Q.Fulfilled.self) { shelf, action in shelf.texts.append("fulfilled \(action.request.name)") },
  on(Q.Rejected.self) { shelf, action in shelf.texts.append("rejected \(action.request.name)") })

/// Runs a closure as work.
private struct Does: TaskAction {
  var policy: WorkPolicy
  let body: @Sendable (@escaping DispatchFunction) async throws -> Void
  init(
    _ policy: WorkPolicy = .every,
    _ body: @escaping @Sendable (@escaping DispatchFunction) async throws -> Void
  ) {
    (self.policy, self.body) = (policy, body)
  }
  func execute(state: Shelf, dispatch: @escaping DispatchFunction) async throws { try await body(dispatch) }
}

@Suite("Work in unusual situations", .unlessItHangs)
struct AwkwardWorkTests {
  private let service = Service()
  private let clock = ManualClock()
  private let inside = EventLog<Bool>()
  private let door = Gate()

  private func holding(_ isHeld: @escaping @Sendable (any Action) -> Bool) -> Middleware<Shelf> {
    { [inside, door] _, _ in
      { next in
        { action in
          if isHeld(action) {
            inside.record(true)
            door.wait()
          }
          next(action)
        }
      }
    }
  }

  private var holdingOld: Middleware<Shelf> { holding { ($0 as? Arrived)?.text == "old" } }

  private func makeStore(_ middleware: Middleware<Shelf>...) -> Store<Shelf> {
    Store(reducer: toldReducer, middleware: middleware, plugins: [.asyncWork(clock: clock)], state: Shelf())
  }

  @Test("a request that the leading policy drops when it wakes answers its caller")
  func leadingDebouncedHangs() async {
    let store = makeStore()
    let policy = WorkPolicy.leading.debounced(for: .seconds(1))
    store.dispatch(Q("a", service, policy))
    await clock.sleepers(atLeast: 1)
    clock.advance(by: .seconds(1))
    await service.calls.count(atLeast: 1)
    let second = store.request(Q("b", service, policy))
    await clock.sleepers(atLeast: 1)
    clock.advance(by: .seconds(1))
    _ = await second.result
  }

  private struct Again: TaskAction {
    let number: Int
    let log: EventLog<Int>
    var policy: WorkPolicy
    func execute(state: Shelf, dispatch: @escaping DispatchFunction) async throws {
      log.record(number)
      if number < 3 { dispatch(Again(number: number + 1, log: log, policy: policy)) }
    }
  }

  @Test("queued work that dispatches more work of its type does not block its lane")
  func queueDeadlock() async {
    let store = makeStore()
    let log = EventLog<Int>()
    let work = store.dispatchAsync(Again(number: 1, log: log, policy: .queue))
    await work.finished()
    #expect(log.values == [1, 2, 3])
  }

  @Test("latest work that dispatches more work of its type is replaced by that work")
  func latestSuccessor() async {
    let store = makeStore()
    let log = EventLog<Int>()
    await store.dispatchAsync(Again(number: 1, log: log, policy: .latest)).finished()
    #expect(log.values == [1, 2, 3])
  }

  @Test("a callback of a canceled dispatch changes nothing")
  func cancelledCallback() async {
    let store = makeStore()
    let later = EventLog<DispatchFunction>()
    let work = store.dispatchAsync(CallingBack(later: later))
    work.cancel()
    for dispatch in later.values { dispatch(Arrived(text: "late")) }
    #expect(store.state.texts == [])
  }

  @Test("a callback started by superseded work does not overwrite the newest result")
  func staleCallback() async {
    let store = makeStore()
    let later = EventLog<DispatchFunction>()
    let search = { (_: String) in Does(.latest) { $0(CallingBack(later: later)) } }
    await store.dispatchAsync(search("old")).finished()
    await store.dispatchAsync(search("new")).finished()
    // Still running when it is superseded:
    let held = store.dispatchAsync(
      Does(.latest) { [service] dispatch in
        dispatch(CallingBack(later: later))
        _ = try await service.call("x")
      })
    await later.count(atLeast: 3)
    await store.dispatchAsync(Does(.latest) { $0(Arrived(text: "new")) }).finished()
    later.values[2](Arrived(text: "old"))
    #expect(store.state.texts == ["new"])
    await held.finished()
  }

  @Test("after an abort, as after CancelWork, the next leading request begins")
  func leadingAfterAbort() async {
    let slow = Service(heedsCancellation: false)
    let store = makeStore()
    let first = store.request(Q("a", slow, .leading))
    await slow.calls.count(atLeast: 1)
    first.abort()
    service.answer("b")
    let second = store.request(Q("b", service, .leading))
    #expect((try? await second.value) == "b")
    slow.answer("a")
  }

  @Test("throttled work that wakes late does not begin after newer work, and does not cancel it")
  func throttleLateWake() {
    for overlap in [WorkRules.Overlap.latest, .every] {
      var machine = WorkStateMachine()
      let rules = WorkRules(overlap, pace: .throttled(.seconds(3), latest: true))
      let (id, thread) = (WorkID(shared: "search"), ThreadIdentity.current)
      func arrive(at now: Duration) -> WorkStateMachine.Arrival {
        machine.arrive(id, rules, hasFirstStep: false, in: machine.root, at: now, by: thread)
      }
      let first = arrive(at: .zero)
      if let work = first.work { _ = machine.returned(work, isIdle: false) }
      let second = arrive(at: .seconds(1))
      #expect(second.step == .waits(until: .seconds(3)))
      // Its deadline has passed, but its task has not run yet.
      let third = arrive(at: .seconds(3))
      #expect(third.step == .runs)
      let late = second.work.map { machine.woke($0, at: .seconds(3), by: thread) }
      #expect(late?.isEmpty == true)
      #expect(second.work.map { machine.proceed($0, by: thread) } == .stops)
      #expect(third.work.map { machine.isCancelled($0) } == false)
    }
  }

  @Test("work that can no longer start does not cancel running work")
  func doomedArrival() async {
    let store = makeStore()
    let later = EventLog<DispatchFunction>()
    let over = store.dispatchAsync(CallingBack(later: later))
    over.cancel()
    let alive = store.dispatchAsync(Fetch("alive", from: service, .latest))
    await service.calls.count(atLeast: 1)
    later.values[0](Fetch("doomed", from: service, .latest))
    #expect(service.cancelled.values == [])
    service.answer("alive")
    await alive.finished()
    #expect(store.state.texts == ["alive"])
  }

  @Test("a request that cannot start is never pending")
  func doomedRequest() async {
    let store = makeStore()
    let later = EventLog<DispatchFunction>()
    let over = store.dispatchAsync(CallingBack(later: later))
    over.cancel()
    later.values[0](Q("a", service))
    #expect(store.state.texts == [])
  }

  @Test("cancellation skips the actions that a composite has not dispatched yet")
  func compositeCancelledFromInside() async {
    let handle = Shared<DispatchTask?>(nil)
    let store = makeStore()
    let token = store.subscribe(to: \.texts, initial: false) { texts in
      if texts == ["a"] { handle.value?.cancel() }
    }
    handle.value = store.dispatchAsync(
      Does { [service] dispatch in
        _ = try await service.call("go")
        dispatch(CompositeAction(Arrived(text: "a"), Arrived(text: "b"), Arrived(text: "c")))
      })
    service.answer("go")
    await handle.value?.finished()
    #expect(store.state.texts == ["a"])
    token.cancel()
  }

  @Test("work that is started because a request is fulfilled is not part of the request's work")
  func followUp() async {
    let service = service
    let store = makeStore { dispatch, _ in
      { next in
        { action in
          next(action)
          if action is Q.Fulfilled { dispatch(Fetch("follow", from: service)) }
        }
      }
    }
    let first = store.request(Q("a", service, .leading))
    service.answer("a")
    _ = await first.result
    await service.calls.count(atLeast: 2)
    service.answer("b")
    let second = store.request(Q("b", service, .leading))
    #expect((try? await second.value) == "b")
    await service.calls.count(atLeast: 4)
    service.answer("follow")
    service.answer("follow")
    await store.effects.finished()
    #expect(store.state.texts.suffix(2) == ["follow", "follow"])
  }

  @Test("a debounced action belongs to its own dispatch, not to the dispatch that opened the window")
  func debouncedAttribution() async {
    let store = makeStore(debounceActions(of: Fetch.self, for: .seconds(1), clock: clock))
    let first = store.dispatchAsync(Fetch("a", from: service))
    await clock.sleepers(atLeast: 1)
    first.cancel()
    store.dispatch(Fetch("b", from: service))
    clock.advance(by: .seconds(1))
    await service.calls.count(atLeast: 1)
  }

  @Test("ids of different types are different, even if their numbers are equal")
  func numericIDs() async {
    let store = makeStore()
    store.dispatch(Fetch("movie", from: service, .latest.keyed(by: 1)))
    await service.calls.count(atLeast: 1)
    store.dispatch(Fetch("user", from: service, .latest.keyed(by: UInt64(1))))
    await service.calls.count(atLeast: 2)
    #expect(service.cancelled.values == [])
  }

  @Test("a plan with a policy does not cancel another plan")
  func plansShareALane() async {
    let store = makeStore()
    let service = service
    store.dispatch(ActionPlan<Shelf> { _ in _ = try await service.call("listener") })
    await service.calls.count(atLeast: 1)
    store.dispatch(ActionPlan<Shelf> { _ in _ = try await service.call("search") }.policy(.latest))
    await service.calls.count(atLeast: 2)
    #expect(service.cancelled.values == [])
  }

  @Test("an object that is attached to a store is created once")
  func attachments() {
    final class Kept: Sendable {}
    let store = makeStore()
    var made = 0
    for _ in 1...3 {
      _ = store.proxy.context.attachment(Kept.self) {
        made += 1
        return Kept()
      }
    }
    #expect(made == 1)
  }

  @Test("work that a plug-in starts in the effects of its context belongs to the store, not to the dispatch")
  func pluginTask() async {
    let (context, service) = (Shared<ActionContext?>(nil), service)
    let plugin = Plugin<Shelf>(
      middleware: { _, _ in
        { next in
          { action in
            if let context = context.exchange(nil) {
              context.effects.start { _ = try? await service.call("listener") }
            }
            next(action)
          }
        }
      }, onStoreStart: { context.value = $0 })
    let store = Store(reducer: toldReducer, plugins: [plugin], state: Shelf())
    let work = store.dispatchAsync(Arrived(text: "a"))
    #expect(!work.isRunning)
    service.answer("listener")
  }

}
