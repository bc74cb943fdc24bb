import FluxAsync
import FluxCore
import FluxMiddleware
import FluxTesting
import TestSupport
import Testing

@Suite("The order of work and actions", .unlessItHangs)
struct WorkOrderTests: AskingSuite {
  private let service = Service()
  let clock = ManualClock()
  private let doorkeeper = Doorkeeper()

  private var holdingOld: Middleware<Shelf> { doorkeeper.holding { ($0 as? Arrived)?.text == "old" } }

  @Test("the task of an action begins after the action has been reduced and delivered")
  func afterReducing() async {
    let store = makeStore()
    let (inside, door) = (doorkeeper.inside, doorkeeper.door)
    let token = store.subscribe(initial: false) { _ in
      inside.record(true)
      door.wait()
    }
    let sending = Worker { [service] in store.dispatch(Fetch("a", from: service)) }
    await inside.count(atLeast: 1)
    await othersRun()
    #expect(service.calls.values == [])
    token.cancel()
    door.open()
    sending.join()
    await service.calls.count(atLeast: 1)
    service.answer("a")
    await store.effects.finished()
  }

  @Test("work that is canceled by an observer of its own action never begins")
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

  @Test("the newest work begins after an action that the older work's own work is dispatching is reduced")
  func nestedInFlight() async {
    let store = makeStore(holdingOld)
    let begun = EventLog<String>()
    let old = store.dispatchAsync(
      Doing(policy: .latest) { [service] dispatch in
        dispatch(CompositeAction(ActionPlan<Shelf> { await slowly("old", $0.dispatch) }))
        _ = try await service.call("old")
      })
    await doorkeeper.inside.count(atLeast: 1)
    let new = store.dispatchAsync(
      Doing(policy: .latest) { dispatch in
        begun.record("new")
        dispatch(Arrived(text: "new"))
      })
    await othersRun()
    #expect(begun.values == [])
    doorkeeper.door.open()
    await old.finished()
    await new.finished()
    #expect(store.state.texts == ["old", "new"])
  }

  @Test(
    "a retry begins after an action that the timed-out attempt is dispatching is reduced",
    arguments: [false, true])
  func tryInFlight(isNested: Bool) async {
    let store = makeStore(holdingOld)
    let tries = EventLog<Bool>()
    let work = store.dispatchAsync(
      Doing(policy: .every.timingOut(after: .seconds(1)).retrying(.times(1, backoff: .constant(.zero)))) {
        [service] dispatch in
        tries.record(true)
        guard tries.values.count == 1 else { return dispatch(Arrived(text: "new")) }
        guard isNested else { return await slowly("old", dispatch) }
        dispatch(ActionPlan<Shelf> { await slowly("old", $0.dispatch) })
        _ = try await service.call("old")
      })
    await doorkeeper.inside.count(atLeast: 1)
    await clock.sleepers(atLeast: 1)
    clock.advance(by: .seconds(1))
    await othersRun()
    #expect(tries.values.count == 1)
    doorkeeper.door.open()
    await work.finished()
    #expect(store.state.texts == ["old", "new"])
  }

  @Test("work that a timed-out attempt started ends with the attempt")
  func tryWithWork() async {
    let store = makeStore()
    let work = store.dispatchAsync(
      Doing(policy: .every.timingOut(after: .seconds(1))) { [service] dispatch in
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

  @Test("while one thread delivers an older request's end, a newer request is not pending on another thread")
  func rejectedElsewhere() async {
    let store = makeStore(doorkeeper.holding { $0 is Asking.Rejected })
    let old = store.request(Asking(name: "old", service: service, policy: .latest))
    let telling = Worker { old.abort() }
    await doorkeeper.inside.count(atLeast: 1)
    let new = store.request(Asking(name: "new", service: service, policy: .latest))
    #expect(store.state.texts == ["pending old"])
    doorkeeper.door.open()
    telling.join()
    service.answer("new")
    _ = await new.result
    #expect(store.state.texts == ["pending old", "rejected old", "pending new", "fulfilled new"])
  }

  @Test("a request that is caused by the rejection of an earlier one is pending immediately")
  func rejectedHere() async {
    let service = service
    let onRejected: Middleware<Shelf> = { dispatch, _ in
      { next in
        { action in
          next(action)
          if action is Asking.Rejected { dispatch(Asking(name: "new", service: service, policy: .latest)) }
        }
      }
    }
    let store = makeStore(onRejected)
    store.request(Asking(name: "old", service: service, policy: .latest)).abort()
    #expect(store.state.texts == ["pending old", "rejected old", "pending new"])
  }

  @Test("when the first cancellation is delivered, all work that is canceled with it is already canceled")
  func markedBeforeTold() async {
    let seen = EventLog<[String]>()
    let service = service
    let looking: Middleware<Shelf> = { _, _ in
      { next in
        { action in
          if action is Asking.Rejected { seen.record(service.cancelled.values.sorted()) }
          next(action)
        }
      }
    }
    let store = makeStore(looking)
    let plan = ActionPlan<Shelf> { store in
      for name in ["a", "b", "c"] { store.dispatch(Asking(name: name, service: service)) }
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
    "canceling a waiting task calls no user code on the thread that cancels", arguments: [false, true])
  func cancellationHandler(waitsForAnswer: Bool) async {
    let (threads, canceller) = (EventLog<ThreadIdentity>(), Shared<ThreadIdentity?>(nil))
    let noting: Middleware<Shelf> = { _, _ in
      { next in
        { action in
          if action is Asking.Rejected { threads.record(.current) }
          next(action)
        }
      }
    }
    let store = makeStore(noting)
    let ask = Asking(name: "a", service: service)
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

  @Test("the work of an action that a middleware held belongs to the action's dispatch")
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

  @Test("all types of work can be canceled, and a cancellation can give a reason")
  func cancelAll() async {
    let store = makeStore()
    let first = store.request(Asking(name: "a", service: service, policy: .leading.keyed(by: 1)))
    let second = store.dispatchAsync(Fetch("b", from: service, .every.shared(by: "screen")))
    store.dispatch(CancelWork.all())
    await second.finished()
    #expect(store.state.texts == ["pending a", "rejected a"])
    let third = store.request(Asking(name: "c", service: service))
    store.dispatch(CancelWork(of: Asking.self, because: "the screen was closed"))
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

  @Test("an attempt of a request contains its number and the previous error")
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
