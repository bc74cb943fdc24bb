import TestSupport
import Testing

@testable import FluxAsync

@Suite("The stages of a request, in every order of its beginning and of two outcomes")
struct RequestStagesTests {
  @Test("one outcome is reported, after the pending event and only with an event if there was one")
  func keepsTheRules() {
    let runs = RequestStagesRun.all()
    #expect(runs.count == 12)
    for run in runs { #expect(run.violation == nil, "\(run.order)") }
  }

  @Test("the exploration finds each planted mistake", arguments: RequestRulesUnderTest.Mistake.allCases)
  func findsMistake(mistake: RequestRulesUnderTest.Mistake) {
    #expect(RequestStagesRun.all(mistake).contains { $0.violation != nil })
  }
}

/// The stages of a request, with at most one planted mistake.
struct RequestRulesUnderTest {
  enum Mistake: CaseIterable {
    case beginsAfterOutcome, reportsDuringPendingEvent, forgetsOutcomeOfPendingEvent, reportsTwice
    case dropsOutcomeBeforePendingEvent, reportsEventWithoutPendingEvent
  }

  var stages = RequestStages()
  let mistake: Mistake?

  mutating func began() -> Bool {
    stages.began() || mistake == .beginsAfterOutcome
  }

  mutating func sent() -> Bool {
    stages.sent() && mistake != .forgetsOutcomeOfPendingEvent
  }

  mutating func settled() -> RequestStages.Report {
    switch (stages.settled(), mistake) {
    case (.later, .reportsDuringPendingEvent), (.nothing, .reportsTwice): .event
    case (.withoutEvent, .dropsOutcomeBeforePendingEvent): .nothing
    case (.withoutEvent, .reportsEventWithoutPendingEvent): .event
    case (let report, _): report
    }
  }
}

/// One order in which a thread begins a request while two other threads settle it.
struct RequestStagesRun {
  private enum Step: Hashable {
    case begin, send, settle
  }

  private enum Event: Hashable {
    case pendingBegins, pendingEnds, outcome, resumed
  }

  private var rules: RequestRulesUnderTest
  private var isBegun = false
  private var events: [Event] = []
  let order: String

  /// Returns the runs in all orders.
  static func all(_ mistake: RequestRulesUnderTest.Mistake? = nil) -> [RequestStagesRun] {
    var orders: [[Step]] = []
    func extend(_ order: [Step], _ rest: [Step: Int]) {
      if rest.values.allSatisfy({ $0 == 0 }) { orders.append(order) }
      for step in [Step.begin, .send, .settle] where rest[step, default: 0] > 0 {
        // The thread sends the pending event after it has begun.
        if step == .send, rest[.begin] != 0 { continue }
        extend(order + [step], rest.merging([step: 1]) { $0 - $1 })
      }
    }
    extend([], [.begin: 1, .send: 1, .settle: 2])
    return orders.map { RequestStagesRun($0, mistake) }
      + orders.map { RequestStagesRun($0, mistake, settlesOnce: true) }
  }

  private init(_ steps: [Step], _ mistake: RequestRulesUnderTest.Mistake?, settlesOnce: Bool = false) {
    rules = RequestRulesUnderTest(mistake: mistake)
    order = "\(steps), \(settlesOnce ? "one outcome" : "two outcomes")"
    var outcomes = settlesOnce ? 1 : 2
    for step in steps {
      switch step {
      case .begin:
        isBegun = rules.began()
        if isBegun { events.append(.pendingBegins) }
      case .send:
        guard isBegun else { continue }
        events.append(.pendingEnds)
        if rules.sent() { events += [.outcome, .resumed] }
      case .settle:
        guard outcomes > 0 else { continue }
        outcomes -= 1
        settle()
      }
    }
  }

  private mutating func settle() {
    switch rules.settled() {
    case .event: events += [.outcome, .resumed]
    case .withoutEvent: events.append(.resumed)
    case .later, .nothing: break
    }
  }

  /// The rule that the run breaks, or `nil` if it keeps all rules.
  var violation: String? {
    let allowed: [[Event]] = [[.resumed], [.pendingBegins, .pendingEnds, .outcome, .resumed]]
    return allowed.contains(events) ? nil : "\(events)"
  }
}
