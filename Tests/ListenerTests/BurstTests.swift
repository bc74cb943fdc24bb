import FluxAsync
import FluxCore
import FluxTesting
import TestSupport
import Testing

@Suite("A burst of runs that cancel each other", .unlessItHangs)
struct BurstTests {
  private static let count = 1_000

  /// The runs of a burst of actions: run 1 to run 1,000.
  private var runs: ListenerRuns<UInt64> {
    var runs = ListenerRuns<UInt64>()
    for number in 1...UInt64(Self.count) { runs.begin(number, number: number) }
    return runs
  }

  @Test("Each run is canceled once, although every later run cancels the runs before it")
  func eachOnce() {
    var runs = runs
    // The tasks of the canceled runs have not ended yet.
    let taken = (1...UInt64(Self.count)).map { runs.take(before: $0) }
    #expect(taken.first == [])
    #expect(taken.dropFirst().enumerated().allSatisfy { $0.element == [UInt64($0.offset) + 1] })
    #expect(runs.take() == [UInt64(Self.count)])
    #expect(!runs.isEmpty)
  }

  @Test("A run that begins after a cancellation is canceled by the next cancellation")
  func begunLater() {
    var runs = runs
    #expect(runs.take().count == Self.count)
    runs.begin(2_000, number: 2_000)
    runs.begin(2_001, number: 2_001)
    #expect(runs.take(before: 2_001) == [2_000])
  }

  @Test("Runs that were taken are released, while others remain")
  func taken() {
    let tracker = LifetimeTracker()
    var runs = ListenerRuns<LifetimeTracker.Tracked>()
    for number in 1...3 as ClosedRange<UInt64> { runs.begin(tracker.make(), number: number) }
    _ = runs.take(before: 3)
    #expect(tracker.alive == 1)
    #expect(runs.take().count == 1)
  }

  @Test("Finished runs are not canceled, whatever the order in which they finished")
  func endedRuns() {
    var runs = runs
    var generator = SeededGenerator(seed: 7)
    let ended = (1...UInt64(Self.count)).shuffled(using: &generator).prefix(900)
    for number in ended { runs.finish(number) }
    #expect(runs.take() == Set(1...UInt64(Self.count)).subtracting(ended).sorted())
  }

  @Test("All runs have finished when the last one has, canceled or not")
  func isEmpty() {
    var runs = ListenerRuns<UInt64>()
    #expect(runs.isEmpty)
    for number in 1...3 as ClosedRange<UInt64> { runs.begin(number, number: number) }
    _ = runs.take(before: 3)
    for number in 1...2 as ClosedRange<UInt64> { runs.finish(number) }
    #expect(!runs.isEmpty)
    runs.finish(3)
    #expect(runs.isEmpty)
  }

  @Test(
    "In a burst of actions whose runs cancel earlier runs, only the last run completes"
  )
  func burst() async {
    let scene = Scene()
    let (completed, superseded) = (Recorder<Int>(), Shared(0))
    let hasBegun = EventLog<Int>()
    scene.listeners.start(of: Add.self) { add, listener in
      hasBegun.record(add.amount)
      listener.cancelActiveListeners()
      do {
        try await listener.delay(for: .seconds(1))
        completed.record(add.amount)
      } catch let error as ListenerError where error.code == .listenerSuperseded {
        superseded.increment()
      }
    }
    let all = (0..<Self.count).map { scene.store.dispatchAsync(Add(amount: $0)) }
    // A run that was canceled before it began is not run at all, so only the last run certainly
    // sleeps.
    for task in all.dropLast() { await task.finished() }
    await scene.clock.sleepers(atLeast: 1)
    scene.clock.advance(by: .seconds(1))
    await all.last?.finished()
    #expect(completed.values == [Self.count - 1])
    #expect(superseded.value == hasBegun.values.count - 1)
  }
}
