import FluxAsync
import FluxCore
import FluxQuery
import FluxTesting
import TestSupport
import Testing

@Suite("Queries that receive updates", .unlessItHangs)
struct StreamingTests {
  private let service = Service()
  private let sockets = Sockets()
  private let clock = ManualClock()
  private let errors = Recorder<String>()
  private let store: Store<AppState>
  /// The newest cache that the observers of queries have received.
  private let delivered = Shared(QueryCache())
  private let token: SubscriptionToken
  private let room = Messages(room: "a")

  init() {
    let errors = errors
    store = Store(
      reducer: appReducer,
      plugins: [
        .asyncWork(clock: clock, onError: { error, action in errors.record("\(action): \(error)") }),
        QuerySlice(at: \AppState.queries).plugin,
      ], services: Services().with(service).with(sockets), state: AppState())
    let delivered = delivered
    token = store.subscribe { delivered.value = $0.queries }
  }

  /// Waits until the cache satisfies a condition, and the observers have received it.
  private func until(_ condition: (QueryCache) -> Bool) async {
    while true {
      let cache = store.state.queries
      if condition(cache), delivered.value == cache { return }
      await Task.yield()
    }
  }

  private func messages(_ messages: [String]) async {
    await until { $0[room].data == messages }
  }

  @Test("updates begin with the first result, and are written into the entry")
  func updates() async {
    let observer = store.observe(room) { _ in }
    await service.calls.count(atLeast: 1)
    #expect(sockets.opened.values == [])
    service.answer("a", with: .success("hello"))
    await sockets.opened.count(atLeast: 1)
    sockets.send("world", to: "a")
    await messages(["hello", "world"])
    #expect(observer.state.data == ["hello", "world"])
  }

  @Test("a message that the server sends twice is shown once, and the second one notifies no observer")
  func sentTwice() async {
    let results = Recorder<[String]>()
    let observer = store.observe(room) { results.record($0.data ?? []) }
    service.answer("a", with: .success("hello"))
    await sockets.opened.count(atLeast: 1)
    for message in ["world", "world", "end"] { sockets.send(message, to: "a") }
    await messages(["hello", "world", "end"])
    #expect(observer.state.data == ["hello", "world", "end"])
    let values = results.values.filter { !$0.isEmpty }
    #expect(Set(values).count == values.count)
  }

  @Test("a refetch does not start the updates again")
  func refetch() async {
    let observer = store.observe(room) { _ in }
    service.answer("a", with: .success("hello"))
    await sockets.opened.count(atLeast: 1)
    observer.refetch()
    service.answer("a", with: .success("bye"))
    await messages(["bye"])
    sockets.send("world", to: "a")
    await messages(["bye", "world"])
    #expect(sockets.opened.values == ["a"])
  }

  @Test("an update that arrives during a request is applied to its answer")
  func duringRequest() async {
    let observer = store.observe(room) { _ in }
    service.answer("a", with: .success("hello"))
    await sockets.opened.count(atLeast: 1)
    observer.refetch()
    sockets.send("world", to: "a")
    await messages(["hello", "world"])
    service.answer("a", with: .success("bye"))
    await messages(["bye", "world"])
  }

  @Test("the updates end when the entry is removed, and begin again with a new entry")
  func removal() async {
    let observer = store.observe(room) { _ in }
    service.answer("a", with: .success("hello"))
    await sockets.opened.count(atLeast: 1)
    observer.cancel()
    clock.advance(by: .seconds(60))
    await sockets.closed.count(atLeast: 1)
    #expect(store.state.queries.entries.isEmpty)
    let second = store.observe(room) { _ in }
    service.answer("a", with: .success("again"))
    await sockets.opened.count(atLeast: 2)
    sockets.send("world", to: "a")
    await messages(["again", "world"])
    withExtendedLifetime(second) {}
  }

  @Test("an entry that is removed and created again in one batch receives its updates anew")
  func replacement() async {
    let observer = store.observe(room) { _ in }
    service.answer("a", with: .success("hello"))
    await sockets.opened.count(atLeast: 1)
    store.batch {
      store.dispatch(RemoveQueries(room))
      store.prefetch(room)
    }
    await sockets.closed.count(atLeast: 1)
    service.answer("a", with: .success("again"))
    await sockets.opened.count(atLeast: 2)
    sockets.send("world", to: "a")
    await messages(["again", "world"])
    withExtendedLifetime(observer) {}
  }

  @Test("each entry has its own updates")
  func twoEntries() async {
    let other = Messages(room: "b")
    let observers = [store.observe(room) { _ in }, store.observe(other) { _ in }]
    service.answer("a", with: .success("1"))
    service.answer("b", with: .success("2"))
    await sockets.opened.count(atLeast: 2)
    sockets.send("for b", to: "b")
    await until { $0[other].data == ["2", "for b"] }
    #expect(store.state.queries[room].data == ["1"])
    withExtendedLifetime(observers) {}
  }

  @Test("an error of the updates is reported, and the result remains")
  func failure() async {
    let observer = store.observe(room) { _ in }
    service.answer("a", with: .success("hello"))
    await sockets.opened.count(atLeast: 1)
    sockets.fail("a")
    while errors.count == 0 { await Task.yield() }
    #expect(errors.values == ["KeptWork<QueryKey>(key: Messages(room: \"a\")): trouble"])
    #expect(observer.state.data == ["hello"])
    #expect(observer.state.error == nil)
  }

  @Test("the updates end when the store is released")
  func storeGone() async {
    weak var released: Store<AppState>?
    do {
      let (service, sockets) = (service, sockets)
      let store = Store(
        reducer: appReducer, plugins: [QuerySlice(at: \AppState.queries).plugin],
        services: Services().with(service).with(sockets), state: AppState())
      released = store
      let observer = store.observe(room) { _ in }
      service.answer("a", with: .success("hello"))
      await sockets.opened.count(atLeast: 1)
      withExtendedLifetime(observer) {}
    }
    await sockets.closed.count(atLeast: 1)
    #expect(released == nil)
  }
}
