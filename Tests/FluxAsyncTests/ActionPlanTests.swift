import FluxAsync
import FluxCore
import FluxTesting
import TestSupport
import Testing

@Suite("Action plans", .unlessItHangs)
struct ActionPlanTests {
  private let service = Service()
  private let store = Store(reducer: shelfReducer, state: Shelf())

  @Test("a plan that does not wait is executed before dispatch returns")
  func atOnce() {
    let plan = ActionPlan<Shelf> { store in
      store.dispatch(Arrived(text: "a"))
      store.dispatch(Arrived(text: "b"))
    }
    store.dispatch(plan)
    #expect(store.state.texts == ["a", "b"])
  }

  @Test("a plan that waits is executed in a task, and reads the state as it changes")
  func waits() async {
    let plan = ActionPlan<Shelf> { [service] store in
      store.dispatch(Arrived(text: try await service.call("a")))
      store.dispatch(Arrived(text: "after \(store.state?.texts ?? [])"))
    }
    service.answer("a")
    await store.dispatchAsync(plan).finished()
    #expect(store.state.texts == ["a", "after [\"a\"]"])
  }

  @Test("an error that a plan throws is reported")
  func throwing() async {
    let plan = ActionPlan<Shelf> { [service] _ in _ = try await service.call("a") }
    service.fail("a")
    await store.dispatchAsync(plan).finished()
    #expect(store.state.failures == ["trouble"])
  }

  @Test("a plan with a callback is finished when it calls the callback")
  func callback() async {
    let later = EventLog<@Sendable () -> Void>()
    let plan = ActionPlan<Shelf> { store, completed in
      later.record {
        store.dispatch(Arrived(text: "a"))
        completed()
      }
      return nil
    }
    let work = store.dispatchAsync(plan)
    await later.count(atLeast: 1)
    #expect(work.isRunning)
    for call in later.values { call() }
    await work.finished()
    #expect(store.state.texts == ["a"])
  }

  @Test("a plan with a callback runs on the thread that dispatches, before dispatch returns")
  func callbackAtOnce() async {
    let threads = Recorder<ThreadIdentity>()
    let token = Recorder<Bool>()
    let plan = ActionPlan<Shelf> { store, completed in
      threads.record(.current)
      store.dispatch(Arrived(text: "a"))
      completed()
      return SubscriptionToken(cancelling: { token.record(true) })
    }
    let work = store.dispatchAsync(plan)
    #expect(store.state.texts == ["a"])
    #expect(threads.values == [.current])
    #expect(!work.isRunning)
    #expect(token.values == [true])
  }

  @Test(
    "a plan with a callback runs in its task if its policy retries it or limits its time",
    arguments: [WorkPolicy.every.retrying(.times(1)), .every.timingOut(after: .seconds(1000))])
  func callbackInTask(policy: WorkPolicy) async {
    let (thread, hasRun) = (Shared<ThreadIdentity?>(nil), Gate())
    let plan = ActionPlan<Shelf> { _, completed in
      thread.value = .current
      hasRun.open()
      completed()
      return nil
    }
    let (work, dispatching) = await resultOfThread { [store] in
      let work = store.dispatchAsync(plan.policy(policy))
      // While this thread runs, no other thread has its identifier.
      hasRun.wait()
      return (work, ThreadIdentity.current)
    }
    #expect(thread.value != dispatching)
    await work.finished()
  }

  @Test("a finished plan with a callback remains active until the work that it started is done")
  func callbackStarts() async {
    let service = Service()
    let fetch = Fetch("a", from: service)
    let work = store.dispatchAsync(
      ActionPlan<Shelf> { store, completed in
        store.dispatch(fetch)
        completed()
        return nil
      })
    #expect(work.isRunning)
    service.answer("a")
    await work.finished()
    #expect(store.state.texts == ["a"])
  }

  @Test(
    "a plan with a callback that exceeds its time is run again, and the first run can no longer dispatch")
  func callbackRetried() async {
    let clock = ManualClock()
    let store = Store(reducer: shelfReducer, plugins: [.asyncWork(clock: clock)], state: Shelf())
    let runs = EventLog<@Sendable () -> Void>()
    let plan = ActionPlan<Shelf> { store, completed in
      let number = runs.values.count
      runs.record {
        store.dispatch(Arrived(text: "\(number)"))
        completed()
      }
      return nil
    }
    let retry = Retry.times(1, backoff: .constant(.zero))
    let work = store.dispatchAsync(plan.policy(.every.timingOut(after: .seconds(1)).retrying(retry)))
    await runs.count(atLeast: 1)
    await clock.sleepers(atLeast: 1)
    clock.advance(by: .seconds(1))
    await runs.count(atLeast: 2)
    for run in runs.values { run() }
    await work.finished()
    #expect(store.state == Shelf(texts: ["1"]))
  }

  @Test(
    "a plan sends a sequence before dispatch returns, and requests each action after the previous is reduced"
  )
  func sequence() {
    let counts = Recorder<Int?>()
    let plan = ActionPlan<Shelf>(sending: { store -> LazyMapSequence<[String], Arrived> in
      ["a", "b", "c"].lazy.map { text in
        counts.record(store.state?.texts.count)
        return Arrived(text: text)
      }
    })
    store.dispatch(plan)
    #expect(store.state.texts == ["a", "b", "c"])
    #expect(counts.values == [0, 1, 2])
  }

  @Test("a sequence may hold actions of different types")
  func mixedSequence() {
    store.dispatch(
      ActionPlan<Shelf>(sending: { _ -> [any Action] in
        [Arrived(text: "a"), WorkFailed(error: Service.Trouble(), action: Arrived(text: "b"))]
      }))
    #expect(store.state == Shelf(texts: ["a"], failures: ["trouble"]))
  }

  @Test("a canceled plan sends no more actions of an endless sequence")
  func cancelledSequence() {
    let token = store.subscribe(initial: false) { shelf in
      if shelf.texts.count == 3 { EffectScope.current?.end() }
    }
    store.dispatchAsync(
      ActionPlan<Shelf>(sending: { _ in Swift.sequence(first: Arrived(text: "a")) { $0 } }))
    #expect(store.state.texts == ["a", "a", "a"])
    token.cancel()
  }

  @Test("canceling a plan with a callback cancels its token, too")
  func cancelledCallback() async {
    let heard = Recorder<[String]>()
    // Kept here too, so that it is not canceled by its release.
    let tokens = EventLog<SubscriptionToken>()
    let plan = ActionPlan<Shelf> { store, completed in
      let token = store.subscribe(to: \.texts, initial: false) { heard.record($0) }
      tokens.record(token)
      return token
    }
    let work = store.dispatchAsync(plan)
    await tokens.count(atLeast: 1)
    store.dispatch(Arrived(text: "a"))
    work.cancel()
    await work.finished()
    store.dispatch(Arrived(text: "b"))
    #expect(heard.values == [["a"]])
  }

  @Test("a plan sends the actions of a stream in order, and ends with the stream")
  func streaming() async {
    let (stream, continuation) = AsyncStream.makeStream(of: Arrived.self)
    let work = store.dispatchAsync(ActionPlan<Shelf>(streaming: { _ in stream }))
    for text in ["a", "b", "c"] { continuation.yield(Arrived(text: text)) }
    continuation.finish()
    await work.finished()
    #expect(store.state.texts == ["a", "b", "c"])
  }

  @Test("a stream may contain actions of different types, and may fail")
  func mixedStream() async {
    let (stream, continuation) = AsyncThrowingStream.makeStream(of: (any Action).self)
    let work = store.dispatchAsync(ActionPlan<Shelf>(streaming: { _ in stream }))
    continuation.yield(Arrived(text: "a"))
    continuation.yield(WorkFailed(error: Service.Trouble(), action: Arrived(text: "b")))
    continuation.finish(throwing: Service.Trouble())
    await work.finished()
    #expect(store.state == Shelf(texts: ["a"], failures: ["trouble", "trouble"]))
  }

  @Test("canceling a plan ends its stream, and the remaining actions are not sent")
  func cancelledStream() async {
    let (stream, continuation) = AsyncStream.makeStream(of: Arrived.self)
    let work = store.dispatchAsync(ActionPlan<Shelf>(streaming: { _ in stream }))
    work.cancel()
    continuation.yield(Arrived(text: "a"))
    await work.finished()
    #expect(store.state.texts == [])
    continuation.finish()
  }

  @Test("plans have policies")
  func policies() async {
    let plan = { [service] (name: String) in
      ActionPlan<Shelf> { store in store.dispatch(Arrived(text: try await service.call(name))) }
        .policy(.latest.keyed(by: "query"))
    }
    store.dispatch(plan("a"))
    await service.calls.count(atLeast: 1)
    let second = store.dispatchAsync(plan("b"))
    service.answer("b")
    await second.finished()
    #expect(service.cancelled.values == ["a"])
    #expect(store.state.texts == ["b"])
  }

  @Test("a plan for another state type is not executed, and the error is reported", arguments: [true, false])
  func otherState(waits: Bool) async {
    let told = EventLog<String>()
    let store = Store(
      reducer: Journal().reducer, plugins: [.asyncWork(onError: { error, _ in told.record("\(error)") })],
      state: Count())
    let atOnce = ActionPlan<Shelf> { store in store.dispatch(Arrived(text: "a")) }
    let waiting = ActionPlan<Shelf> { store in
      await Task.yield()
      store.dispatch(Arrived(text: "a"))
    }
    await store.dispatchAsync(waits ? waiting : atOnce).finished()
    #expect(told.values.count == 1)
  }

  @Test("a plan may be for a protocol that the state conforms to")
  func protocolState() {
    let seen = Recorder<Bool>()
    store.dispatch(ActionPlan<any FluxState> { store in seen.record(store.state is Shelf) })
    #expect(seen.values == [true])
  }

  @Test("a plan that waits forever does not keep the store alive, and ends with it")
  func lifetime() async {
    weak var gone: Store<Shelf>?
    let ended = EventLog<Bool>()
    let begun = EventLog<Bool>()
    do {
      let store = Store(reducer: shelfReducer, state: Shelf())
      gone = store
      store.dispatch(
        ActionPlan<Shelf> { store in
          begun.record(true)
          let (stream, continuation) = AsyncStream.makeStream(of: Bool.self)
          for await _ in stream {}
          withExtendedLifetime((store, continuation)) {}
          ended.record(true)
        })
      await begun.count(atLeast: 1)
    }
    #expect(gone == nil)
    await ended.count(atLeast: 1)
  }

  @Test("a plan describes where it was made")
  func description() {
    let plan = ActionPlan<Shelf>(file: "App/Plans.swift", line: 7) { _ in }
    #expect("\(plan)" == "ActionPlan(App/Plans.swift:7)")
  }
}
