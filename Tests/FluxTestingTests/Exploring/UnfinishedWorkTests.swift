import FluxAsync
import FluxCore
import FluxTesting
import TestSupport
import Testing

@Suite("Work that has not ended at the end of an order")
struct UnfinishedWorkTests {
  private let reports = Reports()

  @Test("a failure does not name the call of other work, or of a child task, as the call of work")
  func unclearWaits() async throws {
    let report = await explore(reporter: reports.reporter) { run in
      let store = run.searchStore()
      store.send(Search("a"))
      store.send(Search("a"))
      store.send(Search("b", .every.timingOut(after: .seconds(1))))
      await run.untilQuiet(holding: 4)
    }
    let message = try #require(report.failure?.messages.last)
    #expect(!message.contains("waits for"))
    #expect(message.split(separator: "\n").count { $0.hasSuffix("has not returned.") } == 3)
  }

  @Test("a failure names the work that has not ended, and what the work waits for")
  func waits() async throws {
    let never = AsyncStream<Never>.makeStream()
    let report = await explore(reporter: reports.reporter) { run in
      let race = RaceRun(run)
      race.send(Job("first", .queue, kind: "line") { _ in for await _ in never.stream {} })
      race.send(Job("second", .queue, kind: "line") { _ in })
    }
    let failure = try #require(report.failure)
    #expect(
      failure.messages == [
        """
        2 effects are still running at the end. Held calls: none.
            first waits for something that does not happen.
            second waits for earlier work.
        """
      ])
  }
}
