import FluxAsync
import FluxCore
import FluxMiddleware
import FluxTesting
import TestSupport
import Testing

/// Does what a closure says, as work.
private struct Does: TaskAction {
  var policy = WorkPolicy.every
  let body: @Sendable (@escaping DispatchFunction) async throws -> Void

  func execute(state: Shelf, dispatch: @escaping DispatchFunction) async throws { try await body(dispatch) }
}

private struct Ask: AsyncRequest {
  let name: String
  let service: Service
  var policy = WorkPolicy.every

  func perform(in context: RequestContext<Shelf>) async throws -> String { try await service.call(name) }
}

private let reducer: ActionHandlers<Shelf> = combine(
  shelfReducer,
  on(Ask.Pending.self) { shelf, action in shelf.texts.append("pending \(action.request.name)") },
  on(Ask.Fulfilled.self) { shelf, action in shelf.texts.append("fulfilled \(action.request.name)") },
  on(Ask.Rejected.self) { shelf, action in shelf.texts.append("rejected \(action.request.name)") })

/// Dispatches on a thread of its own, heedless of cancellation.
private func slowly(_ text: String, _ dispatch: @escaping DispatchFunction) async {
  await withCheckedContinuation { continuation in
    _ = Worker {
      dispatch(Arrived(text: text))
      continuation.resume()
    }
  }
}

@Suite("The order of work and actions")
struct WorkOrderTests {
  private let service = Service()
  private let clock = ManualClock()
  private let inside = EventLog<Bool>()
  private let door = Gate()

  /// Holds the thread that dispatches some actions until the door is opened.
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
    Store(reducer: reducer, middleware: middleware, plugins: [.asyncWork(clock: clock)], state: Shelf())
  }

  @Test("no task of an action has begun when the action is reduced")
  func afterReducing() async {
    let (effects, running) = (Shared<EffectScope?>(nil), Shared<Int?>(nil))
    let plugin = Plugin<Shelf>(onStoreStart: { effects.value = $0.effects })
    let counting: MutatingReducer<Shelf> = { _, action in
      if action is Fetch { running.value = effects.value?.count }
    }
    let store = Store(reducer: counting, plugins: [plugin], state: Shelf())
    let work = store.dispatchAsync(Fetch("a", from: service))
    #expect(running.value == 0)
    #expect(work.isRunning)
    service.answer("a")
    await work.finished()
  }

  @Test("work that an observer of its own action cancels never begins")
  func cancelledBeforeItBegins() async {
    let store = makeStore()
    let over = EventLog<String>()
    let isFirst = Shared(true)
    let token = store.subscribe(initial: false) { _ in
      if isFirst.exchange(false) { store.dispatch(CancelWork(of: Fetch.self)) }
    }
    await store.dispatchAsync(Fetch("a", from: service, over: over)).finished()
    #expect(over.values == [])
    token.cancel()
  }

  @Test("the newest begins once what work of the older one's work is just dispatching is reduced")
  func nestedInFlight() async {
    let store = makeStore(holdingOld)
    let begun = EventLog<String>()
    let old = store.dispatchAsync(
      Does(policy: .latest) { [service] dispatch in
        dispatch(CompositeAction(ActionPlan<Shelf> { await slowly("old", $0.dispatch) }))
        _ = try await service.call("old")
      })
    await inside.count(atLeast: 1)
    let new = store.dispatchAsync(
      Does(policy: .latest) { dispatch in
        begun.record("new")
        dispatch(Arrived(text: "new"))
      })
    for _ in 1...100 { await Task.yield() }
    #expect(begun.values == [])
    door.open()
    await old.finished()
    await new.finished()
    #expect(store.state.texts == ["old", "new"])
  }

  @Test(
    "another try begins once what one that timed out is just dispatching is reduced",
    arguments: [false, true])
  func tryInFlight(isNested: Bool) async {
    let store = makeStore(holdingOld)
    let tries = EventLog<Bool>()
    let work = store.dispatchAsync(
      Does(policy: .every.timingOut(after: .seconds(1)).retrying(.times(1, backoff: .constant(.zero)))) {
        [service] dispatch in
        tries.record(true)
        guard tries.values.count == 1 else { return dispatch(Arrived(text: "new")) }
        guard isNested else { return await slowly("old", dispatch) }
        dispatch(ActionPlan<Shelf> { await slowly("old", $0.dispatch) })
        _ = try await service.call("old")
      })
    await inside.count(atLeast: 1)
    await clock.sleepers(atLeast: 1)
    clock.advance(by: .seconds(1))
    for _ in 1...100 { await Task.yield() }
    #expect(tries.values.count == 1)
    door.open()
    await clock.run { await work.finished() }
    #expect(store.state.texts == ["old", "new"])
  }

  @Test("what a try that timed out has started ends with it")
  func tryWithWork() async {
    let store = makeStore()
    let work = store.dispatchAsync(
      Does(policy: .every.timingOut(after: .seconds(1))) { [service] dispatch in
        dispatch(Fetch("nested", from: service))
        _ = try await service.call("outer")
      })
    await service.calls.count(atLeast: 2)
    await clock.sleepers(atLeast: 1)
    clock.advance(by: .seconds(1))
    await work.finished()
    #expect(service.cancelled.values.sorted() == ["nested", "outer"])
    #expect(store.state.texts == [])
  }

  @Test("while a thread tells of an older request's end, a newer one is not pending on another")
  func rejectedElsewhere() async {
    let store = makeStore(holding { $0 is Ask.Rejected })
    let old = store.request(Ask(name: "old", service: service, policy: .latest))
    let telling = Worker { old.abort() }
    await inside.count(atLeast: 1)
    let new = store.request(Ask(name: "new", service: service, policy: .latest))
    #expect(store.state.texts == ["pending old"])
    door.open()
    telling.join()
    service.answer("new")
    _ = await new.result
    #expect(store.state.texts == ["pending old", "rejected old", "pending new", "fulfilled new"])
  }

  @Test("a request that its predecessor's rejection causes is pending at once")
  func rejectedHere() async {
    let service = service
    let onRejected: Middleware<Shelf> = { dispatch, _ in
      { next in
        { action in
          next(action)
          if action is Ask.Rejected { dispatch(Ask(name: "new", service: service, policy: .latest)) }
        }
      }
    }
    let store = makeStore(onRejected)
    store.request(Ask(name: "old", service: service, policy: .latest)).abort()
    #expect(store.state.texts == ["pending old", "rejected old", "pending new"])
  }

  @Test("when the first is told that it is cancelled, everything cancelled with it is")
  func markedBeforeTold() async {
    let seen = EventLog<[String]>()
    let service = service
    let looking: Middleware<Shelf> = { _, _ in
      { next in
        { action in
          if action is Ask.Rejected { seen.record(service.cancelled.values.sorted()) }
          next(action)
        }
      }
    }
    let store = makeStore(looking)
    let plan = ActionPlan<Shelf> { store in
      for name in ["a", "b", "c"] { store.dispatch(Ask(name: name, service: service)) }
      _ = try await service.call("plan")
    }
    let work = store.dispatchAsync(plan)
    await service.calls.count(atLeast: 4)
    work.cancel()
    await work.finished()
    #expect(seen.values == Array(repeating: ["a", "b", "c", "plan"], count: 3))
    #expect(
      store.state.texts == ["a", "b", "c"].map { "pending \($0)" } + ["a", "b", "c"].map { "rejected \($0)" })
  }

  @Test(
    "cancelling a task that waits calls nobody's code on the thread that cancels", arguments: [false, true])
  func cancellationHandler(waitsForAnswer: Bool) async {
    let (threads, canceller) = (EventLog<ThreadIdentity>(), Shared<ThreadIdentity?>(nil))
    let noting: Middleware<Shelf> = { _, _ in
      { next in
        { action in
          if action is Ask.Rejected { threads.record(.current) }
          next(action)
        }
      }
    }
    let store = makeStore(noting)
    let ask = Ask(name: "a", service: service)
    let waiter = Task {
      if waitsForAnswer {
        _ = await store.request(ask).result
      } else {
        await store.dispatchAsync(ask).finished()
      }
    }
    await service.calls.count(atLeast: 1)
    Worker {
      canceller.value = .current
      waiter.cancel()
    }.join()
    await waiter.value
    #expect(threads.values.count == 1)
    #expect(threads.values.first != canceller.value)
  }

  @Test("of a chain of work, each started by the one before, only the last keeps a task")
  func chain() async {
    let store = makeStore()
    @Sendable func link(_ number: Int) -> Does {
      Does(policy: .every.keyed(by: number)) { [service] dispatch in
        if number < 300 { dispatch(link(number + 1)) } else { _ = try await service.call("last") }
      }
    }
    let work = store.dispatchAsync(link(1))
    await service.calls.count(atLeast: 1)
    while store.effects.count > 1 { await Task.yield() }
    #expect(work.isRunning)
    service.answer("last")
    await work.finished()
    #expect(!work.isRunning)
  }

  @Test("the work of an action that a middleware has held belongs to the action's dispatch")
  func held() async {
    let store = makeStore(debounceActions(of: Fetch.self, for: .seconds(1), clock: clock))
    let work = store.dispatchAsync(Fetch("a", from: service))
    await clock.sleepers(atLeast: 1)
    clock.advance(by: .seconds(1))
    await service.calls.count(atLeast: 1)
    #expect(work.isRunning)
    work.cancel()
    await work.finished()
    #expect(service.cancelled.values == ["a"])
  }

  @Test("all work can be cancelled, whatever its kind, and a cancellation can say why")
  func cancelAll() async {
    let store = makeStore()
    let first = store.request(Ask(name: "a", service: service, policy: .leading.keyed(by: 1)))
    let second = store.dispatchAsync(Fetch("b", from: service, .every.shared(by: "screen")))
    store.dispatch(CancelWork.all)
    await second.finished()
    #expect(store.state.texts == ["pending a", "rejected a"])
    let third = store.request(Ask(name: "c", service: service))
    store.dispatch(CancelWork(of: Ask.self, because: "the screen was closed"))
    guard case .failure(.aborted(let reason)) = await third.result else {
      Issue.record("not aborted")
      return
    }
    #expect(reason == "the screen was closed")
    _ = await first.result
  }

  private struct Flaky: AsyncRequest {
    let log: EventLog<String>
    var policy: WorkPolicy { .every.retrying(.times(2, backoff: .constant(.seconds(1)))) }

    func perform(in context: RequestContext<Shelf>) async throws -> Int {
      log.record("\(context.attempt) \(context.lastError.map { "\($0)" } ?? "none")")
      if context.attempt < 3 { throw Service.Trouble() }
      return context.attempt
    }
  }

  @Test("a try of a request knows which it is, and what was thrown before")
  func attempts() async {
    let store = makeStore()
    let log = EventLog<String>()
    let request = store.request(Flaky(log: log))
    let result = await clock.run { await request.result }
    guard case .success(3) = result else {
      Issue.record("\(result)")
      return
    }
    #expect(log.values == ["1 none", "2 trouble", "3 trouble"])
  }
}
