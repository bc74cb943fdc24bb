import FluxAsync
import FluxCore
import FluxTesting
import TestSupport
import Testing

@Suite("Actions whose work is a task", .unlessItHangs)
struct TaskActionTests {
  private let service = Service()
  private let over = EventLog<String>()

  @Test("each dispatch starts a task with the present state")
  func starts() async {
    struct Look: TaskAction {
      let seen: EventLog<[String]>

      func execute(state: Shelf, dispatch: @escaping DispatchFunction) async throws {
        seen.record(state.texts)
      }
    }
    let seen = EventLog<[String]>()
    let store = Store(reducer: shelfReducer, state: Shelf())
    await store.dispatchAsync(Look(seen: seen)).finished()
    store.dispatch(Arrived(text: "a"))
    await store.dispatchAsync(Look(seen: seen)).finished()
    #expect(seen.values == [[], ["a"]])
  }

  @Test("an error that a task throws is dispatched as a failure that names the action")
  func failure() async {
    let store = Store(reducer: shelfReducer, state: Shelf())
    service.fail("a")
    await store.dispatchAsync(Fetch("a", from: service)).finished()
    #expect(store.state.failures == ["trouble"])
    #expect(
      "\(WorkFailed(error: Service.Trouble(), action: Arrived(text: "")))" == "WorkFailed(Arrived: trouble)")
  }

  @Test("an error that a task throws goes only to the handler of the store, if it has one")
  func handler() async {
    let told = EventLog<String>()
    let store = Store(
      reducer: shelfReducer,
      plugins: [.asyncWork(onError: { error, action in told.record("\(type(of: action)): \(error)") })],
      state: Shelf())
    service.fail("a")
    await store.dispatchAsync(Fetch("a", from: service)).finished()
    #expect(told.values == ["Fetch: trouble"])
    #expect(store.state == Shelf())
  }

  @Test("an error that a canceled task throws is not reported")
  func cancelled() async {
    let store = Store(reducer: shelfReducer, state: Shelf())
    let work = store.dispatchAsync(Fetch("a", from: service))
    await service.calls.count(atLeast: 1)
    work.cancel()
    await work.finished()
    #expect(store.state == Shelf())
  }

  @Test("an action that a canceled task dispatches is dropped")
  func lateDispatch() async {
    let service = Service(heedsCancellation: false)
    let store = Store(reducer: shelfReducer, state: Shelf())
    let work = store.dispatchAsync(Fetch("a", from: service, over: over))
    await service.calls.count(atLeast: 1)
    work.cancel()
    service.answer("a")
    await work.finished()
    #expect(over.values == ["a"])
    #expect(store.state == Shelf())
  }

  @Test("a task for another state type is not started, and the error is reported")
  func otherState() async {
    let told = EventLog<String>()
    let store = Store(
      reducer: Journal().reducer, plugins: [.asyncWork(onError: { error, _ in told.record("\(error)") })],
      state: Count())
    await store.dispatchAsync(Fetch("a", from: service)).finished()
    #expect(
      told.values == [
        "Fetch requires a state of type Shelf, but was dispatched to a store with a state of another type."
      ])
    #expect(service.calls.values.isEmpty)
  }

  @Test("a task action may declare a protocol that the state conforms to")
  func protocolState() async {
    struct Look: TaskAction {
      let seen: EventLog<Bool>

      func execute(state: any FluxState, dispatch: @escaping DispatchFunction) async throws {
        seen.record(state is Shelf)
      }
    }
    let seen = EventLog<Bool>()
    let store = Store(reducer: shelfReducer, state: Shelf())
    await store.dispatchAsync(Look(seen: seen)).finished()
    #expect(seen.values == [true])
  }

  @Test("a task action on a released store starts nothing")
  func gone() async {
    let proxy: StoreProxy<Shelf>
    do {
      proxy = Store(reducer: shelfReducer, state: Shelf()).proxy
    }
    await proxy.dispatchAsync(Fetch("a", from: service)).finished()
    #expect(service.calls.values.isEmpty)
  }

  // MARK: Retries

  @Test("a retrying policy repeats a failed task after growing waits until it succeeds")
  func retry() async {
    let clock = ManualClock()
    let store = Store(
      reducer: shelfReducer, plugins: [.asyncWork(clock: clock, chance: { 0 })], state: Shelf())
    let policy = WorkPolicy.every.retrying(.times(3, backoff: .exponential(from: .seconds(1), factor: 3)))
    let work = store.dispatchAsync(Fetch("a", from: service, policy))
    for (number, wait) in [(1, 1), (2, 3)] {
      await service.calls.count(atLeast: number)
      service.fail("a")
      await clock.sleepers(atLeast: 1)
      clock.advance(by: .seconds(wait))
    }
    await service.calls.count(atLeast: 3)
    service.answer("a")
    await work.finished()
    #expect(clock.now.offset == .seconds(4))
    #expect(store.state == Shelf(texts: ["a"]))
  }

  @Test("when all attempts have failed, the last error is reported once")
  func retriesExhausted() async {
    let clock = ManualClock()
    let store = Store(reducer: shelfReducer, plugins: [.asyncWork(clock: clock)], state: Shelf())
    let policy = WorkPolicy.every.retrying(.times(1, backoff: .constant(.seconds(1))))
    let work = store.dispatchAsync(Fetch("a", from: service, policy))
    await service.calls.count(atLeast: 1)
    service.fail("a")
    await clock.sleepers(atLeast: 1)
    clock.advance(by: .seconds(1))
    await service.calls.count(atLeast: 2)
    service.fail("a")
    await work.finished()
    #expect(store.state == Shelf(failures: ["trouble"]))
  }

  @Test("an error that cannot be fixed by a retry is reported immediately")
  func notWorthIt() async {
    let store = Store(reducer: shelfReducer, state: Shelf())
    service.fail("a")
    let policy = WorkPolicy.every.retrying(.times(3) { !($0 is Service.Trouble) })
    await store.dispatchAsync(Fetch("a", from: service, policy)).finished()
    #expect(store.state == Shelf(failures: ["trouble"]))
  }

  @Test("a task that is canceled during a wait for the next attempt is not retried")
  func cancelledWhileWaiting() async {
    let clock = ManualClock()
    let store = Store(reducer: shelfReducer, plugins: [.asyncWork(clock: clock)], state: Shelf())
    service.fail("a")
    let work = store.dispatchAsync(Fetch("a", from: service, .every.retrying(.times(3))))
    await clock.sleepers(atLeast: 1)
    work.cancel()
    await work.finished()
    #expect(clock.sleepers == 0)
    #expect(service.calls.values == ["a"])
    #expect(store.state == Shelf())
  }

  // MARK: Time limits

  @Test("an attempt that takes too long is canceled, and fails")
  func timeout() async {
    let clock = ManualClock()
    let store = Store(reducer: shelfReducer, plugins: [.asyncWork(clock: clock)], state: Shelf())
    let work = store.dispatchAsync(Fetch("a", from: service, .every.timingOut(after: .seconds(5))))
    await service.calls.count(atLeast: 1)
    await clock.sleepers(atLeast: 1)
    clock.advance(by: .seconds(5))
    await work.finished()
    #expect(service.cancelled.values == ["a"])
    #expect(store.state == Shelf(failures: ["The work took longer than 5.0 seconds."]))
  }

  @Test(
    "an attempt that ignores cancellation still fails in time, and its later actions are dropped")
  func uncooperativeTimeout() async {
    let clock = ManualClock()
    let service = Service(heedsCancellation: false)
    let told = EventLog<String>()
    let store = Store(
      reducer: shelfReducer,
      plugins: [.asyncWork(clock: clock, onError: { error, _ in told.record("\(error)") })], state: Shelf())
    let work = store.dispatchAsync(Fetch("a", from: service, .every.timingOut(after: .seconds(5))))
    await service.calls.count(atLeast: 1)
    await clock.sleepers(atLeast: 1)
    clock.advance(by: .seconds(5))
    await work.finished()
    #expect(told.values.count == 1)
    // The attempt continues, because it belongs only to the store.
    #expect(store.effects.count == 1)
    service.answer("a")
    await store.effects.finished()
    #expect(store.state == Shelf())
  }

  @Test("work that ends in time leaves no sleeping task behind")
  func inTime() async {
    let clock = ManualClock()
    let store = Store(reducer: shelfReducer, plugins: [.asyncWork(clock: clock)], state: Shelf())
    service.answer("a")
    await store.dispatchAsync(Fetch("a", from: service, .every.timingOut(after: .seconds(5)))).finished()
    #expect(clock.sleepers == 0)
    #expect(store.state == Shelf(texts: ["a"]))
  }
}
