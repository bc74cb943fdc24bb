import FluxCore
import FluxTesting
import TestSupport
import Testing

@Suite("The end of a test store", .unlessItHangs)
struct TestStoreEndingTests {
  private let reports = Reports()
  private let clock = ManualClock()

  /// An action with an effect that sleeps until it is cancelled.
  private var endless: Run {
    Run { [clock] _ in try? await clock.sleep(for: .seconds(1_000)) }
  }

  // MARK: Finishing

  @Test("finishing passes when nothing has happened, or everything is asserted")
  func nothingLeft() async {
    let store = reports.store()
    await store.finish()
    store.send(Run { dispatch in dispatch(Add()) })
    await store.receive(Add.self) { $0.count = 1 }
    await store.finish()
    #expect(reports.failures == [])
  }

  @Test("finishing fails when actions were not asserted, once, with what they changed, in order")
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

  @Test("of very many actions that were not asserted the first twenty are told")
  func veryMany() async throws {
    let store = reports.store()
    store.send(Work { context in for _ in 0..<22 { context.dispatch(Nothing()) } })
    await store.finish()
    let lines = try #require(reports.failures.first).split(separator: "\n")
    #expect(lines.count == 22)
    #expect(lines.first == "Not asserted at finish(): 22 received actions")
    #expect(lines.last == "  and 2 more")
  }

  @Test("finishing waits for effects that are started by effects")
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

  @Test("a store that is released with actions that were not asserted fails, at the line where it was made")
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

  @Test("so does a store of any form of reducer")
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

  @Test("a store that is released with everything asserted passes")
  func releasedAsserted() async {
    do {
      let store = reports.store()
      store.send(Work { context in context.dispatch(Add()) })
      await store.receive(Add.self) { $0.count = 1 }
    }
    #expect(reports.failures == [])
  }

  @Test("a store that started effects fails when it is released without having been finished")
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

  @Test("so does one that started more after it was finished")
  func startedAfterwards() async {
    do {
      let store = reports.store()
      store.send(Run { _ in })
      await store.finish()
      store.send(Run { _ in })
    }
    #expect(reports.failures.count == 1)
  }

  @Test("nothing that runs keeps a test store alive, and when it goes its effects are cancelled")
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

  @Test("received actions that are skipped need not be asserted")
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

  @Test("running effects that are skipped are cancelled, and need not be waited for")
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

  @Test("what effects dispatch when they are cancelled is there when they have been skipped")
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

  @Test("an effect that does not end when it is cancelled fails the test")
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
