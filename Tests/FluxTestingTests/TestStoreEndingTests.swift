import FluxCore
import FluxTesting
import TestSupport
import Testing

@Suite("The end of a test store", .unlessItHangs)
struct TestStoreEndingTests {
  private let reports = Reports()
  private let clock = ManualClock()

  /// An action with an effect that sleeps until it is canceled.
  private var endless: Run {
    Run { [clock] _ in try? await clock.sleep(for: .seconds(1_000)) }
  }

  // MARK: Finishing

  @Test("finishing passes if nothing happened, or everything was asserted")
  func nothingLeft() async {
    let store = reports.store()
    await store.finish()
    store.send(Run { dispatch in dispatch(Add()) })
    await store.receive(Add.self) { $0.count = 1 }
    await store.finish()
    #expect(reports.failures == [])
  }

  @Test("finishing fails if actions were not asserted, once, with their changes, in order")
  func notAsserted() async {
    let line: UInt
    do {
      let store = reports.store()
      store.send(
        Run { dispatch in
          dispatch(Add(amount: 2))
          dispatch(Nothing())
          dispatch(Note(text: "a"))
        })
      line = #line + 1
      await store.finish()
      await store.finish()
    }
    #expect(
      reports.failures == [
        """
        Not asserted at finish(): 3 received actions
          Add(amount: 2): count: 0 → 2
          Nothing(): changed nothing
          Note(text: "a"): notes: + "a"
        """
      ])
    #expect(reports.all.first?.location.line == line)
  }

  @Test("of very many actions that were not asserted, the first twenty are listed")
  func veryMany() async throws {
    let store = reports.store()
    store.send(Work { context in for _ in 0..<22 { context.dispatch(Nothing()) } })
    await store.finish()
    let lines = try #require(reports.failures.first).split(separator: "\n")
    #expect(lines.count == 22)
    #expect(lines.first == "Not asserted at finish(): 22 received actions")
    #expect(lines.last == "  and 2 more")
  }

  @Test("finishing waits for effects that effects start")
  func nested() async {
    let store = reports.store()
    store.send(Run { dispatch in dispatch(Run { dispatch in dispatch(Add()) }) })
    await store.finish()
    #expect(
      reports.failures == [
        """
        Not asserted at finish(): 2 received actions
          Run: changed nothing
          Add(amount: 1): count: 0 → 1
        """
      ])
  }

  // MARK: Releasing

  @Test("a store that is released before all actions were asserted fails at the line where it was made")
  func released() {
    let line: UInt
    do {
      line = #line + 1
      let store = TestStore(reducer: reduce, state: Tally(), reporter: reports.reporter)
      store.send(Work { context in context.dispatch(Add()) })
    }
    #expect(
      reports.failures == [
        "Not asserted when the test store was released: 1 received action\n  Add(amount: 1): count: 0 → 1"
      ])
    #expect(reports.all.first?.location.line == line)
    #expect(reports.all.map { "\($0.location.fileID)" } == [#fileID])
  }

  @Test("a store with any form of reducer fails in the same way")
  func releasedForms() {
    let returning: Reducer<Tally> = { state, _ in state }
    let handlers: ActionHandlers<Tally> = on(Add.self) { _, _ in }
    let line: UInt = #line + 2
    for make: () -> TestStore<Tally> in [
      { TestStore(reducer: returning, state: Tally(), reporter: reports.reporter) },
      { TestStore(reducer: handlers, state: Tally(), reporter: reports.reporter) },
    ] { make().send(Work { context in context.dispatch(Add()) }) }
    #expect(reports.all.map(\.location.line) == [line, line + 1])
  }

  @Test("a store that is released after all actions were asserted passes")
  func releasedAsserted() async {
    do {
      let store = reports.store()
      store.send(Work { context in context.dispatch(Add()) })
      await store.receive(Add.self) { $0.count = 1 }
    }
    #expect(reports.failures == [])
  }

  @Test("a store that started effects fails when it is released without a call of finish")
  func notFinished() async {
    do {
      let store = reports.store(line: 7)
      store.send(Run { dispatch in dispatch(Add()) })
      await store.receive(Add.self) { $0.count = 1 }
    }
    #expect(
      reports.failures == [
        """
        The test store started effects, but was released without a call to finish().
          Call `await store.finish()` at the end of the test to find effects that are still running.
        """
      ])
    #expect(reports.all.first?.location.line == 7)
  }

  @Test("a store that started effects after finish fails, too")
  func startedAfterwards() async {
    do {
      let store = reports.store()
      store.send(Run { _ in })
      await store.finish()
      store.send(Run { _ in })
    }
    #expect(reports.failures.count == 1)
  }

  @Test("running effects do not keep a test store alive, and its release cancels them")
  func lifetime() async {
    weak var gone: TestStore<Tally>?
    do {
      let store = reports.store()
      store.exhaustivity = .off
      store.send(endless)
      await clock.sleepers(atLeast: 1)
      gone = store
    }
    #expect(gone == nil)
    #expect(clock.sleepers == 0)
  }

  // MARK: Skipping

  @Test("skipped received actions need not be asserted")
  func skipReceived() async {
    let store = reports.store()
    store.skipReceived()
    store.send(
      Work { context in
        context.dispatch(Add())
        context.dispatch(Add())
      })
    store.skipReceived()
    store.send(Add()) { $0.count = 3 }
    await store.finish()
    #expect(reports.all.isEmpty)
  }

  @Test("skipped running effects are canceled, and need not be awaited")
  func skipEffects() async {
    do {
      let store = reports.store()
      store.send(endless)
      store.send(endless)
      await clock.sleepers(atLeast: 2)
      await store.skipRunningEffects()
      #expect(clock.sleepers == 0)
      await store.finish()
    }
    #expect(reports.all.isEmpty)
  }

  @Test("actions that effects dispatch on cancellation have arrived when the effects have been skipped")
  func skipDispatching() async {
    let store = reports.store()
    store.send(
      Run { [clock] dispatch in
        do { try await clock.sleep(for: .seconds(1)) } catch { dispatch(Note(text: "cancelled")) }
      })
    await clock.sleepers(atLeast: 1)
    await store.skipRunningEffects()
    await store.receive(Note.self, timeout: .zero) { $0.notes = ["cancelled"] }
    #expect(reports.failures == [])
  }

  @Test("an effect that does not end on cancellation fails the test")
  func stubborn() async {
    let timeouts = ManualClock()
    let store = reports.store(timeout: .seconds(3), timeoutClock: timeouts)
    let (end, ending) = AsyncStream.makeStream(of: Void.self)
    store.send(Run { _ in await Task { for await _ in end {} }.value })
    let time = Task {
      await timeouts.sleepers(atLeast: 1)
      timeouts.advance(by: .seconds(3))
    }
    await store.skipRunningEffects()
    await time.value
    let waiting = Task { await store.skipRunningEffects() }
    await timeouts.sleepers(atLeast: 1)
    waiting.cancel()
    await waiting.value
    #expect(
      reports.failures == [
        "1 effect is still running 3 s after being canceled.",
        "1 effect is still running when the waiting task was canceled.",
      ])
    ending.finish()
    await store.finish()
  }
}
