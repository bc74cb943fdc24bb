import FluxCore
import TestSupport
import Testing

@Suite(
  "ReSwift: Performance",
  .cases(of: "ReSwift/ReSwift", "ReSwiftTests/PerformanceTests.swift", at: "11f0a2e4", count: 2))
struct ReSwiftPerformanceTests {
  private let store = personStore()
  private let calls = Shared(0)

  private func observe(initial: Bool) -> [SubscriptionToken] {
    (0..<3_000).map { _ in
      store.subscribe(initial: initial) { [calls] (_: Person) in calls.increment() }
    }
  }

  @Test(
    "an action calls each of 3,000 observers once, within a budget for each call",
    .differs(
      1,
      because: """
        ReSwift measures time. Flux counts instructions with `Benchmarks`, and compares them with \
        budgets.
        """))
  func notify() throws {
    let tokens = observe(initial: false)
    store.dispatch(Unknown())
    #expect(calls.value == 3_000)
    try Budgets().expect("(observers_10000 - observers_1) / 9999")
    for token in tokens { token.cancel() }
  }

  @Test(
    "each of 3,000 observers is called when it subscribes, at a cost that does not grow with their number",
    .differs(
      2,
      because: """
        ReSwift measures time. Flux counts instructions with `Benchmarks`, and compares them with \
        budgets.
        """))
  func subscribe() throws {
    for token in observe(initial: true) { token.cancel() }
    #expect(calls.value == 3_000)
    try Budgets().expect("subscribe_cancel_100000 / subscribe_cancel_10")
  }
}
