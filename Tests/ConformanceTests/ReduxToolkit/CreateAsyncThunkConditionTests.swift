import FluxAsync
import FluxCore
import TestSupport
import Testing

// The rules that decide whether a request is sent.

extension CreateAsyncThunkTests {
  /// A request that records whether its work began.
  private func watched(
    isWanted: Bool, tells: Bool = false, _ performed: Shared<Bool>
  ) -> Ask<Int> {
    Ask(isWanted: isWanted, tellsWhenUnwanted: tells) { _ in
      performed.value = true
      return 10
    }
  }

  @Test("a request that is not wanted is not performed, and its caller receives an error", .holds(18))
  func unwanted() async {
    let performed = Shared(false)
    #expect(await store.request(watched(isWanted: false, performed)).failure == "unwanted")
    #expect(!performed.value)
  }

  @Test("a request that is wanted is performed", .holds(20))
  func wanted() async throws {
    let performed = Shared(false)
    #expect(try await store.request(watched(isWanted: true, performed)).value == 10)
    #expect(performed.value)
  }

  @Test(
    "a request decides whether it is wanted, once, with the present state",
    .differs(
      21,
      because: """
        Redux Toolkit also passes an argument to the condition. In Flux, the fields of the request \
        contain all values that it needs.
        """))
  func asked() async {
    struct Asked: AsyncRequest {
      let argument: Int
      let asked: Recorder<[Int]>

      func isWanted(in state: Actions) -> Bool {
        asked.record([argument, state.all.count])
        return true
      }

      func perform(in context: RequestContext<Actions>) async {}
    }
    let asked = Recorder<[Int]>()
    store.dispatch(Unknown())
    _ = await store.request(Asked(argument: 7, asked: asked)).result
    #expect(asked.values == [[7, 1]])
  }

  @Test("a request is pending before the call that sends it returns", .holds(22))
  func pendingAtOnce() async {
    let request = store.request(asking())
    #expect(store.state.stages == [.pending])
    service.answer("a")
    _ = await request.result
    #expect(store.state.stages == [.pending, .fulfilled])
  }

  /// Sends a request if a service answers that it is wanted.
  private var cautious: ActionPlan<Actions> {
    ActionPlan { [service] store in
      if try await service.call("wanted?") == "yes" { store.dispatch(Ask { _ in 10 }) }
    }
  }

  @Test(
    "a plan awaits what decides about a request, and then dispatches the request or does not",
    .differs(
      23,
      because: """
        In Redux Toolkit, the condition can be asynchronous. In Flux, it is synchronous, so that a wanted \
        request is pending when the call returns. A plan can await a condition before it dispatches the \
        request.
        """))
  func waitingCondition() async {
    for (answer, stages) in [("no", []), ("yes", [RequestStage.pending, .fulfilled])] {
      service.answer("wanted?", with: .success(answer))
      await store.dispatchAsync(cautious).finished()
      #expect(store.state.stages == stages)
    }
  }

  @Test(
    "when a plan that decides about a request fails, its error is reported and no request is sent",
    .differs(
      24,
      because: "Redux Toolkit rejects the request. In Flux, the plan has not sent a request yet."))
  func failingCondition() async {
    service.fail("wanted?")
    await store.dispatchAsync(cautious).finished()
    #expect(store.state.stages.isEmpty)
    #expect(store.state.of(WorkFailed.self).map { $0.error as? Service.Trouble } == [Service.Trouble()])
  }

  @Test(
    "a request that is aborted while a plan still decides about it is rejected, and not performed",
    .differs(
      25,
      because: """
        In Flux, the asynchronous decision is a part of the work, so the request is already pending \
        when it is aborted.
        """
    ))
  func abortedCondition() async {
    let isOver = Shared(false)
    let request = store.request(
      Ask { [service] _ in
        _ = try await service.call("wanted?")
        isOver.value = true
      })
    await service.calls.count(atLeast: 1)
    request.abort("never mind")
    #expect(await request.failure == "aborted: never mind")
    #expect(store.state.stages == [.pending, .rejected])
    await store.effects.finished()
    #expect(!isOver.value)
  }

  @Test("a request that is not wanted sends no actions by default", .holds(26))
  func toldToNobody() async {
    _ = await store.request(watched(isWanted: false, Shared(false))).result
    #expect(store.state.stages.isEmpty)
  }

  @Test("aborting a request that was not wanted does nothing", .holds(27))
  func abortUnwanted() async {
    let request = store.request(watched(isWanted: false, Shared(false)))
    request.abort("too late")
    #expect(await request.failure == "unwanted")
    #expect(store.state.stages.isEmpty)
  }

  @Test("a request that was not wanted sends a rejected action if it opts in", .holds(28))
  func toldUnwanted() async {
    let request = store.request(watched(isWanted: false, tells: true, Shared(false)))
    _ = await request.result
    #expect(store.state.of(Ask<Int>.Rejected.self).map { "\($0.failure)" } == ["unwanted"])
    #expect(store.state.of(Ask<Int>.Rejected.self).map(\.id) == [request.id])
  }

  @Test(
    "a request decides whether it is wanted with the state in which an earlier request is pending",
    .holds(35))
  func seesPending() async {
    struct Start: AsyncRequest {
      let force: Bool
      let started: Shared<Int>

      func isWanted(in state: Actions) -> Bool { force || !state.stages.contains(.pending) }

      func perform(in context: RequestContext<Actions>) async { started.increment() }
    }
    let started = Shared(0)
    let requests = [false, false, true].map { force in
      store.request(Start(force: force, started: started))
    }
    var failures: [String?] = []
    for request in requests { failures.append(await request.failure) }
    #expect(failures == [nil, "unwanted", nil])
    #expect(started.value == 2)
  }
}
