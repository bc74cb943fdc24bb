import FluxTesting
import TestSupport
import Testing

@Suite("A manual clock", .unlessItHangs)
struct ManualClockTests {
  private let clock = ManualClock()

  /// A task that sleeps on the manual clock, and takes no real time.
  private func sleeper(untilSecond second: Int, cancelledBefore: Bool = false) -> Task<Void, any Error> {
    Task { [clock] in
      if cancelledBefore { withUnsafeCurrentTask { $0?.cancel() } }
      try await clock.sleep(until: .init(offset: .seconds(second)))
    }
  }

  @Test("time stops until it is advanced")
  func standing() {
    let before = clock.now
    #expect(clock.now == before)
    clock.advance(by: .seconds(2))
    #expect(before.duration(to: clock.now) == .seconds(2))
  }

  @Test("a sleeping task wakes when its deadline is reached, and not before")
  func waking() async throws {
    let sleeper = sleeper(untilSecond: 2)
    await clock.sleepers(atLeast: 1)
    clock.advance(by: .seconds(1))
    #expect(clock.sleepers == 1)
    clock.advance(by: .seconds(1))
    #expect(clock.sleepers == 0)
    try await sleeper.value
  }

  @Test("a sleep with a deadline in the past returns immediately")
  func passed() async throws {
    clock.advance(by: .seconds(5))
    try await sleeper(untilSecond: 5).value
    #expect(clock.sleepers == 0)
  }

  @Test("a task that is canceled during a sleep wakes immediately with an error")
  func cancelling() async {
    let sleeper = sleeper(untilSecond: 1)
    await clock.sleepers(atLeast: 1)
    sleeper.cancel()
    await #expect(throws: CancellationError.self) { try await sleeper.value }
    #expect(clock.sleepers == 0)
  }

  @Test("a task that is already canceled does not start to sleep")
  func cancelledBefore() async {
    let sleeper = sleeper(untilSecond: 1, cancelledBefore: true)
    await #expect(throws: CancellationError.self) { try await sleeper.value }
    #expect(clock.sleepers == 0)
  }

  @Test("a test can wait until several tasks are asleep")
  func several() async throws {
    let sleepers = (1...3).map { sleeper(untilSecond: $0) }
    await clock.sleepers(atLeast: 3)
    #expect(clock.sleepers == 3)
    clock.advance(by: .seconds(2))
    #expect(clock.sleepers == 1)
    clock.advance(by: .seconds(1))
    for sleeper in sleepers { try await sleeper.value }
  }

  // MARK: Time

  @Test("time may be advanced to an instant")
  func advancingTo() async throws {
    let sleeper = sleeper(untilSecond: 2)
    await clock.sleepers(atLeast: 1)
    clock.advance(to: .init(offset: .seconds(2)))
    try await sleeper.value
    #expect(clock.now.offset == .seconds(2))
  }

  @Test("time never goes back")
  func goingBack() {
    clock.advance(by: .seconds(2))
    clock.advance(by: .seconds(-1))
    clock.advance(to: .init(offset: .seconds(1)))
    #expect(clock.now.offset == .seconds(2))
  }

  @Test("a clock returns the next deadline, or nil if no task sleeps")
  func nextDeadline() async throws {
    #expect(clock.nextDeadline == nil)
    let sleepers = [3, 1, 2].map { sleeper(untilSecond: $0) }
    await clock.sleepers(atLeast: 3)
    #expect(clock.nextDeadline?.offset == .seconds(1))
    clock.advance(by: .seconds(1))
    #expect(clock.nextDeadline?.offset == .seconds(2))
    clock.advance(by: .seconds(2))
    #expect(clock.nextDeadline == nil)
    for sleeper in sleepers { try await sleeper.value }
  }

  @Test("every duration is exact")
  func resolution() {
    #expect(clock.minimumResolution == .zero)
  }

  @Test("instants are ordered and compared by their offsets")
  func instants() {
    let first = ManualClock.Instant()
    let second = first.advanced(by: .seconds(1))
    #expect(first < second)
    #expect(!(second < first))
    #expect(first.duration(to: second) == .seconds(1))
    #expect(second.duration(to: first) == .seconds(-1))
    #expect(second == ManualClock.Instant(offset: .seconds(1)))
  }

  @Test("a task that wakes can sleep again from the time after a jump")
  func jumping() async throws {
    let task = Task { [clock] in
      try await clock.sleep(for: .seconds(1))
      try await clock.sleep(for: .seconds(1))
      return clock.now.offset
    }
    await clock.sleepers(atLeast: 1)
    clock.advance(by: .seconds(10))
    await clock.sleepers(atLeast: 1)
    #expect(clock.nextDeadline?.offset == .seconds(11))
    clock.advance(by: .seconds(1))
    #expect(try await task.value == .seconds(11))
  }

  // MARK: Cancelling

  @Test("a canceled task is not woken again at its deadline, and the others are woken")
  func cancellingOne() async throws {
    let cancelled = sleeper(untilSecond: 1)
    let kept = sleeper(untilSecond: 1)
    await clock.sleepers(atLeast: 2)
    cancelled.cancel()
    #expect(clock.sleepers == 1)
    clock.advance(by: .seconds(1))
    try await kept.value
    await #expect(throws: CancellationError.self) { try await cancelled.value }
  }

  @Test("a cancellation after the deadline changes nothing")
  func cancelledAfter() async throws {
    let sleeper = sleeper(untilSecond: 1)
    await clock.sleepers(atLeast: 1)
    clock.advance(by: .seconds(1))
    sleeper.cancel()
    try await sleeper.value
  }

  @Test("a task that waits for sleepers stops waiting when it is canceled, before or during the wait")
  func cancelledWaiting() async {
    let waiting = (0..<100).map { _ in Task { [clock] in await clock.sleepers(atLeast: 1) } }
    for task in waiting {
      // Some tasks start to wait, and some do not.
      await Task.yield()
      task.cancel()
    }
    for task in waiting { await task.value }
    #expect(clock.sleepers == 0)
  }

  @Test("sleeping tasks of many threads are all woken")
  func threads() async throws {
    let sleepers = (0..<200).map { sleeper(untilSecond: $0 % 5 + 1) }
    await clock.sleepers(atLeast: 200)
    onThreads(4) { [clock] _ in for _ in 0..<5 { clock.advance(by: .milliseconds(250)) } }
    #expect(clock.now.offset == .seconds(5))
    for sleeper in sleepers { try await sleeper.value }
  }
}
