import FluxAsync
import FluxCore
import FluxTesting
import TestSupport
import Testing

@Suite("Queries, in all orders of six kinds of events", .unlessItHangs)
struct SixEventsTests {
  /// A mistake that an exploration of a program must find.
  struct Planted: Sendable, CustomTestStringConvertible {
    let program: ShopProgram
    let mistake: ShopMistake

    init(_ mistake: ShopMistake, in program: ShopProgram) {
      self.program = program
      self.mistake = mistake
    }

    var testDescription: String { "\(mistake) in “\(program.name)”" }

    static let all = [
      Planted(.dropsSavedMarks, in: .sixEvents), Planted(.replacesEdits, in: .sixEvents),
      Planted(.forgetsRunningRequest, in: .sixEvents), Planted(.neverRefetches, in: .sixEvents),
      Planted(.endsInvalidation, in: .sixEventsDuringFirstRequests),
      Planted(.keepsFailedRequests, in: .sixEvents),
      Planted(.miscountsFailedRequests, in: .sixEvents), Planted(.hidesErrors, in: .sixEvents),
      Planted(.forgetsEarlyInvalidations, in: .sixEventsDuringFirstRequests),
      Planted(.keepsRefusedMarks, in: .sixEventsWithRefusals),
    ]
  }

  @Test("every order obeys the rules", arguments: ShopProgram.allWithSixEvents)
  func program(program: ShopProgram) async {
    let report = await explore { run in try await program.perform(run, nil) }
    printStatistics("\(program.name): \(report.orders) orders, \(report.cut) cut, \(report.states) states")
    #expect(report.isComplete)
    #expect(report.orders > 100)
  }

  @Test("the exploration finds a planted mistake", arguments: Planted.all)
  func mistake(planted: Planted) async throws {
    let report = await explore(reporter: TestReporter { _ in }) { run in
      try await planted.program.perform(run, planted.mistake)
    }
    let failure = try #require(report.failure, "not found in \(report.orders) orders")
    printStatistics("\(planted.mistake): order \(report.orders): \(failure.story)")
    let rule = planted.mistake.symptom.rule
    #expect(failure.messages.contains { $0.hasPrefix(rule) }, "found, but as: \(failure.story)")
  }
}
