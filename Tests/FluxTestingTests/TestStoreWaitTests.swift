import FluxCore
import FluxTesting
import TestSupport
import Testing

@Suite("How long a test store waits", .unlessItHangs)
struct TestStoreWaitTests {
  private let reports = Reports()
  private let timeouts = ManualClock()
  private let clock = ManualClock()

  /// An action with an effect that never ends by itself.
  private var endless: Run {
    Run { [clock] _ in try? await clock.sleep(for: .seconds(1_000)) }
  }

  /// Advances to a timeout when the test store waits.
  private func letPass(_ duration: Duration) -> Task<Void, Never> {
    Task { [timeouts] in
      await timeouts.sleepers(atLeast: 1)
      timeouts.advance(by: duration)
    }
  }

  @Test("receiving fails when no action arrives in time, and reports the running effects", arguments: 0...2)
  func receiveTimeout(effects: Int) async {
    let store = reports.store(timeout: .seconds(3), timeoutClock: timeouts)
    for _ in 0..<effects { store.send(endless) }
    await clock.sleepers(atLeast: effects)
    let time = letPass(.seconds(3))
    await store.receive(Add.self)
    await time.value
    let running = ["No effects are", "1 effect is", "2 effects are"][effects]
    #expect(reports.failures == ["Expected to receive Add, but did not within 3 s. \(running) running."])
    #expect(timeouts.sleepers == 0)
    await store.skipRunningEffects()
  }

  @Test("receiving does not fail before the timeout")
  func notYet() async {
    let store = reports.store(timeout: .seconds(3), timeoutClock: timeouts)
    store.send(
      Run { [clock] dispatch in
        try? await clock.sleep(for: .seconds(1))
        dispatch(Nothing())
      })
    await clock.sleepers(atLeast: 1)
    let time = Task { [timeouts, clock] in
      await timeouts.sleepers(atLeast: 1)
      timeouts.advance(by: .milliseconds(2_999))
      clock.advance(by: .seconds(1))
    }
    await store.receive(Nothing.self)
    await time.value
    await store.finish()
    #expect(reports.failures == [])
  }

  @Test("a call may have its own timeout")
  func callTimeout() async {
    let store = reports.store(timeout: .seconds(1_000), timeoutClock: timeouts)
    var time = letPass(.milliseconds(20))
    await store.receive(Add.self, timeout: .milliseconds(20))
    await time.value
    time = letPass(.milliseconds(30))
    await store.receive(Add(), timeout: .milliseconds(30))
    await time.value
    time = letPass(.milliseconds(40))
    await store.receive(where: { (_: Add) in true }, timeout: .milliseconds(40))
    await time.value
    #expect(
      reports.failures == [
        "Expected to receive Add, but did not within 20 ms. No effects are running.",
        "Expected to receive Add(amount: 1), but did not within 30 ms. No effects are running.",
        "Expected to receive a matching Add, but did not within 40 ms. No effects are running.",
      ])
  }

  @Test("an action that has arrived is received even after the timeout")
  func nothingLeft() async {
    let store = reports.store(timeout: .zero, timeoutClock: timeouts)
    store.send(Work { context in context.dispatch(Add()) })
    await store.receive(Add.self) { $0.count = 1 }
    #expect(reports.failures == [])
  }

  @Test("after an action is received, no task sleeps on the clock of the timeouts")
  func noSleeperLeft() async {
    let store = reports.store(timeoutClock: timeouts)
    store.send(
      Run { [clock] dispatch in
        try? await clock.sleep(for: .seconds(1))
        dispatch(Nothing())
      })
    await clock.sleepers(atLeast: 1)
    let coming = Task { [timeouts, clock] in
      await timeouts.sleepers(atLeast: 1)
      clock.advance(by: .seconds(1))
    }
    await store.receive(Nothing.self)
    await coming.value
    #expect(timeouts.sleepers == 0)
    await store.finish()
  }

  @Test("canceling the waiting task ends the wait, and fails")
  func cancelling() async {
    let store = reports.store(timeoutClock: timeouts)
    let waiting = Task { await store.receive(Add.self) }
    await timeouts.sleepers(atLeast: 1)
    waiting.cancel()
    await waiting.value
    #expect(
      reports.failures == [
        "Expected to receive Add, but the waiting task was canceled. No effects are running."
      ])
  }

  @Test("a task that is already canceled does not wait")
  func cancelledBefore() async {
    let store = reports.store(timeoutClock: timeouts)
    let waiting = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      await store.receive(Add.self)
    }
    await waiting.value
    #expect(reports.failures.count == 1)
  }

  // MARK: Finishing

  @Test("finishing waits until the effects have ended, and asserts their last actions")
  func finishing() async {
    let store = reports.store(timeoutClock: timeouts)
    store.send(
      Run { [clock] dispatch in
        try? await clock.sleep(for: .seconds(1))
        dispatch(Add())
      })
    await clock.sleepers(atLeast: 1)
    let coming = Task { [timeouts, clock] in
      await timeouts.sleepers(atLeast: 1)
      clock.advance(by: .seconds(1))
    }
    await store.finish()
    await coming.value
    #expect(
      reports.failures == [
        "Not asserted at finish(): 1 received action\n  Add(amount: 1): count: 0 → 1"
      ])
  }

  @Test("finishing fails if effects still run, and reports their number, even if not everything is asserted")
  func stillRunning() async {
    let store = reports.store(timeout: .seconds(3), timeoutClock: timeouts)
    store.send(endless)
    store.send(endless)
    await clock.sleepers(atLeast: 2)
    let time = letPass(.seconds(3))
    let line: UInt = #line + 1
    await store.finish()
    await time.value
    store.send(endless)
    await clock.sleepers(atLeast: 3)
    store.exhaustivity = .off
    let shorter = letPass(.seconds(1))
    await store.finish(timeout: .seconds(1))
    await shorter.value
    #expect(
      reports.failures == [
        """
        2 effects are still running after 3 s.
          Make the effects end, or call `await store.skipRunningEffects()`.
        """,
        """
        3 effects are still running after 1 s.
          Make the effects end, or call `await store.skipRunningEffects()`.
        """,
      ])
    #expect(reports.all.first?.location.line == line)
  }

  @Test("canceling the finishing task ends the wait, and fails")
  func cancellingFinish() async {
    let store = reports.store(timeoutClock: timeouts)
    store.send(endless)
    await clock.sleepers(atLeast: 1)
    let waiting = Task { await store.finish() }
    await timeouts.sleepers(atLeast: 1)
    waiting.cancel()
    await waiting.value
    #expect(
      reports.failures == ["1 effect is still running when the waiting task was canceled."])
  }
}
