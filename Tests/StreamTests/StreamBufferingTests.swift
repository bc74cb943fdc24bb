import FluxAsync
import FluxCore
import TestSupport
import Testing

@Suite("A busy consumer", .unlessItHangs)
struct StreamBufferingTests {
  /// The values that a late consumer receives after the store has counted to five and was
  /// released, and the number of missed values.
  private func late(_ buffering: StreamBuffering?) async -> (values: [Int], dropped: Int) {
    var counts: StateStream<Int>.Iterator
    do {
      let store = makeStore()
      let stream = store.proxy(for: \.count).states
      counts = buffering.map { stream.buffering($0) }?.makeAsyncIterator() ?? stream.makeAsyncIterator()
      store.set(1, 2, 3, 4, 5)
    }
    var values: [Int] = []
    while let count = await counts.next() { values.append(count) }
    return (values, counts.dropped)
  }

  @Test("a busy consumer receives only the newest value by default")
  func standard() async {
    let late = await late(nil)
    #expect(late.values == [5])
    #expect(late.dropped == 5)
  }

  @Test("a busy consumer receives only the newest value with .newest")
  func newest() async {
    #expect(await late(.newest).values == [5])
  }

  @Test(
    "a busy consumer receives the given number of newest values, in order, with .newest(n)", arguments: 1...7)
  func newestOf(count: Int) async {
    let late = await late(.newest(count))
    #expect(late.values == Array((0...5).suffix(count)))
    #expect(late.dropped == max(0, 6 - count))
  }

  @Test(
    "a busy consumer receives the given number of oldest values, in order, with .oldest(n)", arguments: 1...7)
  func oldestOf(count: Int) async {
    let late = await late(.oldest(count))
    #expect(late.values == Array((0...5).prefix(count)))
    #expect(late.dropped == max(0, 6 - count))
  }

  @Test("a busy consumer receives every value with .unbounded")
  func unbounded() async {
    let late = await late(.unbounded)
    #expect(late.values == [0, 1, 2, 3, 4, 5])
    #expect(late.dropped == 0)
  }

  @Test("a busy consumer has space for at least one value", arguments: [0, -1, .min])
  func atLeastOne(count: Int) async {
    #expect(await late(.newest(count)).values == [5])
    #expect(await late(.oldest(count)).values == [0])
  }

  @Test("a busy consumer does not delay thousands of dispatches, and receives the last state")
  func slow() async {
    let store = makeStore()
    var states = store.states.makeAsyncIterator()
    for count in 1...20_000 { store.set(count) }
    #expect(states.dropped == 20_000)
    #expect(await states.next()?.count == 20_000)
    store.set(0)
    #expect(await states.next()?.count == 0)
  }

  @Test("a busy consumer receives later values in the space of taken ones")
  func refilled() async {
    let store = makeStore()
    var counts = store.proxy(for: \.count).states.buffering(.oldest(2)).makeAsyncIterator()
    store.set(1, 2)
    #expect(await counts.next() == 0)
    store.set(3, 4)
    #expect(await counts.next() == 1)
    #expect(await counts.next() == 3)
    #expect(counts.dropped == 2)
  }
}
