import FluxAsync
import FluxCore
import FluxTesting
import TestSupport
import Testing

@Suite("A consumer whose task is canceled", .unlessItHangs)
struct StreamCancellingTests {
  private let store = makeStore(Screen(count: 7))
  private let looks = Shared(0)

  /// A stream that counts how often its subscription reads the state.
  private var counts: StateStream<Int> {
    store.values(of: { [looks] screen in
      looks.increment()
      return screen.count
    })
  }

  @Test("a consumer that is canceled while it waits receives the end")
  func waiting() async {
    let consumer = Consumer(counts)
    await consumer.waits()
    consumer.cancel()
    #expect(await consumer.end() == [7])
  }

  @Test("a canceled consumer has no subscription anymore")
  func unsubscribed() async {
    let consumer = Consumer(counts)
    await consumer.waits()
    consumer.cancel()
    _ = await consumer.end()
    let before = looks.value
    store.set(8)
    #expect(looks.value == before)
  }

  @Test("a consumer that is canceled before a request receives the end, and no buffered values")
  func before() async {
    let stream = counts
    let task = Task {
      var counts = stream.makeAsyncIterator()
      withUnsafeCurrentTask { $0?.cancel() }
      return await counts.next()
    }
    #expect(await task.value == nil)
  }

  @Test("a consumer that is canceled before a request has no subscription after the request")
  func beforeUnsubscribed() async {
    let (stream, store, looks) = (counts, store, looks)
    let task = Task {
      var counts = stream.makeAsyncIterator()
      withUnsafeCurrentTask { $0?.cancel() }
      let first = await counts.next()
      store.set(8)
      let second = await counts.next()
      return (first, second, looks.value)
    }
    let (first, second, looksAtEnd) = await task.value
    #expect(first == nil)
    #expect(second == nil)
    #expect(looksAtEnd == 1)
  }

  @Test("a consumer that is canceled inside its loop leaves the loop without later values")
  func insideLoop() async {
    let (stream, store) = (counts.buffering(.unbounded), store)
    let task = Task {
      var seen: [Int] = []
      for await count in stream {
        seen.append(count)
        store.set(8, 9)
        withUnsafeCurrentTask { $0?.cancel() }
      }
      return seen
    }
    #expect(await task.value == [7])
  }

  @Test(
    "a consumer that is canceled while a value waits for its interval receives the end, and no task sleeps")
  func debouncing() async {
    let clock = ManualClock()
    let consumer = Consumer(counts.debounced(for: .seconds(1), clock: clock))
    await clock.sleepers(atLeast: 1)
    await consumer.waits()
    consumer.cancel()
    #expect(await consumer.end() == [])
    await until { clock.sleepers == 0 }
    let before = looks.value
    store.set(8)
    #expect(looks.value == before)
  }

  @Test(
    "a consumer canceled inside a reducer receives the end, since canceling does not access the store")
  func insideReducer() async {
    let box = Shared<Consumer<Int>?>(nil)
    let store = Store(
      reducer: { (_: inout Screen, _: any Action) in box.value?.cancel() }, state: Screen(count: 7))
    let consumer = Consumer(store.values(of: \.count))
    await consumer.waits()
    box.value = consumer
    store.set(8)
    #expect(await consumer.end() == [7])
    box.value = nil
  }

  @Test("a consumer that is canceled at any time, while other threads dispatch, receives the end")
  func atAnyMoment() async {
    for round in 0..<200 {
      let consumer = Consumer(store.states)
      if round.isMultiple(of: 2) { await consumer.waits() }
      await besideConsumers(2) { [store] index in
        if index == 0 { consumer.cancel() } else { store.set(1, 2, 3) }
      }
      _ = await consumer.end()
      #expect(!consumer.isWaiting)
    }
  }
}
