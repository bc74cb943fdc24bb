import FluxAsync
import FluxCore
import TestSupport
import Testing

@Suite("A slice as a stream", .unlessItHangs)
struct SliceStreamTests {
  private let store = makeStore(Screen(count: 7))

  @Test("the first value is the present slice")
  func first() async {
    var counts = store.values(of: \.count).makeAsyncIterator()
    #expect(await counts.next() == 7)
  }

  @Test("a consumer receives values that differ from the last one")
  func changes() async {
    let consumer = Consumer(store.values(of: \.count))
    for count in [7, 8, 8, 9, 9, 7] {
      await consumer.waits()
      store.set(count)
    }
    await consumer.waits()
    #expect(consumer.values == [7, 8, 9, 7])
    consumer.cancel()
  }

  @Test("a consumer is not woken for an equal value")
  func notWoken() async {
    let consumer = Consumer(store.values(of: \.count))
    await consumer.waits()
    store.dispatch(SetTitle(title: "other"))
    #expect(consumer.isWaiting)
    store.set(8)
    await consumer.isGiven(2)
    #expect(consumer.values == [7, 8])
    consumer.cancel()
  }

  @Test("equal values occupy no space in the buffer")
  func noPlace() async {
    var counts = store.values(of: \.count).buffering(.newest(2)).makeAsyncIterator()
    store.set(8, 8, 8, 8)
    #expect(counts.dropped == 0)
    #expect(await counts.next() == 7)
    #expect(await counts.next() == 8)
  }

  @Test("a value that changed and returned while the consumer was busy is not delivered again")
  func cameBack() async {
    var counts: StateStream<Int>.Iterator
    do {
      let store = makeStore(Screen(count: 7))
      counts = store.values(of: \.count).makeAsyncIterator()
      #expect(await counts.next() == 7)
      store.set(8, 7)
    }
    #expect(await counts.next() == nil)
  }

  @Test("a value after one that returned is delivered")
  func afterComingBack() async {
    var counts = store.values(of: \.count).makeAsyncIterator()
    #expect(await counts.next() == 7)
    store.set(8, 7, 8)
    #expect(await counts.next() == 8)
  }

  @Test("a value that the buffer dropped is delivered when it occurs again")
  func refused() async {
    var counts = store.values(of: \.count).buffering(.oldest(1)).makeAsyncIterator()
    store.set(8)
    #expect(await counts.next() == 7)
    store.set(8)
    #expect(await counts.next() == 8)
  }

  @Test("a custom comparison decides which values are equal")
  func comparison() async {
    let consumer = Consumer(store.values(of: \.count, by: { $0 / 10 == $1 / 10 }))
    for count in [9, 10, 19, 25, 5] {
      await consumer.waits()
      store.set(count)
    }
    await consumer.waits()
    #expect(consumer.values == [7, 10, 25, 5])
    consumer.cancel()
  }

  @Test("a slice need not be Equatable if there is a comparison")
  func notEquatable() async {
    struct Pair: Sendable { let count: Int }
    var pairs = store.values(of: { Pair(count: $0.count) }, by: { $0.count == $1.count }).makeAsyncIterator()
    #expect(await pairs.next()?.count == 7)
  }

  @Test("a key path in a variable can be a slice")
  func keyPath() async {
    let path: any KeyPath<Screen, Int> & Sendable = \.count
    var counts = store.values(of: path).makeAsyncIterator()
    #expect(await counts.next() == 7)
  }

  @Test("a selector can be a slice, too")
  func selector() async {
    let doubled = StateSelector(\Screen.count) { count in count * 2 }
    var values = store.values(of: doubled.select).makeAsyncIterator()
    #expect(await values.next() == 14)
  }

  @Test("an optional slice delivers nil, and continues")
  func optional() async {
    let even: @Sendable (Screen) -> Int? = { $0.count.isMultiple(of: 2) ? $0.count : nil }
    let consumer = Consumer(store.values(of: even))
    for count in [2, 3, 5, 4] {
      await consumer.waits()
      store.set(count)
    }
    await consumer.waits()
    #expect(consumer.values == [nil, 2, nil, 4])
    consumer.cancel()
  }

  @Test("a slice of a proxy's part")
  func ofPart() async {
    let consumer = Consumer(store.proxy(for: \.title).values(of: \.count))
    await consumer.waits()
    store.dispatch(SetTitle(title: "four"))
    await consumer.waits()
    store.dispatch(SetTitle(title: "five"))
    #expect(consumer.isWaiting)
    #expect(consumer.values == [0, 4])
    consumer.cancel()
  }
}

@Suite("A stream without duplicates", .unlessItHangs)
struct DuplicateTests {
  private let store = makeStore(Screen(count: 7))

  @Test("equal states are omitted on request")
  func states() async {
    let consumer = Consumer(store.states.removingDuplicates())
    for count in [7, 8, 8, 7] {
      await consumer.waits()
      store.set(count)
    }
    await consumer.waits()
    #expect(consumer.values.map(\.count) == [7, 8, 7])
    consumer.cancel()
  }

  @Test("states that a comparison calls equal are omitted")
  func byComparison() async {
    let consumer = Consumer(store.states.removingDuplicates { $0.count % 2 == $1.count % 2 })
    for count in [9, 8, 6, 5] {
      await consumer.waits()
      store.set(count)
    }
    await consumer.waits()
    #expect(consumer.values.map(\.count) == [7, 8, 5])
    consumer.cancel()
  }

  @Test("another comparison replaces the previous one")
  func replaced() async {
    let consumer = Consumer(store.values(of: \.count).removingDuplicates { _, _ in false })
    await consumer.waits()
    store.set(7)
    await consumer.waits()
    #expect(consumer.values == [7, 7])
    consumer.cancel()
  }
}
