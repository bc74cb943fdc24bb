import FluxAsync
import FluxCore
import TestSupport
import Testing

// What a store is to those who know nothing of it but a protocol of the language: there an observable, here an
// asynchronous sequence.

extension CreateStoreTests {
  private static var foo: Parts { Parts(foo: 1) }
  private static var fooAndBar: Parts { Parts(foo: 1, bar: 2) }

  @Test(
    "the states of a store are what the language has for values that come one after another",
    .differs(32, because: "JavaScript proposes an observable; Swift has `AsyncSequence`."))
  func asSequence() async throws {
    let store = partsStore()
    let states: any AsyncSequence<Parts, Never> = store.states
    var iterator = states.makeAsyncIterator()
    #expect(await iterator.next(isolation: nil) == Parts())
  }

  @Test("the states of a store can be subscribed to, by iterating", .holds(33))
  func iterating() async {
    let store = partsStore()
    var states = store.states.makeAsyncIterator()
    #expect(await states.next() == Parts())
    store.dispatch(SetFoo())
    #expect(await states.next() == Self.foo)
  }

  @Test("to subscribe gives a value by which the subscription is ended", .holds(36))
  func subscription() {
    let store = partsStore()
    let heard = Recorder<Parts>()
    let token: SubscriptionToken = store.subscribe { (parts: Parts) in heard.record(parts) }
    token.cancel()
    store.dispatch(SetFoo())
    #expect(heard.values == [Parts()])
  }

  @Test("a sequence gives the state now, and then the one of each action", .holds(37))
  func allStates() async {
    let store = partsStore()
    var states = store.states.buffering(.unbounded).makeAsyncIterator()
    store.dispatch(SetFoo())
    store.dispatch(SetBar())
    var seen: [Parts?] = []
    for _ in 1...3 { seen.append(await states.next()) }
    #expect(seen == [Parts(), Self.foo, Self.fooAndBar])
  }

  @Test("a sequence gives nothing more once the task that iterates is cancelled", .holds(38))
  func cancelledSequence() async {
    let seen = await seen(of: partsStore()) { store, record in
      for await parts in store.states.buffering(.unbounded) { record(parts) }
    }
    #expect(seen == [Parts(), Self.foo])
  }

  @Test("a sequence of states goes through the operators that everybody has for sequences", .holds(39))
  func operators() async {
    let seen = await seen(of: partsStore()) { store, record in
      for await sum in store.states.buffering(.unbounded).map({ $0.foo + $0.bar }) { record(sum) }
    }
    #expect(seen == [0, 1])
  }

  /// What a task that iterates records until it is cancelled, after one of two actions.
  private func seen<Value: Sendable>(
    of store: Store<Parts>,
    _ iterate: @escaping @Sendable (Store<Parts>, (Value) -> Void) async -> Void
  ) async -> [Value] {
    let seen = EventLog<Value>()
    let consumer = Task { await iterate(store) { seen.record($0) } }
    await seen.count(atLeast: 1)
    store.dispatch(SetFoo())
    await seen.count(atLeast: 2)
    consumer.cancel()
    await consumer.value
    store.dispatch(SetBar())
    return seen.values
  }
}
