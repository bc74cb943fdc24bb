import FluxAsync
import FluxCore
import TestSupport
import Testing

// A store behind a protocol of the language for sequences of values: an observable in Redux, and
// an asynchronous sequence here.

extension CreateStoreTests {
  private static var foo: Parts { Parts(foo: 1) }
  private static var fooAndBar: Parts { Parts(foo: 1, bar: 2) }

  @Test(
    "the states of a store are an asynchronous sequence",
    .differs(
      32,
      because: """
        Redux implements the observable that is proposed for JavaScript. Flux uses the `AsyncSequence` of \
        Swift.
        """))
  func asSequence() async throws {
    let store = partsStore()
    let states: any AsyncSequence<Parts, Never> = store.states
    var iterator = states.makeAsyncIterator()
    #expect(await iterator.next(isolation: nil) == Parts())
  }

  @Test("iteration of the states of a store subscribes to it", .holds(33))
  func iterating() async {
    let store = partsStore()
    var states = store.states.makeAsyncIterator()
    #expect(await states.next() == Parts())
    store.dispatch(SetFoo())
    #expect(await states.next() == Self.foo)
  }

  @Test("a subscription returns a token that ends it", .holds(36))
  func subscription() {
    let store = partsStore()
    let heard = Recorder<Parts>()
    let token: SubscriptionToken = store.subscribe { (parts: Parts) in heard.record(parts) }
    token.cancel()
    store.dispatch(SetFoo())
    #expect(heard.values == [Parts()])
  }

  @Test("a sequence contains the current state, and then the state after each action", .holds(37))
  func allStates() async {
    let store = partsStore()
    var states = store.states.buffering(.unbounded).makeAsyncIterator()
    store.dispatch(SetFoo())
    store.dispatch(SetBar())
    var seen: [Parts?] = []
    for _ in 1...3 { seen.append(await states.next()) }
    #expect(seen == [Parts(), Self.foo, Self.fooAndBar])
  }

  @Test("a sequence delivers nothing after the iterating task is canceled", .holds(38))
  func cancelledSequence() async {
    #expect(await seen { $0.states.buffering(.unbounded) } == [Parts(), Self.foo])
  }

  @Test("a sequence of states supports the usual operators of sequences", .holds(39))
  func operators() async {
    #expect(await seen { $0.states.buffering(.unbounded).map { $0.foo + $0.bar } } == [0, 1])
  }

  /// The states that a task iterates until it is canceled, after one of two actions.
  ///
  /// If cancellation does not end the task, the end of the store does.
  private func seen<Values: AsyncSequence & Sendable>(
    _ values: (Store<Parts>) -> Values
  ) async -> [Values.Element] where Values.Element: Sendable, Values.Failure == Never {
    let seen = EventLog<Values.Element>()
    var store: Store<Parts>? = partsStore()
    let consumer = store.map(values).map { values in
      Task {
        for await value in values { seen.record(value) }
      }
    }
    await seen.count(atLeast: 1)
    store?.dispatch(SetFoo())
    await seen.count(atLeast: 2)
    consumer?.cancel()
    store?.dispatch(SetBar())
    store = nil
    await consumer?.value
    return seen.values
  }
}
