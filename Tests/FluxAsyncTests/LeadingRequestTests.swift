import FluxAsync
import FluxCore
import FluxTesting
import TestSupport
import Testing

@Suite("Requests with the leading policy", .unlessItHangs)
struct LeadingRequestTests: AskingSuite {
  private let service = Service()
  let clock = ManualClock()

  /// Answers immediately, after starting work that continues.
  private struct Branching: AsyncRequest {
    let branch: String
    let service: Service
    var policy = WorkPolicy.leading

    func perform(in context: RequestContext<Shelf>) async -> Int {
      context.dispatch(Fetch(branch, from: service))
      return 1
    }
  }

  private func asking(_ name: String) -> Asking { Asking(name: name, service: service, policy: .leading) }

  @Test("leading: a request after the first answer runs, although work that the first one started continues")
  func afterAnswer() async {
    let store = makeStore()
    for branch in ["a", "b"] {
      #expect(await store.request(Branching(branch: branch, service: service)).result == .success(1))
    }
    service.answer("a")
    service.answer("b")
    await store.effects.finished()
  }

  @Test("leading: an observer of the answer may send the next request")
  func fromObserver() async {
    let store = makeStore()
    let again = asking("again")
    let isFirst = Shared(true)
    let token = store.subscribe(initial: false) { shelf in
      if shelf.texts.last == "fulfilled first", isFirst.exchange(false) { store.dispatch(again) }
    }
    service.answer("first")
    service.answer("again")
    _ = await store.request(asking("first")).result
    await store.effects.finished()
    #expect(store.state.texts == ["pending first", "fulfilled first", "pending again", "fulfilled again"])
    token.cancel()
  }

  @Test(
    "leading: if a task that awaited the result sends the next request, the request is pending immediately",
    arguments: [true, false])
  func fromAwaitingTask(succeeds: Bool) async throws {
    let store = makeStore()
    let (first, next) = (asking("first"), asking("next"))
    // The task continues while the thread that reports the result waits for it.
    let task = Task(executorPreference: JoiningExecutor()) {
      _ = await store.request(first).result
      store.dispatch(next)
      return store.state.texts.last
    }
    if succeeds { service.answer("first") } else { service.fail("first") }
    #expect(await task.value == "pending next")
    service.answer("next")
    await store.effects.finished()
  }

  @Test("leading: while one thread delivers the answer, the next request is not pending on another thread")
  func answeredElsewhere() async {
    let next = asking("next")
    let store = makeStore { dispatch, _ in
      { tell in
        { action in
          if (action as? Asking.Fulfilled)?.request.name == "first" { Worker { dispatch(next) }.join() }
          tell(action)
        }
      }
    }
    service.answer("first")
    service.answer("next")
    _ = await store.request(asking("first")).result
    await store.effects.finished()
    #expect(store.state.texts == ["pending first", "fulfilled first", "pending next", "fulfilled next"])
  }

  @Test("leading: the next is pending once the last request that CancelWork cancels is rejected")
  func canceledElsewhere() async {
    let store = makeStore()
    // Enough requests that another thread sends one while this thread cancels them.
    let count = 500
    for number in 0..<count {
      store.dispatch(Asking(name: "\(number)", service: service, policy: .every.keyed(by: 0)))
    }
    let next = Asking(name: "next", service: service, policy: .leading.keyed(by: 0))
    let (asked, isCanceled) = (EventLog<Bool>(), Shared(false))
    let asking = Worker {
      while !isCanceled.value {
        store.dispatch(next)
        asked.record(true)
      }
      store.dispatch(next)
    }
    await asked.count(atLeast: 1)
    store.dispatch(CancelWork(of: Asking.self, id: 0))
    isCanceled.value = true
    asking.join()
    service.answer("next")
    await store.effects.finished()
    let olds = ["pending", "rejected"].flatMap { stage in (0..<count).map { "\(stage) \($0)" } }
    #expect(store.state.texts == olds + ["pending next", "fulfilled next"])
  }

  @Test("queue: the next request waits for the work that the first one started")
  func queued() async {
    let store = makeStore()
    let first = store.request(Branching(branch: "a", service: service, policy: .queue))
    #expect(await first.result == .success(1))
    let next = store.request(Branching(branch: "b", service: service, policy: .queue))
    await service.calls.count(atLeast: 1)
    await othersRun()
    #expect(service.calls.values == ["a"])
    service.answer("a")
    #expect(await next.result == .success(1))
    service.answer("b")
    await store.effects.finished()
  }

  @Test("CancelWork ends the work that an answered request started")
  func cancelAnswered() async {
    let store = makeStore()
    #expect(await store.request(Branching(branch: "a", service: service)).result == .success(1))
    await service.calls.count(atLeast: 1)
    store.dispatch(CancelWork(of: Branching.self))
    await store.effects.finished()
    #expect(store.state.texts == [])
  }
}
