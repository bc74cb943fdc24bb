import FluxAsync
import FluxCore
import FluxTesting
import TestSupport
import Testing

@Suite("Test stores that assert actions in every order", .unlessItHangs)
struct ExhaustiveStoreTests {
  private let reports = Reports()

  private func explored(
    _ test: @escaping @Sendable (ExplorationRun, TestStore<SearchState>) async throws -> Void
  ) async -> ExplorationReport {
    await explore(reporter: reports.reporter) { run in
      let store = run.searchStore()
      store.exhaustivity = .on
      try await test(run, store)
    }
  }

  @Test("a test that asserts each action and finishes passes in all orders")
  func finish() async {
    let report = await explored { _, store in
      store.send(Search("a", .latest)) { $0.words = "a" }
      store.send(Search("ab", .latest)) { $0.words = "ab" }
      await store.receive(SetFound.self) { $0.found = ["ab!"] }
      await store.finish()
    }
    #expect(reports.failures == [])
    #expect(report.isComplete)
    #expect(report.orders > 1)
  }

  @Test("finish() waits for running work in all orders")
  func finishWaits() async {
    let report = await explored { _, store in
      store.exhaustivity = .off
      for words in ["a", "b"] { store.send(Search(words)) }
      await store.finish()
      #expect(!store.state.found.isEmpty)
    }
    #expect(reports.failures == [])
    #expect(report.isComplete)
    #expect(report.orders > 1)
  }

  @Test("an action that the test does not receive fails")
  func notReceived() async throws {
    let report = await explored { _, store in
      store.send(Search("a")) { $0.words = "a" }
      await store.finish()
    }
    let message = try #require(report.failure?.messages.first)
    #expect(message.hasPrefix("Not asserted at finish(): 1 received action\n  SetFound("))
  }

  @Test("a closure that expects another change than a received action makes fails")
  func wrongChange() async throws {
    let report = await explored { _, store in
      store.send(Search("a")) { $0.words = "a" }
      await store.receive(SetFound.self) { $0.found = ["b!"] }
      await store.finish()
    }
    let messages = try #require(report.failure?.messages)
    #expect(messages.count == 1)
    #expect(messages[0].contains("was received, but the new state is not the expected state."))
    #expect(messages[0].contains(#"found[0]: "b!" → "a!""#))
  }

  @Test("skipRunningEffects() cancels running work in all orders")
  func skipping() async {
    let report = await explored { run, store in
      store.send(Search("a")) { $0.words = "a" }
      store.send(Search("b")) { $0.words = "b" }
      await run.untilQuiet(holding: 1)
      await store.skipRunningEffects()
      #expect(run.heldCalls.isEmpty)
      store.skipReceived()
    }
    #expect(reports.failures == [])
    #expect(report.isComplete)
    #expect(report.orders > 1)
  }

  @Test("a clock that runs while an operation of the test runs passes in all orders")
  func runningClock() async {
    let report = await explored { run, store in
      store.exhaustivity = .off
      let clock = ManualClock()
      for words in ["a", "b"] { store.send(Search(words)) }
      try await clock.run {
        try await clock.sleep(for: .seconds(1))
        await run.untilQuiet()
      }
      #expect(clock.now.offset == .seconds(1))
    }
    #expect(reports.failures == [])
    #expect(report.isComplete)
    #expect(report.orders > 1)
  }

  @Test("the clock of the run can run while an operation of the test runs")
  func clockOfRun() async {
    let report = await explored { run, store in
      store.send(Search("a", .latest.debounced(for: .seconds(1)))) { $0.words = "a" }
      await run.clock.run { await store.receive(SetFound.self) { $0.found = ["a!"] } }
      #expect(run.clock.now.offset == .seconds(1))
      await store.finish()
    }
    #expect(reports.failures == [])
    #expect(report.isComplete)
  }
}
