import FluxTesting
import TestSupport
import Testing

@Suite("A manual clock that runs", .unlessItHangs)
struct ManualClockRunningTests {
  private let clock = ManualClock()
  /// The times at which tasks woke, in seconds.
  private let woken = Recorder<Duration>()

  /// A task that wakes repeatedly until it is canceled.
  private func timer(every interval: Duration, stepsAside yields: Int = 0) -> Task<Void, Never> {
    Task { [clock, woken] in
      do {
        while true {
          for _ in 0..<yields { await Task.yield() }
          try await clock.sleep(for: interval)
          woken.record(clock.now.offset)
        }
      } catch {
        // Canceled.
      }
    }
  }

  /// A task that wakes once.
  private func sleeper(untilSecond second: Int) -> Task<Duration, any Error> {
    Task { [clock] in
      try await clock.sleep(until: .init(offset: .seconds(second)))
      return clock.now.offset
    }
  }

  @Test("a timer fires at each of its deadlines, and has finished its work when the run ends")
  func ticking() async {
    let timer = timer(every: .seconds(1))
    await clock.run(for: .milliseconds(3_500), sleepers: 1)
    #expect(woken.values == [.seconds(1), .seconds(2), .seconds(3)])
    #expect(clock.now.offset == .milliseconds(3_500))
    await clock.run(until: .init(offset: .seconds(5)), sleepers: 1)
    #expect(woken.values.count == 5)
    #expect(clock.now.offset == .seconds(5))
    timer.cancel()
    await timer.value
  }

  @Test("a run waits for the given number of tasks, however long they take to sleep again")
  func slow() async {
    let timers = [timer(every: .seconds(1), stepsAside: 500), timer(every: .seconds(2))]
    await clock.run(for: .seconds(4), sleepers: 2)
    #expect(woken.values == [1, 2, 2, 3, 4, 4].map { .seconds($0) })
    for timer in timers {
      timer.cancel()
      await timer.value
    }
  }

  @Test("several timers fire in the order of their deadlines")
  func several() async {
    let timers = [timer(every: .seconds(2)), timer(every: .seconds(3))]
    await clock.run(for: .seconds(9), sleepers: 2)
    #expect(woken.values == [2, 3, 4, 6, 6, 8, 9].map { .seconds($0) })
    for timer in timers {
      timer.cancel()
      await timer.value
    }
  }

  @Test("without sleeping tasks a run is a jump, and a run into the past does nothing")
  func nobody() async {
    await clock.run(for: .seconds(2))
    #expect(clock.now.offset == .seconds(2))
    await clock.run(for: .seconds(-1))
    await clock.run(until: .init(offset: .seconds(1)))
    #expect(clock.now.offset == .seconds(2))
    await clock.run()
    #expect(clock.now.offset == .seconds(2))
  }

  @Test("a task that sleeps for longer than the run continues to sleep")
  func sleepingOn() async throws {
    let sleeper = sleeper(untilSecond: 5)
    await clock.sleepers(atLeast: 1)
    await clock.run(for: .seconds(4), sleepers: 1)
    #expect(clock.sleepers == 1)
    clock.advance(by: .seconds(1))
    #expect(try await sleeper.value == .seconds(5))
  }

  @Test("a run without an end continues until no task sleeps")
  func toTheEnd() async throws {
    let sleepers = [1, 4, 9].map { sleeper(untilSecond: $0) }
    await clock.sleepers(atLeast: 3)
    await clock.run()
    #expect(clock.now.offset == .seconds(9))
    #expect(clock.sleepers == 0)
    for sleeper in sleepers { _ = try await sleeper.value }
  }

  @Test("a run ends when its task is canceled")
  func cancelling() async {
    let timer = timer(every: .seconds(1))
    await clock.sleepers(atLeast: 1)
    let endless = Task { [clock] in await clock.run() }
    let waiting = Task { [clock] in await clock.run(for: .seconds(1), sleepers: 100) }
    endless.cancel()
    waiting.cancel()
    await endless.value
    await waiting.value
    timer.cancel()
    await timer.value
  }

  // MARK: For the duration of an operation

  @Test("time passes from deadline to deadline until the operation ends")
  func operation() async throws {
    let result = try await clock.run(while: {
      for wait in 1...4 { try await clock.sleep(for: .seconds(wait)) }
      return "done"
    })
    #expect(result == "done")
    #expect(clock.now.offset == .seconds(10))
  }

  @Test("a run rethrows the error of its operation, and time stops again")
  func failing() async {
    struct Broken: Error, Equatable {}
    await #expect(throws: Broken()) {
      try await clock.run(while: {
        try await clock.sleep(for: .seconds(1))
        throw Broken()
      })
    }
    let sleeper = sleeper(untilSecond: 5)
    await clock.sleepers(atLeast: 1)
    #expect(clock.now.offset == .seconds(1))
    sleeper.cancel()
  }

  @Test("an operation that does not sleep takes no time, and need not throw")
  func quick() async {
    let result = await clock.run(while: { 7 })
    #expect(result == 7)
    #expect(clock.now.offset == .zero)
  }

  @Test("other sleeping tasks wake in their order")
  func others() async throws {
    let other = sleeper(untilSecond: 2)
    await clock.sleepers(atLeast: 1)
    try await clock.run(while: {
      #expect(try await other.value == .seconds(2))
      try await clock.sleep(until: .init(offset: .seconds(3)))
    })
    #expect(clock.now.offset == .seconds(3))
  }
}
