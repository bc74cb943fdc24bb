import FluxAsync
import FluxCore
import FluxTesting
import TestSupport
import Testing

@Suite("A debounced stream", .unlessItHangs)
struct DebouncedStreamTests {
  private let clock = ManualClock()
  private let store = makeStore(Screen(count: 7))

  private var states: StateStream<Int> {
    store.proxy(for: \.count).states.debounced(for: .seconds(1), clock: clock)
  }

  private var counts: StateStream<Int> {
    store.values(of: \.count).debounced(for: .seconds(1), clock: clock)
  }

  @Test("a debounced stream delivers the first value after a quiet interval, and not earlier")
  func first() async {
    let consumer = Consumer(states)
    await clock.sleepers(atLeast: 1)
    clock.advance(by: .milliseconds(999))
    #expect(clock.sleepers == 1)
    #expect(consumer.values == [])
    clock.advance(by: .milliseconds(1))
    #expect(clock.sleepers == 0)
    await consumer.isGiven(1)
    #expect(consumer.values == [7])
    consumer.cancel()
  }

  @Test("a debounced stream delivers only the newest value, one duration after its arrival")
  func newest() async {
    let consumer = Consumer(states)
    await clock.sleepers(atLeast: 1)
    clock.advance(by: .milliseconds(600))
    store.set(8)
    clock.advance(by: .milliseconds(300))
    store.set(9)
    clock.advance(by: .milliseconds(100))
    // The time of the first value has passed, and the consumer sleeps until the last value's time,
    // which is 1.9 s.
    await clock.sleepers(atLeast: 1)
    clock.advance(by: .milliseconds(899))
    #expect(clock.sleepers == 1)
    #expect(consumer.values == [])
    clock.advance(by: .milliseconds(1))
    await consumer.isGiven(1)
    #expect(consumer.values == [9])
    consumer.cancel()
  }

  @Test("a debounced stream delivers one value for each quiet interval")
  func each() async {
    let consumer = Consumer(states)
    for count in 1...3 {
      await clock.sleepers(atLeast: 1)
      clock.advance(by: .seconds(1))
      await consumer.isGiven(count)
      await consumer.waits()
      store.set(count)
    }
    #expect(consumer.values == [7, 1, 2])
    consumer.cancel()
  }

  @Test("a debounced stream does not wake its consumer for a value that has to wait")
  func notWoken() async {
    let consumer = Consumer(states)
    await clock.sleepers(atLeast: 1)
    await consumer.waits()
    store.set(8)
    #expect(consumer.isWaiting)
    consumer.cancel()
  }

  @Test("a debounced stream delivers a value immediately to a late consumer if the quiet interval is over")
  func late() async {
    var states = states.makeAsyncIterator()
    store.set(8)
    clock.advance(by: .seconds(1))
    #expect(await states.next() == 8)
    #expect(clock.sleepers == 0)
  }

  @Test(
    "a debounced stream measures the interval from the arrival of a value, not from the consumer's request")
  func fromArrival() async {
    let iterator = states
    clock.advance(by: .seconds(5))
    let consumer = Consumer(iterator)
    clock.advance(by: .milliseconds(400))
    store.set(8)
    clock.advance(by: .milliseconds(700))
    await clock.sleepers(atLeast: 1)
    #expect(consumer.values == [])
    clock.advance(by: .milliseconds(300))
    await consumer.isGiven(1)
    #expect(consumer.values == [8])
    consumer.cancel()
  }

  @Test("a debounced stream delivers the waiting value immediately when the store is released, and then ends")
  func end() async {
    var store: Store<Screen>? = makeStore(Screen(count: 7))
    let consumer = store.map { Consumer($0.states.debounced(for: .seconds(1), clock: clock)) }
    await clock.sleepers(atLeast: 1)
    await consumer?.waits()
    store?.set(8)
    store = nil
    #expect(await consumer?.end().map(\.count) == [8])
    await until { clock.sleepers == 0 }
  }

  @Test("a debounced stream ends with the store if no value is waiting")
  func endOfNothing() async {
    var store: Store<Screen>? = makeStore(Screen(count: 7))
    let consumer = store.map { Consumer($0.states.debounced(for: .seconds(1), clock: clock)) }
    await clock.sleepers(atLeast: 1)
    clock.advance(by: .seconds(1))
    await consumer?.isGiven(1)
    store = nil
    #expect(await consumer?.end().map(\.count) == [7])
  }

  @Test("a repeated value of a slice does not restart the interval")
  func repeated() async {
    let consumer = Consumer(counts)
    await clock.sleepers(atLeast: 1)
    clock.advance(by: .milliseconds(600))
    store.dispatch(SetTitle(title: "other"))
    clock.advance(by: .milliseconds(400))
    await consumer.isGiven(1)
    #expect(consumer.values == [7])
    consumer.cancel()
  }

  @Test("a repeated state of all states restarts the interval")
  func repeatedState() async {
    let consumer = Consumer(states)
    await clock.sleepers(atLeast: 1)
    clock.advance(by: .milliseconds(600))
    store.set(7)
    clock.advance(by: .milliseconds(400))
    await clock.sleepers(atLeast: 1)
    clock.advance(by: .milliseconds(599))
    #expect(clock.sleepers == 1)
    #expect(consumer.values == [])
    consumer.cancel()
  }

  @Test("a value of a slice that changed and returned within the interval is not delivered again")
  func cameBack() async {
    let consumer = Consumer(counts)
    await clock.sleepers(atLeast: 1)
    clock.advance(by: .seconds(1))
    await consumer.isGiven(1)
    await consumer.waits()
    store.set(8)
    await clock.sleepers(atLeast: 1)
    store.set(7)
    clock.advance(by: .seconds(1))
    await until { clock.sleepers == 0 && consumer.isWaiting }
    store.set(9)
    await clock.sleepers(atLeast: 1)
    clock.advance(by: .seconds(1))
    await consumer.isGiven(2)
    #expect(consumer.values == [7, 9])
    consumer.cancel()
  }

  @Test("a debounced stream keeps only the newest value, whatever the buffering")
  func buffering() async {
    var states = states.buffering(.unbounded).makeAsyncIterator()
    store.set(8, 9)
    clock.advance(by: .seconds(1))
    #expect(await states.next() == 9)
    #expect(states.dropped == 2)
  }

  @Test(
    "a debounced stream delays no value for a duration of zero",
    arguments: [Duration.zero, .seconds(-1)])
  func noTime(duration: Duration) async {
    var states = store.states.debounced(for: duration, clock: clock).makeAsyncIterator()
    #expect(await states.next()?.count == 7)
  }

  @Test("a debounced stream uses the continuous clock by default")
  func standardClock() async {
    var states = store.states.debounced(for: .nanoseconds(1)).makeAsyncIterator()
    #expect(await states.next()?.count == 7)
  }

  @Test("a debounced stream delivers the value if the clock fails")
  func failingClock() async {
    var states = store.states.debounced(for: .seconds(1), clock: FailingClock()).makeAsyncIterator()
    #expect(await states.next()?.count == 7)
  }

  @Test("a debounced stream measures its own interval in each iteration")
  func iterations() async {
    let stream = states
    let early = Consumer(stream)
    await clock.sleepers(atLeast: 1)
    clock.advance(by: .milliseconds(500))
    let late = Consumer(stream)
    await clock.sleepers(atLeast: 2)
    clock.advance(by: .milliseconds(500))
    await early.isGiven(1)
    #expect(clock.sleepers == 1)
    #expect(late.values == [])
    clock.advance(by: .milliseconds(500))
    await late.isGiven(1)
    early.cancel()
    late.cancel()
  }
}

/// A clock that does not advance, and on which no task can wait.
private struct FailingClock: Clock {
  struct Failure: Error {}

  var now: ManualClock.Instant { ManualClock.Instant() }
  var minimumResolution: Duration { .zero }

  func sleep(until deadline: ManualClock.Instant, tolerance: Duration?) async throws {
    throw Failure()
  }
}
