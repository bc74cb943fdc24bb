import FluxAsync
import FluxCore
import FluxTesting
import TestSupport
import Testing

/// Asks a service for a text.
private struct Ask: AsyncRequest, Equatable {
  let name: String
  let service: Service
  var policy = WorkPolicy.every
  var tellsWhenUnwanted = false

  init(_ name: String, _ service: Service, _ policy: WorkPolicy = .every, tellsWhenUnwanted: Bool = false) {
    self.name = name
    self.service = service
    self.policy = policy
    self.tellsWhenUnwanted = tellsWhenUnwanted
  }

  func isWanted(in state: Library) -> Bool {
    !state.loading.contains(name) && state.texts[name] == nil
  }

  func perform(in context: RequestContext<Library>) async throws(Service.Trouble) -> String {
    do {
      return try await service.call(name)
    } catch {
      throw Service.Trouble()
    }
  }

  static func == (first: Ask, second: Ask) -> Bool { first.name == second.name }
}

private struct Library: FluxState, Equatable {
  var loading: Set<String> = []
  var texts: [String: String] = [:]
  /// What was told, in order.
  var told: [String] = []
}

private let libraryReducer: ActionHandlers<Library> = combine(
  on(Ask.self) { library, action in library.told.append("asked \(action.name)") },
  on(Ask.Pending.self) { library, action in
    library.told.append("pending \(action.id) \(action.request.name)")
    library.loading.insert(action.request.name)
  },
  on(Ask.Fulfilled.self) { library, action in
    library.told.append("fulfilled \(action.id) \(action.value)")
    library.loading.remove(action.request.name)
    library.texts[action.request.name] = action.value
  },
  on(Ask.Rejected.self) { library, action in
    library.told.append("rejected \(action.id) \(action.failure)")
    library.loading.remove(action.request.name)
  }
)

@Suite("Requests")
struct AsyncRequestTests {
  private let service = Service()
  private let clock = ManualClock()

  private func makeStore(_ middleware: Middleware<Library>...) -> Store<Library> {
    Store(
      reducer: libraryReducer, middleware: middleware, plugins: [.asyncWork(clock: clock)], state: Library())
  }

  @Test("a request is pending once it has been reduced itself, and fulfilled when it is answered")
  func fulfilled() async throws {
    let store = makeStore()
    let request = store.request(Ask("a", service))
    #expect(store.state.told == ["asked a", "pending #1 a"])
    service.answer("a")
    #expect(try await request.value == "a")
    #expect(store.state.told == ["asked a", "pending #1 a", "fulfilled #1 a"])
    #expect(request.id == RequestID(rawValue: 1))
  }

  @Test("one that throws is rejected with its error, and told nowhere else")
  func rejected() async {
    let store = makeStore()
    let request = store.request(Ask("a", service))
    service.fail("a")
    #expect(await request.result == .failure(.failed(Service.Trouble())))
    #expect(store.state.told.last == "rejected #1 failed: trouble")
  }

  @Test("a plain dispatch does the same, for who wants no answer")
  func dispatched() async {
    let store = makeStore()
    let work = store.dispatchAsync(Ask("a", service))
    service.answer("a")
    await work.finished()
    #expect(store.state.texts == ["a": "a"])
  }

  @Test("requests are numbered, in the order in which they came")
  func numbers() {
    let store = makeStore()
    let ids = ["a", "b", "c"].map { store.request(Ask($0, service)).id?.rawValue }
    #expect(ids == [1, 2, 3])
    #expect(makeStore().request(Ask("a", service)).id?.rawValue == 1)
  }

  // MARK: Conditions

  @Test("one that is not wanted sends nothing, and says so to who asked")
  func unwanted() async {
    let store = makeStore()
    store.dispatch(Ask("a", service))
    let second = store.request(Ask("a", service))
    #expect(await second.result == .failure(.unwanted))
    #expect(store.state.told == ["asked a", "pending #1 a", "asked a"])
    #expect(service.calls.values.count <= 1)
    store.dispatch(CancelWork(of: Ask.self))
  }

  @Test("one that is not wanted is told as rejected, if it says so")
  func tellsWhenUnwanted() async {
    let store = makeStore()
    store.dispatch(Ask("a", service))
    let second = store.request(Ask("a", service, tellsWhenUnwanted: true))
    #expect(await second.result == .failure(.unwanted))
    #expect(store.state.told.contains("rejected #2 unwanted"))
    store.dispatch(CancelWork(of: Ask.self))
  }

  @Test("one that had to wait is asked again whether it is wanted")
  func unwantedLater() async {
    let store = makeStore()
    let queue = WorkPolicy.queue
    let first = store.request(Ask("b", service, queue))
    let second = store.request(Ask("a", service, queue))
    store.dispatch(Ask.Fulfilled(Ask("a", service), id: RequestID(rawValue: 9), value: "known"))
    service.answer("b")
    _ = await first.result
    #expect(await second.result == .failure(.unwanted))
    #expect(service.calls.values == ["b"])
  }

  // MARK: Aborting

  @Test("aborting rejects at once, with the reason, and cancels the work")
  func abort() async {
    let store = makeStore()
    let request = store.request(Ask("a", service))
    await service.calls.count(atLeast: 1)
    request.abort("enough")
    #expect(store.state.told.last == "rejected #1 aborted: enough")
    #expect(await request.result == .failure(.aborted(reason: "enough")))
    #expect(service.cancelled.values == ["a"])
  }

  @Test("what comes of aborted work that goes on is dropped")
  func abortUncooperative() async {
    let slow = Service(heedsCancellation: false)
    let store = makeStore()
    let work = store.dispatchAsync(Ask("a", slow))
    await slow.calls.count(atLeast: 1)
    work.cancel()
    #expect(store.state.told.last == "rejected #1 aborted")
    slow.answer("a")
    await work.finished()
    #expect(store.state.told.count == 3)
    #expect(store.state.texts.isEmpty)
  }

  @Test("aborting what is settled does nothing, nor does aborting twice")
  func abortLate() async {
    let store = makeStore()
    let request = store.request(Ask("a", service))
    service.answer("a")
    _ = await request.result
    request.abort()
    request.abort()
    #expect(store.state.told.last == "fulfilled #1 a")
  }

  @Test("one that is aborted while it waits was never pending, and is told to who asked only")
  func abortWaiting() async {
    let store = makeStore()
    let request = store.request(Ask("a", service, .latest.debounced(for: .seconds(1))))
    request.abort("never mind")
    #expect(await request.result == .failure(.aborted(reason: "never mind")))
    #expect(store.state.told == ["asked a"])
  }

  @Test("when the only task that waits is cancelled, the request is aborted")
  func cancelledWaiter() async {
    let store = makeStore()
    let waiter = Task { [service] in await store.request(Ask("a", service)).result }
    await service.calls.count(atLeast: 1)
    waiter.cancel()
    #expect(
      await waiter.value == .failure(.aborted(reason: "all tasks that awaited the request were canceled")))
    #expect(store.state.loading.isEmpty)
  }

  @Test("a cancelled task that asks sends nothing, and is told so; what was asked before goes on")
  func askedByCancelledTask() async throws {
    let store = makeStore()
    let request = store.request(Ask("a", service, .latest))
    let asking = Task { [service] in
      withUnsafeCurrentTask { $0?.cancel() }
      let (b, c) = (Ask("b", service, .latest), Ask("c", service, .latest))
      let requests = [store.request(b), store.proxy.request(c)]
      #expect(requests.allSatisfy { $0.id == nil })
      return [await requests[0].result, await requests[1].result]
    }
    let aborted: RequestFailure<Service.Trouble> = .aborted(
      reason: "the task that dispatched the request was canceled")
    #expect(await asking.value == [.failure(aborted), .failure(aborted)])
    #expect(store.state.told == ["asked a", "pending #1 a"])
    service.answer("a")
    #expect(try await request.value == "a")
  }

  @Test("what a cancelled task dispatches is asked for all the same, since nobody waits for it")
  func dispatchedByCancelledTask() async {
    let store = makeStore()
    service.answer("a")
    let work = await Task { [service] in
      withUnsafeCurrentTask { $0?.cancel() }
      return store.dispatchAsync(Ask("a", service))
    }.value
    await work.finished()
    #expect(store.state.told == ["asked a", "pending #1 a", "fulfilled #1 a"])
  }

  @Test("when one of several tasks that wait is cancelled, it stops waiting and the others get the answer")
  func oneCancelledWaiter() async {
    let store = makeStore()
    let request = store.request(Ask("a", service))
    let patient = Task { await request.result }
    while request.waiting < 1 { await Task.yield() }
    let hasty = Task { await request.result }
    while request.waiting < 2 { await Task.yield() }
    hasty.cancel()
    #expect(await hasty.value == .failure(.aborted(reason: "the awaiting task was canceled")))
    service.answer("a")
    #expect(await patient.value == .success("a"))
  }

  @Test("one that an observer aborts while it becomes pending is rejected after that")
  func abortWhilePending() async {
    let store = makeStore()
    let token = store.subscribe(to: \.loading, initial: false) { loading in
      if !loading.isEmpty { store.dispatch(CancelWork(of: Ask.self)) }
    }
    let request = store.request(Ask("a", service))
    #expect(await request.result == .failure(.aborted(reason: nil)))
    #expect(store.state.told.filter { $0 != "asked a" } == ["pending #1 a", "rejected #1 aborted"])
    token.cancel()
  }

  // MARK: Policies

  @Test("latest: the older one is rejected before the newer is pending")
  func latest() async {
    let store = makeStore()
    store.dispatch(Ask("a", service, .latest))
    let second = store.request(Ask("b", service, .latest))
    #expect(
      store.state.told == [
        "asked a", "pending #1 a", "asked b", "rejected #1 aborted: replaced by newer work", "pending #2 b",
      ])
    service.answer("b")
    #expect(await second.result == .success("b"))
  }

  @Test("leading: one that is dropped was not started")
  func leading() async {
    let store = makeStore()
    let first = store.request(Ask("a", service, .leading))
    let second = store.request(Ask("b", service, .leading))
    #expect(await second.result == .failure(.notStarted))
    service.answer("a")
    #expect(await first.result == .success("a"))
  }

  @Test("queue: one that waits for its turn is answered when it is done")
  func queued() async {
    let store = makeStore()
    let first = store.request(Ask("first", service, .queue))
    let second = store.request(Ask("second", service, .queue))
    service.answer("first")
    service.answer("second")
    #expect(await first.result == .success("first"))
    #expect(await second.result == .success("second"))
  }

  @Test("debounced: it is pending when it begins")
  func debounced() async {
    let store = makeStore()
    let request = store.request(Ask("a", service, .latest.debounced(for: .seconds(1))))
    #expect(store.state.told == ["asked a"])
    await clock.sleepers(atLeast: 1)
    clock.advance(by: .seconds(1))
    service.answer("a")
    _ = await request.result
    #expect(store.state.told == ["asked a", "pending #1 a", "fulfilled #1 a"])
  }

  @Test("retrying goes on between pending and its end")
  func retrying() async {
    let store = makeStore()
    let policy = WorkPolicy.every.retrying(.times(1, backoff: .constant(.seconds(1))))
    let request = store.request(Ask("a", service, policy))
    await service.calls.count(atLeast: 1)
    service.fail("a")
    await clock.sleepers(atLeast: 1)
    clock.advance(by: .seconds(1))
    service.answer("a")
    #expect(await request.result == .success("a"))
    #expect(store.state.told == ["asked a", "pending #1 a", "fulfilled #1 a"])
  }

  @Test("one that takes too long is rejected as timed out")
  func timeout() async {
    let store = makeStore()
    let request = store.request(Ask("a", service, .every.timingOut(after: .seconds(5))))
    await service.calls.count(atLeast: 1)
    await clock.sleepers(atLeast: 1)
    clock.advance(by: .seconds(5))
    #expect(await request.result == .failure(.timedOut))
  }

  // MARK: Where it cannot be answered

  @Test("one that a middleware holds was not started, and runs when it is let go, unanswered")
  func held() async {
    let later = Recorder<@Sendable () -> Void>()
    let holding: Middleware<Library> = { _, _ in
      { next in
        { action in
          if action is Ask { later.record { next(action) } } else { next(action) }
        }
      }
    }
    let store = makeStore(holding)
    let request = store.request(Ask("a", service))
    #expect(await request.result == .failure(.notStarted))
    service.answer("a")
    let work = store.dispatchAsync(Ask("b", service))
    for call in later.takeAll() { call() }
    service.answer("b")
    await work.finished()
    store.dispatch(CancelWork(of: Ask.self))
    #expect(store.state.told.prefix(1) == ["asked a"])
  }

  @Test("once the store has gone it is not started, and the end of the store answers who waits")
  func gone() async {
    let proxy: StoreProxy<Library>
    let request: RequestTask<Ask>
    do {
      let store = makeStore()
      proxy = store.proxy
      request = store.request(Ask("a", service))
      await service.calls.count(atLeast: 1)
    }
    #expect(await request.result == .failure(.aborted(reason: nil)))
    #expect(await proxy.request(Ask("b", service)).result == .failure(.notStarted))
  }

  @Test("in a store with another state it is not started, which is told")
  func otherState() async {
    let told = EventLog<String>()
    let store = Store(
      reducer: shelfReducer, plugins: [.asyncWork(onError: { error, _ in told.record("\(error)") })],
      state: Shelf())
    #expect(await store.request(Ask("a", service)).result == .failure(.otherState))
    #expect(told.values.count == 1)
  }

  @Test("events of all requests are known by one protocol")
  func events() {
    let event: any Action = Ask.Pending(Ask("a", service), id: RequestID(rawValue: 4))
    #expect((event as? any RequestEvent)?.stage == .pending)
    #expect((event as? any RequestEvent)?.id == RequestID(rawValue: 4))
  }
}
