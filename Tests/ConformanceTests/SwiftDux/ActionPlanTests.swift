import FluxAsync
import FluxCore
import TestSupport
import Testing

private enum Step: Action, Equatable {
  case a
  case b
}

@Suite(
  "SwiftDux: ActionPlan",
  .cases(
    of: "StevenLambion/SwiftDux", "Tests/SwiftDuxTests/Action/ActionPlanTests.swift", at: "99cb24da", count: 7
  ))
struct ActionPlanTests {
  private typealias Plan = ActionPlan<Actions>

  private let store = actionStore()
  private let service = Service()

  /// The actions that reached the reducer, without the plans.
  private var steps: [Step] { store.state.of(Step.self) }

  @Test("a plan that does nothing sends nothing", .holds(1))
  func empty() {
    store.dispatch(Plan { _ in })
    #expect(steps.isEmpty)
  }

  @Test("a plan sends an action", .holds(2))
  func one() {
    store.dispatch(Plan { $0.dispatch(Step.a) })
    #expect(steps == [.a])
  }

  @Test("a plan sends several actions, in order, before the call that dispatched it returns", .holds(3))
  func several() {
    store.dispatch(
      Plan { store in
        for step in [Step.a, .b, .a] { store.dispatch(step) }
      })
    #expect(steps == [.a, .b, .a])
  }

  @Test(
    "a plan sends the actions of a stream, one after another",
    .differs(
      4,
      because: """
        SwiftDux uses a Combine publisher, which can send actions before the call returns. Flux uses an \
        `AsyncSequence`, and the caller can await its end.
        """))
  func streaming() async {
    await store.dispatchAsync(Plan(streaming: { _ in stream(of: .b, .a) })).finished()
    #expect(steps == [.b, .a])
  }

  @Test("a plan that is canceled while it waits sends nothing", .holds(5))
  func cancelled() async {
    let token = store.sendAsCancellable(
      Plan { [service] store in
        _ = try await service.call("a")
        store.dispatch(Step.b)
      })
    await service.calls.count(atLeast: 1)
    token.cancel()
    #expect(service.cancelled.values == ["a"])
    await store.effects.finished()
    #expect(steps.isEmpty)
  }

  @Test("plans that are added run one after another", .holds(6))
  func chained() {
    let (a, b) = (Plan { $0.dispatch(Step.a) }, Plan { $0.dispatch(Step.b) })
    let token = store.sendAsCancellable(b + a + b)
    #expect(steps == [.b, .a, .b])
    token.cancel()
  }

  @Test(
    "in a sequence of plans, each plan starts after the previous plan has finished, even if that one waits",
    .holds(7))
  func chainedWaiting() async {
    let heard = Shared<[Step]>([])
    let plan = Plan { [service] store in
      _ = try await service.call("a")
      store.dispatch(Step.b)
    }
    .then(Plan { $0.dispatch(Step.a) })
    .then(Plan(streaming: { _ in stream(of: .b) }))
    .then(Plan { heard.value = $0.state?.of(Step.self) ?? [] })
    let work = store.dispatchAsync(plan)
    await service.calls.count(atLeast: 1)
    #expect(steps.isEmpty)
    service.answer("a")
    await work.finished()
    #expect(heard.value == [.b, .a, .b])
  }
}

private func stream(of steps: Step...) -> AsyncStream<Step> {
  AsyncStream { stream in
    for step in steps { stream.yield(step) }
    stream.finish()
  }
}
