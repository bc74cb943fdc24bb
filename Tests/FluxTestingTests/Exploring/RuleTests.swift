import FluxCore
import FluxTesting
import TestSupport
import Testing

@Suite("The rules of an exploration", .unlessItHangs)
struct RuleTests {
  private let reports = Reports()

  @Test("a rule about a state that no store has fails, and names the rule and the type")
  func unknownState() async throws {
    let report = await explore(reporter: reports.reporter) { run in
      let store = run.searchStore()
      run.always("an even number") { (_: Int) in false }
      run.eventually("a flag") { (_: Bool) in false }
      store.send(Search("a"))
    }
    let failure = try #require(report.failure)
    #expect(failure.messages.count == 2)
    #expect(failure.messages[0].hasPrefix("an even number: no store has this state: Int. "))
    #expect(failure.messages[1].hasPrefix("a flag: no store has this state: Bool. "))
    #expect(report.orders == 1)
  }

  @Test("a rule about a store that the run does not observe fails")
  func unobservedStore() async throws {
    let report = await explore(reporter: reports.reporter) { run in
      let store = Store(reducer: reduceSearch, state: SearchState())
      run.always("no words") { (state: SearchState) in state.words.isEmpty }
      store.dispatch(Search("a"))
    }
    let message = try #require(report.failure?.messages.first)
    #expect(message.hasPrefix("no words: no store has this state: SearchState. "))
  }

  @Test("a rule about a protocol that a state conforms to is about the state")
  func protocolOfState() async throws {
    let report = await explore(reporter: reports.reporter) { run in
      run.searchStore().send(SetFound(found: ["a"]))
      run.eventually("an empty state") { (state: any FluxState) in (state as? SearchState)?.found == [] }
    }
    #expect(report.failure?.messages.count == 1)
    #expect(report.failure?.messages[0].hasPrefix("an empty state: not true for SearchState(") == true)
  }

  @Test("a rule that must always be true is checked for the first state of a later store")
  func firstState() async throws {
    let report = await explore(reporter: reports.reporter) { run in
      run.always("words") { (state: SearchState) in !state.words.isEmpty }
      _ = run.searchStore()
    }
    #expect(report.failure?.messages.count == 1)
    #expect(report.failure?.messages[0].hasPrefix("words: not true for SearchState(") == true)
  }

  @Test("a rule that must always be true is checked for the present state of an earlier store")
  func presentState() async throws {
    let report = await explore(reporter: reports.reporter) { run in
      _ = run.searchStore()
      run.always("words") { (state: SearchState) in !state.words.isEmpty }
    }
    #expect(report.failure?.messages.count == 1)
    #expect(report.failure?.messages[0].hasPrefix("words: not true for SearchState(") == true)
  }

  @Test("an order that has failed does not also fail because a rule is about no store")
  func thrownBeforeStore() async {
    struct Stop: Error {}
    let report = await explore(reporter: reports.reporter) { run in
      run.always("few films") { (state: SearchState) in state.found.isEmpty }
      throw Stop()
    }
    #expect(report.failure?.messages == ["The test threw an error: Stop()"])
  }
}
