import FluxAsync
import TestSupport
import Testing

@testable import FluxTesting

@Suite("The search for few deviations")
struct OrderShrinkingTests {
  private func order(_ choices: some Sequence<Int>) -> ReplayText {
    var order = ReplayText()
    for choice in choices {
      order.deviate(at: choice, to: PendingEvent(.possible("\(choice)")), past: 0)
    }
    return order
  }

  /// Returns the remaining deviations, and the number of attempts.
  private func shrink(
    _ first: ReplayText, whileFailing fails: (Set<Int>) -> Bool
  ) -> (choices: Set<Int>, attempts: Int) {
    var shrinking = OrderShrinking(first)
    var attempts = 0
    while let deviations = shrinking.next() {
      attempts += 1
      let choices = deviations.map(\.choice)
      let isSmaller = shrinking.record(fails(Set(choices)) ? order(choices) : nil)
      #expect(isSmaller == (shrinking.deviations == deviations))
    }
    return (Set(shrinking.deviations.map(\.choice)), attempts)
  }

  @Test("removes all deviations that the failure does not need", arguments: UInt64(0)..<100)
  func neededDeviations(seed: UInt64) {
    var numbers = SeededNumbers(seed: seed)
    let count = Int(numbers.next() % 40)
    let needed = Set((0..<count).filter { _ in numbers.next() % 5 == 0 })
    let (choices, attempts) = shrink(order(0..<count)) { $0.isSuperset(of: needed) }
    #expect(choices == needed)
    // Each needed deviation is tried once for each size and for each removal.
    #expect(attempts <= 2 * count * (needed.count + 1) + 2)
  }

  @Test("ends if no single deviation can be removed", arguments: [0, 1, 2, 7, 20])
  func equalDeviations(needed: Int) {
    let (choices, _) = shrink(order(0..<20)) { $0.count >= needed }
    #expect(choices.count == needed)
  }

  @Test("continues with the deviations of an attempt, which can be fewer than the remaining deviations")
  func fewerDeviations() {
    var shrinking = OrderShrinking(order(0..<8))
    let attempt = shrinking.next()
    #expect(attempt?.map(\.choice) == [4, 5, 6, 7])
    let isSmaller = shrinking.record(order([4, 6]))
    #expect(isSmaller)
    #expect(shrinking.deviations.map(\.choice) == [4, 6])
  }

  @Test("does not continue with an order that has as many deviations")
  func noFewerDeviations() {
    var shrinking = OrderShrinking(order(0..<2))
    _ = shrinking.next()
    let isSmaller = shrinking.record(order(5..<7))
    #expect(!isSmaller)
    #expect(shrinking.deviations.map(\.choice) == [0, 1])
  }

  @Test("applies a deviation as soon as its event is pending, if another deviation was removed")
  func laterEvent() {
    let (first, second, late) = (
      PendingEvent(.possible("first")), PendingEvent(.possible("second")), PendingEvent(.possible("late"))
    )
    var chooser = OrderChooser([
      ReplayText.Deviation(choice: 1, event: ReplayText.hash(of: late)),
      ReplayText.Deviation(choice: 2, event: ReplayText.hash(of: second)),
    ])
    // The event is not chosen before its choice.
    #expect(chooser.choose([first, late], moment: nil) == 0)
    #expect(chooser.choose([first, second], moment: nil) == 0)
    #expect(chooser.choose([first, second, late], moment: nil) == 2)
    #expect(chooser.choose([first, second], moment: nil) == 1)
    #expect(chooser.choose([first, second], moment: nil) == 0)
    #expect(chooser.cost == 2)
  }

  /// Seven requests, whose result is wrong if the last four receive their answers in reverse order.
  @Sendable
  private static func reversedAnswers(_ run: ExplorationRun) async {
    let race = RaceRun(run)
    for number in 1...7 {
      race.send(
        Job("\(number)") { context in
          try await race.call("\(number)")
          context.dispatch(Change("\(number)") { $0.names.append("\(number)") })
        })
    }
    await run.untilQuiet()
    let last = race.store.state.names.filter { $0 >= "4" }
    #expect(last != ["7", "6", "5", "4"])
  }

  @Test(
    "finds the fewest deviations of a random order, without a search of all orders",
    arguments: UInt64(1)...8)
  func randomOrder(seed: UInt64) async throws {
    let reports = Recorder<TestReport>()
    let reporter = TestReporter { reports.record($0) }
    let report = await explore(
      .random(seed: seed, runs: 150), reporter: reporter, Self.reversedAnswers)
    let failure = try #require(report.failure)
    #expect(!failure.story.contains("step"))
    #expect(ReplayText(failure.replay)?.deviations.count == 3)
    let repeated = await explore(.replay(failure.replay), reporter: reporter, Self.reversedAnswers)
    #expect(repeated.failure?.story == failure.story)
  }
}
