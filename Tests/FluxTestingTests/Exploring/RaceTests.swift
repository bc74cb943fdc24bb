import FluxAsync
import FluxCore
import TestSupport
import Testing

@testable import FluxTesting

@Suite("Races that an exploration finds", .unlessItHangs)
struct RaceTests {
  @Test("the race is found, and told as a person would tell it", arguments: Race.all)
  func found(race: Race) async throws {
    let reports = Reports()
    let report = await explore(reporter: reports.reporter) { run in try await race.wrong(RaceRun(run)) }
    let failure = try #require(report.failure)
    #expect(failure.events.dropLast().joined(separator: " → ") == race.story, "\(failure.story)")
  }

  @Test("the corrected program passes in all orders", arguments: Race.all)
  func corrected(race: Race) async {
    let reports = Reports()
    let report = await explore(reporter: reports.reporter) { run in try await race.right(RaceRun(run)) }
    #expect(report.isComplete)
    #expect(reports.failures == [])
  }

  @Test("random orders find the race", arguments: Race.all)
  func random(race: Race) async {
    let reports = Reports()
    let report = await explore(.random(seed: 1, runs: 500), reporter: reports.reporter) { run in
      try await race.wrong(RaceRun(run))
    }
    #expect(report.failure != nil)
  }
}
