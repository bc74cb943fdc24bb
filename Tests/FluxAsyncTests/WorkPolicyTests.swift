import FluxAsync
import FluxCore
import FluxTesting
import TestSupport
import Testing

@Suite("Policies of work", .unlessItHangs)
struct WorkPolicyTests {
  private let service = Service()
  private let over = EventLog<String>()
  private let clock = ManualClock()

  private func makeStore(_ rules: WorkPolicyRule...) -> Store<Shelf> {
    Store(reducer: shelfReducer, plugins: [.asyncWork(clock: clock, policies: rules)], state: Shelf())
  }

  private func fetch(_ name: String, _ policy: WorkPolicy) -> Fetch {
    Fetch(name, from: service, policy, over: over)
  }

  @Test("every: all work runs concurrently, and answers arrive as they come")
  func every() async {
    let store = makeStore()
    for name in ["a", "b", "c"] { store.dispatch(fetch(name, .every)) }
    await service.calls.count(atLeast: 3)
    for (number, name) in ["b", "c", "a"].enumerated() {
      service.answer(name)
      await over.count(atLeast: number + 1)
    }
    #expect(store.state.texts == ["b", "c", "a"])
  }

  @Test("latest: the newest work cancels the running work")
  func latest() async {
    let store = makeStore()
    store.dispatch(fetch("a", .latest))
    await service.calls.count(atLeast: 1)
    let work = store.dispatchAsync(fetch("b", .latest))
    service.answer("b")
    await work.finished()
    #expect(service.cancelled.values == ["a"])
    #expect(store.state == Shelf(texts: ["b"]))
  }

  @Test("leading: work that arrives while the first runs is dropped, and later work runs")
  func leading() async {
    let store = makeStore()
    let first = store.dispatchAsync(fetch("a", .leading))
    let second = store.dispatchAsync(fetch("b", .leading))
    #expect(!second.isRunning)
    service.answer("a")
    await first.finished()
    service.answer("c")
    await store.dispatchAsync(fetch("c", .leading)).finished()
    #expect(store.state.texts == ["a", "c"])
    #expect(service.calls.values == ["a", "c"])
  }

  @Test("queue: work runs one piece at a time, in the order of arrival")
  func queue() async {
    let store = makeStore()
    let works = ["a", "b", "c"].map { store.dispatchAsync(fetch($0, .queue)) }
    for (number, name) in ["a", "b", "c"].enumerated() {
      await service.calls.count(atLeast: number + 1)
      #expect(service.calls.values.last == name)
      #expect(service.calls.values.count == number + 1)
      service.answer(name)
    }
    for work in works { await work.finished() }
    #expect(store.state.texts == ["a", "b", "c"])
  }

  @Test("queue: work that is canceled while it waits is skipped, and the others continue")
  func cancelledInQueue() async {
    let store = makeStore()
    let works = ["a", "b", "c"].map { store.dispatchAsync(fetch($0, .queue)) }
    works[1].cancel()
    await works[1].finished()
    for name in ["a", "c"] { service.answer(name) }
    await works[2].finished()
    #expect(store.state.texts == ["a", "c"])
    #expect(service.calls.values == ["a", "c"])
  }

  @Test("queue: work that the current work started has to end before the next work begins")
  func queueOfNested() async {
    struct Outer: TaskAction {
      let inner: Fetch
      var policy: WorkPolicy { .queue }

      func execute(state: Shelf, dispatch: @escaping DispatchFunction) async throws {
        dispatch(inner)
      }
    }
    let store = makeStore()
    store.dispatch(Outer(inner: fetch("a", .every)))
    let second = store.dispatchAsync(Outer(inner: fetch("b", .every)))
    await service.calls.count(atLeast: 1)
    #expect(service.calls.values == ["a"])
    service.answer("a")
    service.answer("b")
    await second.finished()
    #expect(store.state.texts == ["a", "b"])
  }

  @Test("debounced: only the last work begins, after a quiet interval")
  func debounced() async {
    let store = makeStore()
    let policy = WorkPolicy.latest.debounced(for: .seconds(3))
    for name in ["a", "b"] {
      store.dispatch(fetch(name, policy))
      clock.advance(by: .seconds(2))
    }
    let last = store.dispatchAsync(fetch("c", policy))
    await clock.sleepers(atLeast: 1)
    clock.advance(by: .seconds(3))
    service.answer("c")
    await last.finished()
    #expect(service.calls.values == ["c"])
    #expect(store.state == Shelf(texts: ["c"]))
  }

  @Test("debounced and latest: running work continues until the next work begins")
  func debouncedLatest() async {
    let store = makeStore()
    let policy = WorkPolicy.latest.debounced(for: .seconds(3))
    store.dispatch(fetch("a", policy))
    await clock.sleepers(atLeast: 1)
    clock.advance(by: .seconds(3))
    await service.calls.count(atLeast: 1)
    let second = store.dispatchAsync(fetch("b", policy))
    await clock.sleepers(atLeast: 1)
    #expect(service.cancelled.values.isEmpty)
    clock.advance(by: .seconds(3))
    await service.cancelled.count(atLeast: 1)
    service.answer("b")
    await second.finished()
    #expect(store.state == Shelf(texts: ["b"]))
  }

  @Test("throttled: the first work begins immediately, and then the newest of each interval")
  func throttled() async {
    let store = makeStore()
    let policy = WorkPolicy.every.throttled(every: .seconds(3))
    for name in ["a", "b", "c"] {
      service.answer(name)
      store.dispatch(fetch(name, policy))
    }
    await over.count(atLeast: 1)
    await clock.sleepers(atLeast: 1)
    clock.advance(by: .seconds(3))
    await over.count(atLeast: 2)
    #expect(store.state.texts == ["a", "c"])
    service.answer("d")
    let last = store.dispatchAsync(fetch("d", policy))
    await clock.sleepers(atLeast: 1)
    clock.advance(by: .seconds(3))
    await last.finished()
    #expect(store.state.texts == ["a", "c", "d"])
  }

  @Test("throttled without the latest: work that arrives too early is dropped")
  func throttledWithoutLatest() async {
    let store = makeStore()
    let policy = WorkPolicy.every.throttled(every: .seconds(3), latest: false)
    for name in ["a", "b", "c"] {
      service.answer(name)
      await store.dispatchAsync(fetch(name, policy)).finished()
      clock.advance(by: .seconds(2))
    }
    #expect(store.state.texts == ["a", "c"])
    #expect(clock.sleepers == 0)
  }

  // MARK: Ids

  @Test("keyed: work with other ids is not affected")
  func keyed() async {
    let store = makeStore()
    for row in 1...3 { store.dispatch(fetch("\(row)", .latest.keyed(by: row))) }
    await service.calls.count(atLeast: 3)
    store.dispatch(fetch("2b", .latest.keyed(by: 2)))
    await service.cancelled.count(atLeast: 1)
    #expect(service.cancelled.values == ["2"])
    for row in 1...3 { store.dispatch(CancelWork(of: Fetch.self, id: row)) }
  }

  @Test("a shared id applies to the whole store, whatever the type of the action")
  func idsAcrossTypes() async {
    struct Other: TaskAction {
      let service: Service
      var policy: WorkPolicy { .latest.shared(by: "search") }

      func execute(state: Shelf, dispatch: @escaping DispatchFunction) async throws {
        _ = try await service.call("other")
      }
    }
    let store = makeStore()
    store.dispatch(fetch("a", .latest.shared(by: "search")))
    store.dispatch(fetch("b", .latest.keyed(by: 7)))
    await service.calls.count(atLeast: 2)
    store.dispatch(Other(service: service))
    await service.cancelled.count(atLeast: 1)
    #expect(service.cancelled.values == ["a"])
    store.dispatch(CancelWork(of: Fetch.self, id: 7))
    store.dispatch(CancelWork(id: "search"))
  }

  @Test("canceling by an id or by a type ends running, waiting, and queued work")
  func cancelByID() async {
    let store = makeStore()
    let works = ["a", "b"].map { store.dispatchAsync(fetch($0, .queue.shared(by: "row"))) }
    let waiting = store.dispatchAsync(fetch("c", .every.shared(by: "row").debounced(for: .seconds(3))))
    let other = store.dispatchAsync(fetch("d", .every))
    await service.calls.count(atLeast: 2)
    store.dispatch(CancelWork(id: "row"))
    for work in works + [waiting] { await work.finished() }
    #expect(service.cancelled.values == ["a"])
    #expect(other.isRunning)
    store.dispatch(CancelWork(of: Fetch.self))
    await other.finished()
    #expect(store.state == Shelf())
    #expect(
      "\(CancelWork(id: "row")) \(CancelWork(of: Fetch.self))" == "CancelWork(id: row) CancelWork(of: Fetch)")
  }

  @Test("after a cancellation the next work begins immediately, even if the canceled work reacts late")
  func leadingAfterCancel() async {
    let slow = Service(heedsCancellation: false)
    let store = makeStore()
    let first = store.dispatchAsync(Fetch("a", from: slow, .leading))
    await slow.calls.count(atLeast: 1)
    store.dispatch(CancelWork(of: Fetch.self))
    service.answer("b")
    await store.dispatchAsync(fetch("b", .leading)).finished()
    #expect(store.state.texts == ["b"])
    slow.answer("a")
    await first.finished()
  }

  // MARK: Where the policy is specified

  @Test("a policy that a plug-in provides replaces the policy of the action, and may depend on the action")
  func pluggedIn() async {
    let store = makeStore(.of(Fetch.self) { action in .latest.keyed(by: action.name) })
    store.dispatch(fetch("a", .every))
    store.dispatch(fetch("b", .leading))
    await service.calls.count(atLeast: 2)
    store.dispatch(fetch("a", .queue))
    await service.cancelled.count(atLeast: 1)
    #expect(service.cancelled.values == ["a"])
    for name in ["a", "b"] { store.dispatch(CancelWork(of: Fetch.self, id: name)) }
  }

  @Test("a policy affects only the work: the action is always reduced")
  func reduced() {
    let seen = Recorder<String>()
    let store = Store<Shelf>(
      reducer: { (_: inout Shelf, action) in if let fetch = action as? Fetch { seen.record(fetch.name) } },
      state: Shelf())
    store.dispatch(fetch("a", .leading))
    store.dispatch(fetch("b", .leading))
    #expect(seen.values == ["a", "b"])
  }
}
