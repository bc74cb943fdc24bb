import FluxTesting
import TestSupport
import Testing

@Suite("A manual clock", .unlessItHangs)
struct ManualClockTests {
  private let clock = ManualClock()

  /// A task that sleeps on the manual clock, which takes no time of anybody's.
  private func sleeper(untilSecond second: Int, cancelledBefore: Bool = false) -> Task<Void, any Error> {
    Task { [clock] in
      if cancelledBefore { withUnsafeCurrentTask { $0?.cancel() } }
      try await clock.sleep(until: .init(offset: .seconds(second)))
    }
  }

  @Test("time stands still until it is advanced")
  func standing() {
    let before = clock.now
    #expect(clock.now == before)
    clock.advance(by: .seconds(2))
    #expect(before.duration(to: clock.now) == .seconds(2))
  }

  @Test("who sleeps is woken when the deadline has come, and not before")
  func waking() async throws {
    let sleeper = sleeper(untilSecond: 2)
    await clock.sleepers(atLeast: 1)
    clock.advance(by: .seconds(1))
    #expect(clock.sleepers == 1)
    clock.advance(by: .seconds(1))
    #expect(clock.sleepers == 0)
    try await sleeper.value
  }

  @Test("a deadline that has passed is not slept for")
  func passed() async throws {
    clock.advance(by: .seconds(5))
    try await sleeper(untilSecond: 5).value
    #expect(clock.sleepers == 0)
  }

  @Test("who is cancelled while asleep wakes at once, with an error")
  func cancelling() async {
    let sleeper = sleeper(untilSecond: 1)
    await clock.sleepers(atLeast: 1)
    sleeper.cancel()
    await #expect(throws: CancellationError.self) { try await sleeper.value }
    #expect(clock.sleepers == 0)
  }

  @Test("who was cancelled before does not fall asleep")
  func cancelledBefore() async {
    let sleeper = sleeper(untilSecond: 1, cancelledBefore: true)
    await #expect(throws: CancellationError.self) { try await sleeper.value }
    #expect(clock.sleepers == 0)
  }

  @Test("one can wait for several to be asleep")
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

  @Test("a clock tells when the next sleeper is to be woken, and that nobody sleeps")
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

  @Test("instants are ordered, and told apart, by their offsets")
  func instants() {
    let first = ManualClock.Instant()
    let second = first.advanced(by: .seconds(1))
    #expect(first < second)
    #expect(!(second < first))
    #expect(first.duration(to: second) == .seconds(1))
    #expect(second.duration(to: first) == .seconds(-1))
    #expect(second == ManualClock.Instant(offset: .seconds(1)))
  }

  @Test("who was woken sleeps on from the time after a jump")
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

  @Test("who is cancelled is not woken again when the deadline comes, and the others are")
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

  @Test("being cancelled after the deadline changes nothing")
  func cancelledAfter() async throws {
    let sleeper = sleeper(untilSecond: 1)
    await clock.sleepers(atLeast: 1)
    clock.advance(by: .seconds(1))
    sleeper.cancel()
    try await sleeper.value
  }

  @Test("who waits for sleepers waits no more once cancelled, be it before or while waiting")
  func cancelledWaiting() async {
    let waiting = (0..<100).map { _ in Task { [clock] in await clock.sleepers(atLeast: 1) } }
    for task in waiting {
      // Some get to wait, and some do not.
      await Task.yield()
      task.cancel()
    }
    for task in waiting { await task.value }
    #expect(clock.sleepers == 0)
  }

  @Test("sleepers from many threads at once are all woken")
  func threads() async throws {
    let sleepers = (0..<200).map { sleeper(untilSecond: $0 % 5 + 1) }
    await clock.sleepers(atLeast: 200)
    onThreads(4) { [clock] _ in for _ in 0..<5 { clock.advance(by: .milliseconds(250)) } }
    #expect(clock.now.offset == .seconds(5))
    for sleeper in sleepers { try await sleeper.value }
  }
}
