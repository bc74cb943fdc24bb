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

  @Test("gives the first value once it has been quiet, and not a moment before")
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

  @Test("gives the newest value only, one duration after it came")
  func newest() async {
    let consumer = Consumer(states)
    await clock.sleepers(atLeast: 1)
    clock.advance(by: .milliseconds(600))
    store.set(8)
    clock.advance(by: .milliseconds(300))
    store.set(9)
    clock.advance(by: .milliseconds(100))
    // The time of the first value has come, and it sleeps on to the last one's, which is 1.9 s.
    await clock.sleepers(atLeast: 1)
    clock.advance(by: .milliseconds(899))
    #expect(clock.sleepers == 1)
    #expect(consumer.values == [])
    clock.advance(by: .milliseconds(1))
    await consumer.isGiven(1)
    #expect(consumer.values == [9])
    consumer.cancel()
  }

  @Test("gives a value for each time of quiet")
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

  @Test("does not wake its consumer for a value that has to wait")
  func notWoken() async {
    let consumer = Consumer(states)
    await clock.sleepers(atLeast: 1)
    await consumer.waits()
    store.set(8)
    #expect(consumer.isWaiting)
    consumer.cancel()
  }

  @Test("gives a consumer that asks late what has long been quiet, at once")
  func late() async {
    var states = states.makeAsyncIterator()
    store.set(8)
    clock.advance(by: .seconds(1))
    #expect(await states.next() == 8)
    #expect(clock.sleepers == 0)
  }

  @Test("counts from when a value came, not from when the consumer asks")
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

  @Test("gives what it holds at once when the store goes, then the end")
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

  @Test("ends with the store when it holds nothing")
  func endOfNothing() async {
    var store: Store<Screen>? = makeStore(Screen(count: 7))
    let consumer = store.map { Consumer($0.states.debounced(for: .seconds(1), clock: clock)) }
    await clock.sleepers(atLeast: 1)
    clock.advance(by: .seconds(1))
    await consumer?.isGiven(1)
    store = nil
    #expect(await consumer?.end().map(\.count) == [7])
  }

  @Test("of a slice is not disturbed by a value that repeats")
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

  @Test("of all states is disturbed by a state that repeats")
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

  @Test("of a slice does not give a value again that went and came back before it was quiet")
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

  @Test("keeps the newest only, whatever the buffering")
  func buffering() async {
    var states = states.buffering(.unbounded).makeAsyncIterator()
    store.set(8, 9)
    clock.advance(by: .seconds(1))
    #expect(await states.next() == 9)
    #expect(states.dropped == 2)
  }

  @Test("holds nothing for no time", arguments: [Duration.zero, .seconds(-1)])
  func noTime(duration: Duration) async {
    var states = store.states.debounced(for: duration, clock: clock).makeAsyncIterator()
    #expect(await states.next()?.count == 7)
  }

  @Test("is on the continuous clock by default")
  func standardClock() async {
    var states = store.states.debounced(for: .nanoseconds(1)).makeAsyncIterator()
    #expect(await states.next()?.count == 7)
  }

  @Test("gives the value if the clock fails")
  func failingClock() async {
    var states = store.states.debounced(for: .seconds(1), clock: FailingClock()).makeAsyncIterator()
    #expect(await states.next()?.count == 7)
  }

  @Test("has a time of its own in each iteration")
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

/// A clock that stands still, and cannot wait.
private struct FailingClock: Clock {
  struct Failure: Error {}

  var now: ManualClock.Instant { ManualClock.Instant() }
  var minimumResolution: Duration { .zero }

  func sleep(until deadline: ManualClock.Instant, tolerance: Duration?) async throws {
    throw Failure()
  }
}
