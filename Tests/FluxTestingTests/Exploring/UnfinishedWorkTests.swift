import FluxAsync
import FluxCore
import FluxTesting
import TestSupport
import Testing

@Suite("Work that has not ended at the end of an order", .unlessItHangs)
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

  @Test("a failure names the call, the work, or the interval that each task waits for")
  func eachWait() async throws {
    let report = await explore(reporter: reports.reporter) { run in
      let race = RaceRun(run)
      race.send(Job("a") { _ in try await race.call("first") })
      race.send(Job("b", .queue, kind: "line") { _ in try await race.call("second") })
      race.send(Job("c", .queue, kind: "line") { _ in })
      race.send(Job("d", .latest.debounced(for: .seconds(1))) { _ in })
      await run.untilQuiet(holding: 5)
    }
    let failure = try #require(report.failure)
    #expect(
      failure.messages == [
        "The test waits until 5 calls are held, but held calls are first, second.",
        """
        4 effects are still running at the end. Held calls: first, second.
            a waits for the answer to first.
            b waits for the answer to second.
            c waits for earlier work.
            d waits for the end of its interval.
        """,
      ])
  }

  @Test("a failure names the type of work in a store that the run does not know")
  func unknownStore() async throws {
    let stores = Recorder<Store<RaceState>>()
    let (values, continuation) = AsyncStream<Int>.makeStream()
    let report = await explore(reporter: reports.reporter) { run in
      let store = Store(reducer: { (_: inout RaceState, _) in }, state: RaceState())
      stores.record(store)
      store.dispatch(Job("a") { _ in for await _ in values {} })
      await run.untilQuiet()
    }
    let failure = try #require(report.failure)
    #expect(
      failure.messages == [
        """
        1 effect is still running at the end. Held calls: none.
            Job waits for something that does not happen.
        """
      ])
    continuation.finish()
  }

  @Test("work in a store that the run does not know can end after the closure of the test returns")
  func endsInUnknownStore() async {
    let (stores, answers) = (Recorder<Store<RaceState>>(), Recorder<String>())
    let report = await explore(reporter: reports.reporter) { run in
      let store = Store(reducer: { (_: inout RaceState, _) in }, state: RaceState())
      stores.record(store)
      store.dispatch(Job("a") { _ in answers.record(try await run.answer(to: "first") { "a" }) })
    }
    #expect(report.isComplete)
    #expect(answers.values == ["a"])
  }

  @Test("a test that waits for an action that only a possible event causes is a failure")
  func waitsForPossibleEvent() async throws {
    let report = await explore(reporter: reports.reporter) { run in
      let store = run.searchStore()
      run.may("search") { store.send(Search("a")) }
      await store.receive(SetFound.self)
    }
    #expect(report.failure?.messages.first == "The test waits for something that does not happen.")
  }

  @Test("a test that waits for an action passes if no possible event is needed")
  func waitsBesidePossibleEvent() async {
    let report = await explore(reporter: reports.reporter) { run in
      let store = run.searchStore()
      run.may("search") { store.send(Search("b")) }
      store.send(Search("a"))
      await store.receive(SetFound.self)
    }
    #expect(reports.failures == [])
    #expect(report.isComplete)
    #expect(report.orders > 2)
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
