import FluxAsync
import FluxCore
import FluxMiddleware
import FluxTesting
import TestSupport
import Testing

@Suite("Exploration of all orders")
struct ExploreTests {
  private let reports = Reports()

  @Test("an answer that arrives after a newer answer is found, with the fewest deviations")
  func staleAnswer() async throws {
    let report = await explore(reporter: reports.reporter) { run in
      let store = run.searchStore()
      store.send(Search("a"))
      store.send(Search("ab"))
      await run.untilQuiet()
      #expect(store.state.found == ["ab!"])
    }
    let failure = try #require(report.failure)
    let events = #"Search("a") sent → Search("ab") sent → answer to "ab" → answer to "a" → "#
    #expect(failure.story.hasPrefix(events + "Expectation failed: "))
    #expect(failure.messages.count == 1)
    #expect(!report.isComplete)
  }

  @Test("a failure is reported once, with the story and the replay")
  func reported() async throws {
    let report = await explore(reporter: reports.reporter, line: 7) { run in
      let store = run.searchStore()
      store.send(Search("a"))
      store.send(Search("ab"))
      await run.untilQuiet()
      #expect(store.state.found == ["ab!"])
    }
    let failure = try #require(report.failure)
    let message = try #require(reports.failures.only)
    #expect(reports.all[0].location.line == 7)
    #expect(message.hasPrefix("Order \(report.orders) fails:\n  Search(\"a\") sent\n  → Search("))
    #expect(message.contains("\n  → \(failure.messages[0])\n"))
    #expect(message.contains(failure.replay))
  }

  @Test("a program without races passes in all orders")
  func corrected() async {
    let report = await explore(reporter: reports.reporter) { run in
      let store = run.searchStore()
      store.send(Search("a", .latest))
      store.send(Search("ab", .latest))
      await run.untilQuiet()
      #expect(store.state.found == ["ab!"])
    }
    #expect(report.isComplete)
    #expect(report.failure == nil)
    #expect(report.orders + report.cut > 1)
    #expect(reports.all.isEmpty)
  }

  // MARK: Kinds of events

  @Test("a call fails in some orders, with each error that the service names")
  func failures() async {
    struct Broken: Error {}
    struct Missing: Error {}
    let results = Recorder<[String]>()
    let report = await explore(reporter: reports.reporter) { run in
      let store = run.searchStore(failing: [Broken(), Missing()])
      store.send(Search("a"))
      await run.untilQuiet()
      results.record(store.state.found + ["\(store.state.failures)"])
    }
    #expect(report.orders == 3)
    #expect(results.values == [["a!", "0"], ["1"], ["1"]])
  }

  @Test("a possible event happens at each moment in some order, and in some order does not happen")
  func possibleEvent() async {
    let results = Recorder<[String]>()
    let report = await explore(reporter: reports.reporter) { run in
      let store = run.searchStore()
      run.may("Clear") { store.send(SetFound(found: [])) }
      store.send(Search("a"))
      await run.untilQuiet()
      results.record(store.state.found)
    }
    #expect(report.isComplete)
    #expect(Set(results.values) == [["a!"], []])
  }

  @Test("the clock reaches a deadline before and after an answer")
  func deadlines() async {
    let results = Recorder<Int>()
    let report = await explore(reporter: reports.reporter) { run in
      let store = run.searchStore()
      store.send(Search("a", .every.timingOut(after: .seconds(1))))
      await run.untilQuiet()
      results.record(store.state.failures)
    }
    #expect(report.isComplete)
    #expect(Set(results.values) == [0, 1])
  }

  @Test("a held call of a canceled task fails")
  func cancellation() async {
    await explore(reporter: reports.reporter) { run in
      let store = run.searchStore()
      store.send(Search("a", .latest))
      await run.untilQuiet(holding: 1)
      store.send(CancelWork(of: Search.self))
      await run.untilQuiet()
      #expect(run.heldCalls.isEmpty)
      #expect(store.state.found.isEmpty)
    }
    #expect(reports.failures.isEmpty)
  }

  @Test("a call that cannot be canceled is held until its answer")
  func noCancellation() async {
    await explore(reporter: reports.reporter) { run in
      let store = run.searchStore(isCancellable: false)
      store.send(Search("a", .latest))
      await run.untilQuiet(holding: 1)
      store.send(CancelWork(of: Search.self))
      await run.untilQuiet(holding: 1)
      #expect(run.heldCalls == ["\"a\""])
      await run.untilQuiet()
      #expect(store.state.found.isEmpty)
    }
    #expect(reports.failures.isEmpty)
  }

  // MARK: Rules

  @Test("a rule that must always be true is checked after every action")
  func always() async throws {
    let report = await explore(reporter: reports.reporter) { run in
      let store = run.searchStore()
      run.always("few films") { (state: SearchState) in state.found.isEmpty }
      store.send(Search("a"))
      await run.untilQuiet()
    }
    let failure = try #require(report.failure)
    #expect(failure.messages.only?.hasPrefix("few films: not true for SearchState(") == true)
  }

  @Test("a rule that must eventually be true is checked at the end of every order")
  func eventually() async throws {
    let report = await explore(reporter: reports.reporter) { run in
      let store = run.searchStore()
      run.eventually("films") { (state: SearchState) in state.found == ["ab!"] }
      store.send(Search("a"))
      store.send(Search("ab"))
    }
    let failure = try #require(report.failure)
    #expect(failure.story.contains(#"answer to "ab" → answer to "a" → films: not true for"#))
  }

  @Test("an error of the test is a failure")
  func thrownError() async throws {
    struct Stop: Error {}
    let report = await explore(reporter: reports.reporter) { _ in throw Stop() }
    #expect(report.failure?.messages == ["The test threw an error: Stop()"])
  }

  @Test("a test that waits for something that does not happen is a failure that names the held calls")
  func deadlock() async throws {
    let report = await explore(reporter: reports.reporter) { run in
      let store = run.searchStore()
      await store.receive(SetFound.self)
    }
    let failure = try #require(report.failure)
    #expect(failure.messages.contains { $0.contains("waits for something that does not happen") })
  }

  @Test("a test that waits for more held calls than there are is a failure that names the held calls")
  func tooFewCalls() async throws {
    let report = await explore(reporter: reports.reporter) { run in
      let store = run.searchStore()
      store.send(Search("a"))
      await run.untilQuiet(holding: 2)
    }
    let failure = try #require(report.failure)
    #expect(
      failure.messages == [
        #"The test waits until 2 calls are held, but held calls are "a"."#,
        """
        1 effect is still running at the end. Held calls: "a".
            Search("a") waits for the answer to "a".
        """,
      ])
  }

  @Test("a failure hides the secrets of a state")
  func redaction() async throws {
    let report = await explore(reporter: reports.reporter) { run in
      let store = run.store(
        reducer: reduceSearch,
        services: Services().with(HeldFinder(run: run), as: (any Finder).self), state: SearchState(),
        redacting: .fields("found"))
      run.always("nothing is found") { (state: SearchState) in state.found.isEmpty }
      store.send(SetFound(found: ["a secret"]))
    }
    let failure = try #require(report.failure)
    #expect(failure.messages.only?.hasPrefix("nothing is found: not true for SearchState(") == true)
    #expect(!failure.story.contains("a secret"))
  }

  @Test("a cancellation error that a possible event throws is a failure")
  func cancellationErrorOfEvent() async throws {
    let report = await explore(reporter: reports.reporter) { run in
      _ = run.searchStore()
      run.may("stop") { throw CancellationError() }
      await run.untilQuiet()
    }
    #expect(report.failure?.messages == ["stop threw an error: CancellationError()"])
  }

  // MARK: Limits

  @Test("a report contains the number of different states")
  func states() async {
    let report = await explore(reporter: reports.reporter) { run in
      let store = run.searchStore()
      store.send(Search("a"))
      await run.untilQuiet()
    }
    // The first state, the typed words, and the found films.
    #expect(report.states == 3)
  }

  @Test("a plug-in makes the store of an app known to the run")
  func knownStore() async throws {
    let report = await explore(reporter: reports.reporter) { run in
      run.always("few films") { (state: SearchState) in state.found.isEmpty }
      let store = Store(
        reducer: reduceSearch, plugins: [run.plugin()],
        services: Services().with(HeldFinder(run: run), as: (any Finder).self), state: SearchState())
      for words in ["a", "ab"] { store.dispatch(Search(words)) }
      await run.untilQuiet()
    }
    let failure = try #require(report.failure)
    #expect(failure.story.hasPrefix(#"Search("a") sent → Search("ab") sent → answer to "a" → few films"#))
  }

  @Test("an exploration that reaches its limit fails")
  func limit() async throws {
    let report = await explore(.exhaustive(limit: 2), reporter: reports.reporter) { run in
      let store = run.searchStore()
      for word in ["a", "ab", "abc"] { store.send(Search(word)) }
      await run.untilQuiet()
    }
    #expect(report.orders == 2)
    #expect(!report.isComplete)
    #expect(reports.failures.only?.hasPrefix("The limit of 2 orders was reached") == true)
  }

  @Test("work that repeats forever is a failure, with a short story")
  func endlessWork() async throws {
    struct Repeats: TaskAction {
      let run: ExplorationRun
      func execute(in context: TaskContext<SearchState>) async throws {
        while true { try await run.clock.sleep(for: .seconds(1)) }
      }
    }
    let report = await explore(reporter: reports.reporter) { run in
      run.searchStore().send(Repeats(run: run))
      await run.untilQuiet()
    }
    let failure = try #require(report.failure)
    #expect(failure.messages[0].hasPrefix("The order does not end: 10000 events happened."))
    #expect(failure.story.split(separator: "→").count < 50)
  }

  @Test("a task that ignores its cancellation and continues forever does not stop the exploration")
  func endlessYields() async throws {
    struct Spins: TaskAction {
      func execute(in context: TaskContext<SearchState>) async throws {
        while true { await Task.yield() }
      }
    }
    let report = await explore(reporter: reports.reporter) { run in run.searchStore().send(Spins()) }
    #expect(report.failure?.messages[0].hasPrefix("The order does not end") == true)
  }

  // MARK: Replays

  @Sendable
  private static func search(_ run: ExplorationRun) async {
    let store = run.searchStore()
    run.eventually("the last words are shown") { (state: SearchState) in state.found == ["ab!"] }
    store.send(Search("a"))
    store.send(Search("ab"))
    await run.untilQuiet()
  }

  @Test("a replay repeats one order")
  func replay() async throws {
    let found = await explore(reporter: reports.reporter, Self.search)
    let failure = try #require(found.failure)
    let again = await explore(.replay(failure.replay), reporter: reports.reporter, Self.search)
    #expect(again.orders == 1)
    #expect(again.failure?.story == failure.story)
  }

  @Test("a replay that does not fit the test says so", arguments: ["order-0:abc-1", "order-90:abc-1"])
  func misfit(replay: String) async {
    let report = await explore(.replay(replay), reporter: reports.reporter, Self.search)
    #expect(report.failure?.story.hasPrefix("The replay no longer fits the test") == true)
  }

  @Test("a replay does not fit a test with one more action, although its events happen")
  func changedTest() async throws {
    let found = await explore(reporter: reports.reporter, Self.search)
    let replay = try #require(found.failure?.replay)
    let report = await explore(.replay(replay), reporter: reports.reporter) { run in
      let store = run.searchStore()
      run.eventually("the last words are shown") { (state: SearchState) in state.found == ["ab!"] }
      store.send(Search("a"))
      store.send(Search("ab"))
      store.send(Search("abc"))
      await run.untilQuiet()
    }
    let story = try #require(report.failure?.story)
    #expect(story.hasPrefix("The replay no longer fits the test: choice 3, or an earlier choice,"))
  }

  @Test(
    "a text that is not a replay is a failure",
    arguments: ["", "1-2", "order-x", "order-1:?-1", "order-1:1"])
  func noReplay(text: String) async {
    let report = await explore(.replay(text), reporter: reports.reporter, Self.search)
    #expect(report.failure?.story == "The text is not the replay of an order: \(text)")
  }

  // MARK: Random orders

  @Test("random orders find a failure, and the search for few deviations simplifies it")
  func random() async throws {
    let report = await explore(.random(seed: 7, runs: 100), reporter: reports.reporter, Self.search)
    let failure = try #require(report.failure)
    let events = #"Search("a") sent → Search("ab") sent → answer to "ab" → answer to "a" → "#
    #expect(failure.story.hasPrefix(events))
  }

  @Test("a random exploration without runs is a failure", arguments: [0, -1])
  func noRuns(runs: Int) async {
    let report = await explore(.random(seed: 7, runs: runs), reporter: reports.reporter, Self.search)
    #expect(report.failure?.story == "No order was tried, because the number of runs is \(runs).")
  }

  // MARK: Determinism

  @Test("an exploration has the same result each time")
  func deterministic() async {
    let first = await explore(reporter: reports.reporter, Self.search)
    for _ in 0..<100 {
      let report = await explore(reporter: reports.reporter, Self.search)
      #expect(report.orders == first.orders)
      #expect(report.failure?.replay == first.failure?.replay)
      #expect(report.failure?.story == first.failure?.story)
    }
  }

  @Test("a test that does not repeat itself is a failure")
  func nondeterministic() async {
    let runs = Recorder<Int>()
    let report = await explore(reporter: reports.reporter) { run in
      runs.record(0)
      let store = run.searchStore()
      for number in 0..<3 { store.send(Search("\(number) in run \(runs.values.count)")) }
      await run.untilQuiet()
    }
    #expect(report.failure?.story.hasPrefix("The test does not repeat itself") == true)
  }

  // MARK: Escapes

  @Test("an action that a task outside the run dispatches is a failure that names the action")
  func escape() async throws {
    struct Escapes: TaskAction {
      func execute(in context: TaskContext<SearchState>) async throws {
        await Task.detached { context.dispatch(SetFound(found: ["late"])) }.value
      }
    }
    let report = await explore(reporter: reports.reporter) { run in
      let store = run.searchStore()
      store.send(Escapes())
      await run.untilQuiet()
    }
    let failure = try #require(report.failure)
    #expect(failure.messages.contains { $0.contains(#"SetFound(found: ["late"])"#) })
  }
}

extension Array {
  /// The element, if the array has exactly one.
  fileprivate var only: Element? { count == 1 ? self[0] : nil }
}
