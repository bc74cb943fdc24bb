import FluxAsync
import FluxCore
import FluxMiddleware
import FluxTesting
import TestSupport
import Testing

@Suite("Attempts of work", .unlessItHangs)
struct TryTests: AskingSuite {
  private let service = Service()
  private let stubborn = Service(heedsCancellation: false)
  let clock = ManualClock()
  private let doorkeeper = Doorkeeper()

  /// Answers with the time of the request.
  private struct Clocked: AsyncRequest {
    func perform(in context: RequestContext<Shelf>) async -> Duration { context.time }
  }

  @Test("an attempt can read the time of the store's clock")
  func time() async {
    let store = makeStore()
    clock.advance(by: .seconds(7))
    #expect(await store.request(Clocked()).result == .success(.seconds(7)))
  }

  @Test(
    "a plan that is retried, or has a time limit, can wait for its dispatches",
    arguments: [
      WorkPolicy.every, .every.retrying(.times(1)), .every.timingOut(after: .seconds(9)),
    ])
  func dispatchInTry(policy: WorkPolicy) async {
    let store = makeStore()
    let running = EventLog<Bool>()
    let work = store.dispatchAsync(
      ActionPlan<Shelf> { [service] store in
        let inner = store.dispatchAsync(Fetch("inner", from: service))
        running.record(inner.isRunning)
        await inner.finished()
        store.dispatch(Arrived(text: "after"))
      }.policy(policy))
    await running.count(atLeast: 1)
    #expect(running.values == [true])
    await othersRun()
    service.answer("inner")
    await work.finished()
    #expect(store.state.texts == ["inner", "after"])
  }

  @Test(
    "a timed-out request is finished for its policy, even if its attempt continues",
    arguments: [WorkPolicy.leading, .queue])
  func timedOutLane(policy: WorkPolicy) async {
    let store = makeStore()
    let policy = policy.timingOut(after: .seconds(1))
    let first = store.request(Asking(name: "first", service: stubborn, policy: policy))
    await stubborn.calls.count(atLeast: 1)
    await clock.sleepers(atLeast: 1)
    clock.advance(by: .seconds(1))
    _ = await first.result
    let begun = EventLog<String>()
    let token = store.subscribe(initial: false) { if $0.texts.count == 3 { begun.record($0.texts[2]) } }
    store.dispatch(Asking(name: "second", service: stubborn, policy: policy))
    await begun.count(atLeast: 1)
    token.cancel()
    #expect(store.state.texts == ["pending first", "rejected first", "pending second"])
    stubborn.answer("first")
    stubborn.answer("second")
  }

  @Test("a dispatch function that a task passes on can dispatch until the task is canceled")
  func dispatchAfterBody() async {
    let store = makeStore()
    let later = EventLog<DispatchFunction>()
    await store.dispatchAsync(Doing { later.record($0) }).finished()
    for dispatch in later.values { dispatch(Arrived(text: "late")) }
    #expect(store.state.texts == ["late"])
  }

  private struct Foreign: TaskAction {
    var policy: WorkPolicy { .every.retrying(.times(3)) }
    func execute(state: Int, dispatch: @escaping DispatchFunction) async throws {}
  }

  @Test("the code of a key does not run under the lock that all work of the store needs")
  func keyUnderLock() async {
    let store = makeStore()
    let key = Key(inside: doorkeeper.inside, door: doorkeeper.door, isSlow: Shared(false))
    let service = service
    store.dispatch(Fetch("a", from: service, .every.keyed(by: key)))
    key.isSlow.value = true
    let slow = Worker { store.dispatch(Fetch("b", from: service, .every.keyed(by: key))) }
    await doorkeeper.inside.count(atLeast: 1)
    let other = EventLog<Bool>()
    let quick = Worker {
      store.dispatch(Fetch("c", from: service))
      other.record(true)
    }
    await other.count(atLeast: 1)
    #expect(other.values == [true])
    doorkeeper.door.open()
    slow.join()
    quick.join()
  }

  /// A key whose comparison and hash are user code, which may be slow or may read the store.
  private struct Key: Hashable {
    let inside: EventLog<Bool>
    let door: Gate
    let isSlow: Shared<Bool>

    static func == (first: Key, second: Key) -> Bool { true }
    func hash(into hasher: inout Hasher) {
      guard isSlow.exchange(false) else { return }
      inside.record(true)
      door.wait()
    }
  }
}
