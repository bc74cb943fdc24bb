import FluxAsync
import FluxCore
import TestSupport
import Testing

@Suite("Streams and threads", .unlessItHangs)
struct StreamThreadTests {
  @Test("values increase while several threads dispatch, and the last one is delivered in the end")
  func newest() async {
    var store: Store<Screen>? = makeStore()
    let consumers = store.map { store in
      [
        Consumer(store.values(of: \.count)), Consumer(store.proxy(for: \.count).states),
        Consumer(store.values(of: \.count).buffering(.newest(10))),
      ]
    }
    await besideConsumers(4) { [proxy = store?.proxy] _ in
      for _ in 0..<1_000 { proxy?.dispatch(Increment()) }
    }
    #expect(store?.state.count == 4_000)
    store = nil
    for consumer in consumers ?? [] {
      let values = await consumer.end()
      #expect(values.last == 4_000)
      #expect(zip(values, values.dropFirst()).allSatisfy { $0 < $1 })
    }
  }

  @Test("a waiting consumer receives the last value even if the store does not end")
  func withoutEnd() async {
    let store = makeStore()
    let consumer = Consumer(store.values(of: \.count))
    await besideConsumers(4) { _ in
      for _ in 0..<1_000 { store.dispatch(Increment()) }
    }
    await until { consumer.values.last == 4_000 }
    await consumer.waits()
    #expect(consumer.values.last == 4_000)
    consumer.cancel()
  }

  @Test("iterations that begin while other threads dispatch receive the last value, too")
  func beginning() async {
    var store: Store<Screen>? = makeStore()
    let consumers = Recorder<Consumer<Int>>()
    await besideConsumers(4) { [proxy = store?.proxy] index in
      for round in 0..<200 {
        if index == 0, round.isMultiple(of: 20), let proxy {
          consumers.record(Consumer(proxy.values(of: \.count)))
        }
        proxy?.dispatch(Increment())
      }
    }
    store = nil
    #expect(consumers.count == 10)
    for consumer in consumers.values { #expect(await consumer.end().last == 800) }
  }

  @Test("a store that is released while other threads dispatch ends every iteration")
  func ending() async {
    for _ in 0..<50 {
      let box = Shared<Store<Screen>?>(makeStore())
      let proxy = box.value?.proxy
      let consumers = [Consumer<Int>](
        (0..<3).compactMap { _ in proxy.map { Consumer($0.values(of: \.count)) } })
      await besideConsumers(3) { index in
        if index == 0 { _ = box.exchange(nil) }
        for _ in 0..<20 { proxy?.dispatch(Increment()) }
      }
      #expect(consumers.count == 3)
      for consumer in consumers {
        let values = await consumer.end()
        #expect(zip(values, values.dropFirst()).allSatisfy { $0 < $1 })
      }
    }
  }
}
