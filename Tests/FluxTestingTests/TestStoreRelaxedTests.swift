import FluxCore
import FluxMiddleware
import FluxTesting
import TestSupport
import Testing

@Suite("A test store that does not assert everything", .unlessItHangs)
struct TestStoreRelaxedTests {
  private let reports = Reports()

  /// A store whose reducer counts and records every action.
  private func store(_ exhaustivity: Exhaustivity = .off) -> TestStore<Tally> {
    let store = TestStore(
      reducer: { (state: inout Tally, action) in
        state.count += 1
        state.notes.append("\(type(of: action))")
      }, state: Tally(), timeout: .seconds(900), reporter: reports.reporter)
    store.exhaustivity = exhaustivity
    return store
  }

  @Test("everything has to be asserted unless the test says otherwise")
  func byDefault() {
    #expect(reports.store().exhaustivity == .on)
    #expect(Exhaustivity.off == .off(showsSkipped: false))
  }

  @Test("a value that a closure sets is asserted, and other values are not")
  func partly() async {
    let store = store()
    store.send(Nothing())
    store.send(Nothing()) { $0.count = 2 }
    store.send(Work { context in context.dispatch(Add()) }) { $0.count = 4 }
    await store.receive(Add.self) { $0.count = 3 }
    await store.finish()
    #expect(reports.all.isEmpty)
  }

  @Test("a value that a closure sets and that differs fails")
  func wrong() async {
    let store = store()
    store.send(Nothing()) { $0.count = 2 }
    store.send(Work { context in context.dispatch(Add()) })
    await store.receive(Add.self) { $0.count = 3 }
    #expect(
      reports.failures == [
        """
        Nothing() was sent, but the new state is not the expected state.
          expected → actual: count: 2 → 1
          before → after: count: 0 → 1, notes: + "Nothing"
        """,
        """
        Add(amount: 1) was received, but the new state is not the expected state.
          expected → actual: count: 3 → 2
          before → after: count: 1 → 2, notes: + "Add"
        """,
      ])
  }

  @Test("the state that a closure asserts is the state after its action, whatever arrived since")
  func itsOwnState() async {
    let store = store()
    store.send(Work { context in for _ in 0..<3 { context.dispatch(Add()) } })
    await store.receive(Add.self) { $0.count = 1 }
    await store.receive(Add.self) { $0.count = 2 }
    #expect(reports.failures == [])
  }

  @Test("receiving skips actions until the matching one arrives")
  func passingOver() async {
    let store = store()
    store.send(
      Run { dispatch in
        dispatch(Nothing())
        dispatch(Note(text: "a"))
        dispatch(Add(amount: 1))
        dispatch(Add(amount: 2))
        dispatch(Add(amount: 3))
      })
    await store.receive(Add.self)
    await store.receive(Add(amount: 3)) { $0.notes = ["Run", "Nothing", "Note", "Add", "Add", "Add"] }
    await store.finish()
    #expect(reports.all.isEmpty)
  }

  @Test("receiving fails when the action does not arrive in time, and skips all that arrived")
  func neverComing() async {
    let timeouts = ManualClock()
    let store = reports.store(timeout: .seconds(1), timeoutClock: timeouts)
    store.exhaustivity = .off(showsSkipped: true)
    store.send(Work { context in context.dispatch(Note(text: "a")) })
    let time = Task {
      await timeouts.sleepers(atLeast: 1)
      timeouts.advance(by: .seconds(1))
    }
    await store.receive(Add.self)
    await time.value
    #expect(reports.failures == ["Expected to receive Add, but did not within 1 s. No effects are running."])
    #expect(reports.shown == ["Skipped 1 received action\n  Note(text: \"a\"): notes: + \"a\""])
  }

  @Test("actions that were not asserted, and effects that were not awaited, do not fail")
  func ending() async {
    do {
      let store = store()
      store.send(Work { context in context.dispatch(Add()) })
      store.send(Run { _ in })
    }
    do {
      let store = store()
      store.send(Work { context in context.dispatch(Add()) })
      await store.finish()
    }
    #expect(reports.all.isEmpty)
  }

  @Test("the mode may be set at any time, and applies from then on")
  func changing() async {
    let store = store()
    store.send(Nothing())
    store.exhaustivity = .on
    store.send(Nothing())
    #expect(reports.failures.count == 1)
  }

  @Test("an error in a closure fails")
  func throwing() {
    let store = store(.off(showsSkipped: true))
    store.send(Nothing()) { _ in throw CancellationError() }
    #expect(reports.failures.count == 1)
    #expect(reports.shown.isEmpty)
  }

  // MARK: Reports for information

  @Test("omitted changes are shown on request, at the line of the call")
  func showingChanges() async {
    let store = store(.off(showsSkipped: true))
    let line: UInt = #line + 1
    store.send(Nothing())
    store.send(Nothing()) { $0.count = 2 }
    store.send(Nothing()) {
      $0.count = 3
      $0.notes = ["Nothing", "Nothing", "Nothing"]
    }
    #expect(reports.failures == [])
    #expect(
      reports.shown == [
        "Skipped changes by Nothing():\n  count: 0 → 1, notes: + \"Nothing\"",
        "Skipped changes by Nothing():\n  notes: + \"Nothing\"",
      ])
    #expect(reports.all.map(\.location.line) == [line, line + 1])
  }

  @Test("skipped actions are shown on request, including those at the end")
  func showingActions() async {
    let lines: UInt
    do {
      let store = reports.store(line: 3)
      store.exhaustivity = .off(showsSkipped: true)
      let actions: [any Action] = [Add(), Nothing(), Nothing(), Note(text: "a")]
      store.send(Work { context in actions.forEach(context.dispatch) })
      lines = #line
      await store.receive(Nothing.self)
      store.skipReceived()
      store.send(Work { context in context.dispatch(Nothing()) })
      await store.finish()
      store.send(Work { context in context.dispatch(Nothing()) })
    }
    #expect(reports.failures == [])
    #expect(
      reports.shown == [
        "Skipped 1 received action\n  Add(amount: 1): count: 0 → 1",
        "Skipped 2 received actions\n  Nothing(): changed nothing\n  Note(text: \"a\"): notes: + \"a\"",
        "Skipped 1 received action\n  Nothing(): changed nothing",
        "Skipped 1 received action\n  Nothing(): changed nothing",
      ])
    #expect(reports.all.map(\.location.line) == [lines + 1, lines + 2, lines + 4, 3])
  }

  @Test("skipped running effects are shown on request")
  func showingEffects() async {
    let clock = ManualClock()
    let store = store(.off(showsSkipped: true))
    store.send(Run { _ in try? await clock.sleep(for: .seconds(1)) }) {
      $0 = Tally(count: 1, notes: ["Run"])
    }
    await clock.sleepers(atLeast: 1)
    await store.skipRunningEffects()
    await store.skipRunningEffects()
    #expect(reports.shown == ["Skipped effects: 1 canceled."])
    #expect(reports.failures == [])
  }
}
