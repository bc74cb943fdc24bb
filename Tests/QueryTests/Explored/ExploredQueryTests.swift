import FluxAsync
import FluxCore
import FluxTesting
import TestSupport
import Testing

@testable import FluxQuery

@Suite("Queries, in all orders", .unlessItHangs)
struct ExploredQueryTests {
  @Test("every program obeys its rules in all orders", arguments: ShopProgram.all)
  func program(program: ShopProgram) async {
    let report = await explore { run in try await program.perform(run, nil) }
    printStatistics("\(program.name): \(report.orders) orders, \(report.cut) cut, \(report.states) states")
    #expect(report.isComplete)
    #expect(report.orders > 10)
  }

  @Test("the exploration finds each planted mistake", arguments: ShopMistake.allCases)
  func mistakes(mistake: ShopMistake) async throws {
    let (program, rule) = mistake.symptom
    let report = await explore(reporter: TestReporter { _ in }) { run in
      try await program.perform(run, mistake)
    }
    let failure = try #require(report.failure, "not found in \(report.orders) orders")
    printStatistics("\(mistake): order \(report.orders): \(failure.story)")
    #expect(failure.messages.contains { $0.hasPrefix(rule) }, "found, but as: \(failure.story)")
  }
}
