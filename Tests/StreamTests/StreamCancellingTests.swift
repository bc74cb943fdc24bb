import FluxAsync
import FluxCore
import FluxTesting
import TestSupport
import Testing

@Suite("A consumer whose task is cancelled", .unlessItHangs)
struct StreamCancellingTests {
  private let store = makeStore(Screen(count: 7))
  private let looks = Shared(0)

  /// A stream that counts how often its subscription looks at the state.
  private var counts: StateStream<Int> {
    store.values(of: { [looks] screen in
      looks.increment()
      return screen.count
    })
  }

  @Test("while it waits is given the end")
  func waiting() async {
    let consumer = Consumer(counts)
    await consumer.waits()
    consumer.cancel()
    #expect(await consumer.end() == [7])
  }

  @Test("has no subscription any more")
  func unsubscribed() async {
    let consumer = Consumer(counts)
    await consumer.waits()
    consumer.cancel()
    _ = await consumer.end()
    let before = looks.value
    store.set(8)
    #expect(looks.value == before)
  }

  @Test("before it asks is given the end, and not what is buffered")
  func before() async {
    let stream = counts
    let task = Task {
      var counts = stream.makeAsyncIterator()
      withUnsafeCurrentTask { $0?.cancel() }
      return await counts.next()
    }
    #expect(await task.value == nil)
  }

  @Test("before it asks has no subscription any more, once it has asked")
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

  @Test("inside the loop leaves it, without what came meanwhile")
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

  @Test("while its value is held for quiet is given the end, and nothing sleeps on")
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

  @Test("inside a reducer is given the end: cancelling does not touch the store")
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

  @Test("at any moment, while others dispatch, is given the end")
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
