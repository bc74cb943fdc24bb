import FluxTesting
import Testing

@Suite("A manual clock")
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
}
