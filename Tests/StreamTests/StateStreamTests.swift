import FluxAsync
import FluxCore
import TestSupport
import Testing

@Suite("A state as a stream", .unlessItHangs)
struct StateStreamTests {
  private let store = makeStore(Screen(count: 7))

  @Test("the first value is the present state")
  func first() async {
    store.set(8)
    var states = store.states.makeAsyncIterator()
    #expect(await states.next() == Screen(count: 8))
  }

  @Test("a waiting consumer receives each new state")
  func each() async {
    let consumer = Consumer(store.states)
    for count in 1...5 {
      await consumer.waits()
      store.set(count)
    }
    await consumer.waits()
    #expect(consumer.values.map(\.count) == [7, 1, 2, 3, 4, 5])
    consumer.cancel()
  }

  @Test("a repeated state is delivered again")
  func repeats() async {
    let consumer = Consumer(store.states)
    await consumer.waits()
    store.set(7)
    await consumer.waits()
    #expect(consumer.values.map(\.count) == [7, 7])
    consumer.cancel()
  }

  @Test("the iteration begins when the iterator is made, not with the first request")
  func begins() async {
    var states = store.states.buffering(.unbounded).makeAsyncIterator()
    store.set(1)
    #expect(await states.next()?.count == 7)
    #expect(await states.next()?.count == 1)
  }

  @Test("the stream itself observes nothing")
  func lazy() async {
    let looks = Shared(0)
    let stream = store.values(of: { screen in
      looks.increment()
      return screen.count
    })
    store.set(1, 2)
    #expect(looks.value == 0)
    var counts = stream.makeAsyncIterator()
    #expect(looks.value == 1)
    #expect(await counts.next() == 2)
  }

  @Test("two iterations of one stream each receive all values")
  func twoIterations() async {
    let stream = store.states
    let (first, second) = (Consumer(stream), Consumer(stream))
    for count in 1...3 {
      await first.waits()
      await second.waits()
      store.set(count)
    }
    await first.waits()
    await second.waits()
    #expect(first.values.map(\.count) == [7, 1, 2, 3])
    #expect(second.values.map(\.count) == [7, 1, 2, 3])
    first.cancel()
    second.cancel()
  }

  @Test("the end of one iteration does not affect another")
  func independent() async {
    let stream = store.states
    let (first, second) = (Consumer(stream), Consumer(stream))
    await first.waits()
    await second.waits()
    first.cancel()
    _ = await first.end()
    store.set(1)
    await second.waits()
    #expect(second.values.map(\.count) == [7, 1])
    second.cancel()
  }

  @Test("a consumer may dispatch")
  func dispatches() async {
    var seen: [Int] = []
    for await state in store.states {
      seen.append(state.count)
      if state.count == 10 { break }
      store.dispatch(Increment())
    }
    #expect(seen == [7, 8, 9, 10])
  }

  @Test("an action that an observer dispatches is delivered, too")
  func nested() async {
    let token = store.subscribe(to: \.count) { [proxy = store.proxy] count in
      if count < 3 { proxy.dispatch(SetCount(count: count + 1)) }
    }
    let consumer = Consumer(store.states)
    await consumer.waits()
    store.set(1)
    await consumer.waits()
    #expect(consumer.values.last?.count == 3)
    consumer.cancel()
    token.cancel()
  }

  @Test("a batch delivers one value")
  func batch() async {
    var states = store.states.buffering(.unbounded).makeAsyncIterator()
    store.batch { store.set(1, 2, 3) }
    #expect(await states.next()?.count == 7)
    #expect(await states.next()?.count == 3)
    #expect(states.dropped == 0)
  }

  @Test("a proxy's stream delivers its part")
  func part() async {
    let consumer = Consumer(store.proxy(for: \.count).states)
    await consumer.waits()
    store.set(1)
    await consumer.waits()
    #expect(consumer.values == [7, 1])
    consumer.cancel()
  }

  @Test("a proxy for a type delivers nothing while the state has another type")
  func partOfType() async throws {
    struct Either: FluxState { var value: any Sendable = 1 }
    let store = Store(
      reducer: { (state: inout Either, action: any Action) in state.value = (action as? SetCount)?.count ?? ""
      },
      state: Either())
    let proxy = try #require(store.proxy(for: \.value).proxy(as: Int.self))
    let consumer = Consumer(proxy.states)
    await consumer.waits()
    store.dispatch(Increment())
    #expect(consumer.isWaiting)
    store.dispatch(SetCount(count: 2))
    await consumer.waits()
    #expect(consumer.values == [1, 2])
    consumer.cancel()
  }
}

@Suite("Streams are iterated from any isolation", .unlessItHangs)
struct StreamIsolationTests {
  private actor Reader {
    var sum = 0

    func read(_ stream: StateStream<Int>) async {
      for await value in stream {
        assertIsolated()
        sum += value
        if sum == 6 { break }
      }
    }
  }

  private final class Label {
    var text = ""
  }

  @Test("on an actor")
  func onActor() async {
    let store = makeStore(Screen(count: 5))
    let reader = Reader()
    let stream = store.values(of: \.count).buffering(.unbounded)
    async let reading: Void = reader.read(stream)
    while await reader.sum < 5 { await Task.yield() }
    store.set(1)
    await reading
    #expect(await reader.sum == 6)
  }

  @Test("on the main actor, with values that are not Sendable")
  @MainActor
  func onMain() async {
    let store = makeStore(Screen(title: "one"))
    let label = Label()
    for await title in store.values(of: \.title) {
      MainActor.assertIsolated()
      label.text += title
      if title == "two" { break }
      store.dispatch(SetTitle(title: "two"))
    }
    #expect(label.text == "onetwo")
  }

  @Test("without isolation, as a sequence of any type")
  func generic() async {
    func first<S: AsyncSequence>(of sequence: S) async throws(S.Failure) -> S.Element? {
      var iterator = sequence.makeAsyncIterator()
      return try await iterator.next(isolation: nil)
    }
    let store = makeStore(Screen(count: 5))
    #expect(await first(of: store.states)?.count == 5)
    #expect(await first(of: store.values(of: \.count).map { $0 * 2 }) == 10)
  }

  @Test("two tasks that wait for one iterator stop the program with a message")
  func waitedTwice() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      await Self.waitTwice()
    }
    expect(result, says: "two tasks await the next Screen from one iterator")
  }

  @MainActor
  private static func waitTwice() async {
    let store = makeStore()
    var states = store.states.makeAsyncIterator()
    _ = await states.next(isolation: MainActor.shared)
    let copy = states
    let tasks = (1...2).map { _ in
      Task { @MainActor in
        var mine = copy
        _ = await mine.next(isolation: MainActor.shared)
      }
    }
    for task in tasks { await task.value }
    withExtendedLifetime(store) {}
  }
}
