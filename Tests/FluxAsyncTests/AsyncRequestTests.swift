import FluxAsync
import FluxCore
import FluxTesting
import TestSupport
import Testing

/// Requests a string from a service.
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
  /// The recorded actions, in order.
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

@Suite("Requests", .unlessItHangs)
struct AsyncRequestTests {
  private let service = Service()
  private let clock = ManualClock()

  private func makeStore(_ middleware: Middleware<Library>...) -> Store<Library> {
    Store(
      reducer: libraryReducer, middleware: middleware, plugins: [.asyncWork(clock: clock)], state: Library())
  }

  @Test("a request is pending after it has been reduced itself, and fulfilled when it is answered")
  func fulfilled() async throws {
    let store = makeStore()
    let request = store.request(Ask("a", service))
    #expect(store.state.told == ["asked a", "pending #1 a"])
    service.answer("a")
    #expect(try await request.value == "a")
    #expect(store.state.told == ["asked a", "pending #1 a", "fulfilled #1 a"])
    #expect(request.id == RequestID(rawValue: 1))
  }

  @Test("a request that throws is rejected with its error, and the error is reported nowhere else")
  func rejected() async {
    let store = makeStore()
    let request = store.request(Ask("a", service))
    service.fail("a")
    #expect(await request.result == .failure(.failed(Service.Trouble())))
    #expect(store.state.told.last == "rejected #1 failed: trouble")
  }

  @Test("a plain dispatch of a request performs it for callers that need no answer")
  func dispatched() async {
    let store = makeStore()
    let work = store.dispatchAsync(Ask("a", service))
    service.answer("a")
    await work.finished()
    #expect(store.state.texts == ["a": "a"])
  }

  @Test("requests are numbered in the order of their arrival")
  func numbers() {
    let store = makeStore()
    let ids = ["a", "b", "c"].map { store.request(Ask($0, service)).id?.rawValue }
    #expect(ids == [1, 2, 3])
    #expect(makeStore().request(Ask("a", service)).id?.rawValue == 1)
  }

  // MARK: Conditions

  @Test("a request that is not wanted sends nothing, and its caller receives an error")
  func unwanted() async {
    let store = makeStore()
    store.dispatch(Ask("a", service))
    let second = store.request(Ask("a", service))
    #expect(await second.result == .failure(.unwanted))
    #expect(store.state.told == ["asked a", "pending #1 a", "asked a"])
    #expect(service.calls.values.count <= 1)
    store.dispatch(CancelWork(of: Ask.self))
  }

  @Test("a request that is not wanted is rejected if it opts in")
  func tellsWhenUnwanted() async {
    let store = makeStore()
    store.dispatch(Ask("a", service))
    let second = store.request(Ask("a", service, tellsWhenUnwanted: true))
    #expect(await second.result == .failure(.unwanted))
    #expect(store.state.told.contains("rejected #2 unwanted"))
    store.dispatch(CancelWork(of: Ask.self))
  }

  @Test("a request that had to wait decides again whether it is wanted")
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

  @Test("aborting a request rejects it immediately with the reason, and cancels the work")
  func abort() async {
    let store = makeStore()
    let request = store.request(Ask("a", service))
    await service.calls.count(atLeast: 1)
    request.abort("enough")
    #expect(store.state.told.last == "rejected #1 aborted: enough")
    #expect(await request.result == .failure(.aborted(reason: "enough")))
    #expect(service.cancelled.values == ["a"])
  }

  @Test("a result of aborted work that continues is dropped")
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

  @Test("aborting a settled request does nothing, and neither does a second abort")
  func abortLate() async {
    let store = makeStore()
    let request = store.request(Ask("a", service))
    service.answer("a")
    _ = await request.result
    request.abort()
    request.abort()
    #expect(store.state.told.last == "fulfilled #1 a")
  }

  @Test("a request that is aborted while it waits is never pending, and only its caller receives the error")
  func abortWaiting() async {
    let store = makeStore()
    let request = store.request(Ask("a", service, .latest.debounced(for: .seconds(1))))
    request.abort("never mind")
    #expect(await request.result == .failure(.aborted(reason: "never mind")))
    #expect(store.state.told == ["asked a"])
  }

  @Test("when the only task that waits for a request is canceled, the request is aborted")
  func cancelledWaiter() async {
    let store = makeStore()
    let waiter = Task { [service] in await store.request(Ask("a", service)).result }
    await service.calls.count(atLeast: 1)
    waiter.cancel()
    #expect(
      await waiter.value == .failure(.aborted(reason: "all tasks that awaited the request were canceled")))
    #expect(store.state.loading.isEmpty)
  }

  @Test("a request by a canceled task sends nothing and reports it; earlier requests continue")
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

  @Test("a request that a canceled task dispatches without waiting is performed")
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

  @Test("when one of several tasks that wait is canceled, it stops waiting and the others receive the answer")
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

  @Test("a request that an observer aborts while it becomes pending is rejected afterwards")
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

  @Test("latest: the older request is rejected before the newer one is pending")
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

  @Test("leading: a dropped request is not started")
  func leading() async {
    let store = makeStore()
    let first = store.request(Ask("a", service, .leading))
    let second = store.request(Ask("b", service, .leading))
    #expect(await second.result == .failure(.notStarted))
    service.answer("a")
    #expect(await first.result == .success("a"))
  }

  @Test("queue: a queued request is answered when its work is done")
  func queued() async {
    let store = makeStore()
    let first = store.request(Ask("first", service, .queue))
    let second = store.request(Ask("second", service, .queue))
    service.answer("first")
    service.answer("second")
    #expect(await first.result == .success("first"))
    #expect(await second.result == .success("second"))
  }

  @Test("debounced: a request is pending when it begins")
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

  @Test("retries of a request happen between its pending action and its end")
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

  @Test("a request that takes too long is rejected as timed out")
  func timeout() async {
    let store = makeStore()
    let request = store.request(Ask("a", service, .every.timingOut(after: .seconds(5))))
    await service.calls.count(atLeast: 1)
    await clock.sleepers(atLeast: 1)
    clock.advance(by: .seconds(5))
    #expect(await request.result == .failure(.timedOut))
  }

  // MARK: Requests without an answer

  @Test("a request that a middleware holds is not started, and runs without a caller when it is released")
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

  @Test("a request on a released store is not started, and the end of the store answers waiting callers")
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

  @Test("a request for another state type is not started, and the error is reported")
  func otherState() async {
    let told = EventLog<String>()
    let store = Store(
      reducer: shelfReducer, plugins: [.asyncWork(onError: { error, _ in told.record("\(error)") })],
      state: Shelf())
    #expect(await store.request(Ask("a", service)).result == .failure(.otherState))
    #expect(told.values.count == 1)
  }

  @Test("events of all requests conform to one protocol")
  func events() {
    let event: any Action = Ask.Pending(Ask("a", service), id: RequestID(rawValue: 4))
    #expect((event as? any RequestEvent)?.stage == .pending)
    #expect((event as? any RequestEvent)?.id == RequestID(rawValue: 4))
  }
}
