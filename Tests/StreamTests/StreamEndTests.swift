import FluxAsync
import FluxCore
import TestSupport
import Testing

@Suite("A stream and the end of its store", .unlessItHangs)
struct StreamEndTests {
  @Test("a waiting consumer receives the end when the store is released")
  func waiting() async {
    var store: Store<Screen>? = makeStore(Screen(count: 7))
    let consumer = store.map { Consumer($0.states) }
    await consumer?.waits()
    store = nil
    #expect(await consumer?.end().map(\.count) == [7])
  }

  @Test("a busy consumer first receives the buffered values")
  func busy() async {
    var store: Store<Screen>? = makeStore(Screen(count: 7))
    var states = store?.states.makeAsyncIterator()
    store?.set(8)
    store = nil
    #expect(await states?.next()?.count == 8)
    #expect(await states?.next() == nil)
    #expect(await states?.next() == nil)
  }

  @Test("a stream of a released store ends immediately")
  func gone() async {
    var store: Store<Screen>? = makeStore()
    let (stream, part) = (store?.states, store?.proxy(for: \.count).values(of: { $0 }))
    store = nil
    #expect(await stream?.first { _ in true } == nil)
    #expect(await part?.first { _ in true } == nil)
  }

  @Test("a stream of a part ends with the store")
  func part() async {
    var store: Store<Screen>? = makeStore(Screen(count: 7))
    let consumer = store.map { Consumer($0.proxy(for: \.count).proxy(for: { $0 * 2 }).states) }
    await consumer?.waits()
    store = nil
    #expect(await consumer?.end() == [14])
  }

  @Test("all iterations end with the store")
  func several() async {
    var store: Store<Screen>? = makeStore(Screen(count: 7))
    let stream = store?.values(of: \.count)
    let consumers = (0..<5).compactMap { _ in stream.map { Consumer($0) } }
    for consumer in consumers { await consumer.waits() }
    store = nil
    for consumer in consumers { #expect(await consumer.end() == [7]) }
  }

  @Test("a store that is released inside the loop ends the loop")
  func insideLoop() async {
    var store: Store<Screen>? = makeStore(Screen(count: 7))
    var seen: [Int] = []
    if let stream = store?.values(of: \.count) {
      for await count in stream {
        seen.append(count)
        store = nil
      }
    }
    #expect(seen == [7])
    #expect(store == nil)
  }

  @Test("a store that is released while another thread delivers ends the stream after that value")
  func whileDelivering() async {
    let (entered, open) = (Gate(), Gate())
    var store: Store<Screen>? = makeStore(Screen(count: 7))
    let stream = store?.values(of: { screen in
      if screen.count == 8 {
        entered.open()
        open.wait()
      }
      return screen.count
    })
    let consumer = stream.map { Consumer($0) }
    await consumer?.waits()
    let worker = Worker { [proxy = store?.proxy] in proxy?.dispatch(SetCount(count: 8)) }
    entered.wait()
    store = nil
    #expect(consumer?.isWaiting == true)
    open.open()
    worker.join()
    #expect(await consumer?.end() == [7, 8])
  }

  @Test("a store that is released while an earlier observer runs on another thread ends the stream, too")
  func whileObserverBeforeRuns() async {
    let (entered, open) = (Gate(), Gate())
    var store: Store<Screen>? = makeStore(Screen(count: 7))
    let token = store?.subscribe { screen in
      if screen.count == 8 {
        entered.open()
        open.wait()
      }
    }
    let consumer = store.map { Consumer($0.values(of: \.count)) }
    await consumer?.waits()
    let worker = Worker { [proxy = store?.proxy] in proxy?.dispatch(SetCount(count: 8)) }
    entered.wait()
    store = nil
    open.open()
    worker.join()
    #expect(await consumer?.end() == [7])
    token?.cancel()
  }

  @Test("a store that is released while the iteration begins ends the stream after the first value")
  func whileBeginning() async {
    let box = Shared<Store<Screen>?>(makeStore(Screen(count: 7)))
    let stream = box.value?.proxy.values(of: { screen in
      _ = box.exchange(nil)
      return screen.count
    })
    if let stream { #expect(await all(of: stream) == [7]) }
    #expect(stream != nil && box.value == nil)
  }
}

@Suite("Values that a stream keeps alive", .unlessItHangs)
struct StreamLifetimeTests {
  private struct Holding: FluxState {
    var object: LifetimeTracker.Tracked
  }

  private struct Replace: Action {}

  private let tracker = LifetimeTracker()

  private func makeHoldingStore() -> Store<Holding> {
    Store(
      reducer: { [tracker] (state: inout Holding, _: any Action) in state.object = tracker.make() },
      state: Holding(object: tracker.make()))
  }

  @Test("a sequence does not keep the store")
  func sequence() {
    var store: Store<Screen>? = makeStore()
    let released = WeakReference(store)
    let streams = store.map { ($0.states, $0.values(of: \.count), $0.states.debounced(for: .seconds(1))) }
    #expect(released.object != nil)
    store = nil
    #expect(released.object == nil)
    withExtendedLifetime(streams) {}
  }

  @Test("an iterator does not keep the store")
  func iterator() {
    var store: Store<Screen>? = makeStore()
    let released = WeakReference(store)
    let states = store?.states.makeAsyncIterator()
    let counts = store?.values(of: \.count).makeAsyncIterator()
    store = nil
    #expect(released.object == nil)
    #expect(states != nil && counts != nil)
  }

  @Test("a waiting consumer does not keep the store")
  func waiting() async {
    var store: Store<Screen>? = makeStore()
    let released = WeakReference(store)
    let consumer = store.map { Consumer($0.states) }
    await consumer?.waits()
    store = nil
    #expect(released.object == nil)
    _ = await consumer?.end()
  }

  @Test("a stream of a general source of states does not keep the store")
  func generic() {
    func stream<Source: StateSource>(of source: Source) -> StateStream<Source.State> { source.states }
    func anyStream(of source: any StateSource<Screen>) -> StateStream<Int> { source.values(of: \.count) }
    var store: Store<Screen>? = makeStore()
    let released = WeakReference(store)
    let streams = store.map { (stream(of: $0), anyStream(of: $0)) }
    store = nil
    #expect(released.object == nil)
    withExtendedLifetime(streams) {}
  }

  @Test("a state that a newer one replaced is released")
  func madeWay() {
    let store = makeHoldingStore()
    let states = store.states.makeAsyncIterator()
    for _ in 0..<5 { store.dispatch(Replace()) }
    #expect(tracker.alive == 1)
    withExtendedLifetime(states) {}
  }

  @Test("releasing the iterator releases the state")
  func dropped() {
    let store = makeHoldingStore()
    var states: StateStream<Holding>.Iterator? =
      store.states.buffering(.unbounded).removingDuplicates { _, _ in false }.makeAsyncIterator()
    for _ in 0..<5 { store.dispatch(Replace()) }
    #expect(tracker.alive == 6)
    states = nil
    #expect(tracker.alive == 1)
    #expect(states == nil)
  }

  @Test("canceling the consumer releases the state at the next request")
  func cancelled() async {
    let (store, tracker) = (makeHoldingStore(), tracker)
    let task = Task {
      let stream = store.states.buffering(.unbounded).removingDuplicates { _, _ in false }
      var states = stream.makeAsyncIterator()
      _ = await states.next()
      for _ in 0..<5 { store.dispatch(Replace()) }
      let before = tracker.alive
      withUnsafeCurrentTask { $0?.cancel() }
      let end = await states.next()
      #expect(end == nil)
      let after = tracker.alive
      withExtendedLifetime(states) {}
      return (before, after)
    }
    let (before, after) = await task.value
    #expect(before == 6)
    #expect(after == 1)
  }

  @Test("ending the iteration and releasing the stream releases the closure of a slice")
  func slice() async {
    let store = makeStore()
    func stream() -> StateStream<Int> {
      let object = tracker.make()
      return store.values(of: { screen in
        object.touch()
        return screen.count
      })
    }
    var counts: StateStream<Int>.Iterator? = stream().makeAsyncIterator()
    #expect(tracker.alive == 1)
    counts = nil
    #expect(tracker.alive == 0)
    #expect(counts == nil)
    let consumer = Consumer(stream())
    await consumer.waits()
    #expect(tracker.alive == 1)
    consumer.cancel()
    _ = await consumer.end()
    #expect(tracker.alive == 0)
  }

  @Test("releasing the last copy of an iterator ends its subscription")
  func droppedIterator() {
    let store = makeStore()
    let looks = Shared(0)
    let stream = store.values(of: { screen in
      looks.increment()
      return screen.count
    })
    var counts: StateStream<Int>.Iterator? = stream.makeAsyncIterator()
    var copy = counts
    store.set(1)
    #expect(looks.value == 2)
    counts = nil
    store.set(2)
    #expect(looks.value == 3)
    copy = nil
    store.set(3)
    #expect(looks.value == 3)
    #expect(counts == nil && copy == nil)
  }

  @Test("leaving a loop ends its subscription")
  func leftLoop() async {
    let store = makeStore()
    let looks = Shared(0)
    let stream = store.values(of: { screen in
      looks.increment()
      return screen.count
    })
    for await _ in stream { break }
    store.set(1)
    #expect(looks.value == 1)
  }
}
