import FluxAsync
import FluxCore
import FluxTesting
import TestSupport
import Testing

@testable import FluxQuery

@Suite("Queries: events that other events hide", .unlessItHangs)
struct MissedEventTests {
  private let world = World()

  private func reconnect() {
    world.store.dispatch(AppActivity.offline)
    world.store.dispatch(AppActivity.online)
  }

  // MARK: Reconnection

  @Test("a failure that a written result has cleared does not prevent the refetch on reconnection")
  func clearedFailure() async {
    let (observer, _) = world.observe(7, QueryOptions(refetchesOnReconnect: true))
    await world.fail("film 7")
    world.store.write(Film(id: 7, title: "written"), to: FilmByID(id: 7))
    reconnect()
    #expect(observer.state.isFetching)
    await world.answer("film 7", "Playtime")
    #expect(observer.state.data?.title == "Playtime")
  }

  @Test("a request that fails while another thread delivers an older version is repeated on reconnection")
  func coalescedFailure() async {
    await world.load(7, "Playtime")
    let (observer, _) = world.observe(7)
    let (entered, gate) = (Gate(), Gate())
    let (store, isFirst) = (world.store, Shared(true))
    let token = store.subscribe(initial: false) { _ in
      guard isFirst.exchange(false) else { return }
      entered.open()
      gate.wait()
    }
    let worker = Worker { store.dispatch(Count()) }
    await resultOfThread { entered.wait() }
    store.prefetch(FilmByID(id: 7), .always)
    world.service.fail("film 7")
    while world.film(7).error == nil { await Task.yield() }
    gate.open()
    worker.join()
    await world.settled()
    reconnect()
    #expect(observer.state.isFetching)
    withExtendedLifetime(token) {}
  }

  @Test("a request that began before the network returned, and fails afterward, is repeated once")
  func lateFailure() async {
    let (observer, _) = world.observe(7)
    await world.service.calls.count(atLeast: 1)
    reconnect()
    world.service.fail("film 7")
    await world.service.calls.count(atLeast: 2)
    await world.fail("film 7")
    #expect(observer.state.error != nil)
    #expect(world.service.calls.values.count == 2)
  }

  // MARK: The end of a request

  @Test("a request that ends while its beginning is being delivered is not sent again")
  func endDuringDelivery() async {
    let (entered, gate, isLater, enteredLater, laterGate) = (Gate(), Gate(), Shared(false), Gate(), Gate())
    let token = Shared<SubscriptionToken?>(nil)
    // The observer of this plug-in is called before the observer of the cache. It stops the thread
    // that delivers, first before the request, and then with the version in which the request runs.
    var blocking = Plugin<AppState>()
    blocking.onStoreProxy = { store in
      token.value = store.subscribe(initial: false) { state in
        if state.count == 1, !isLater.value {
          entered.open()
          gate.wait()
        } else if state.queries.pendingRequests > 0, !isLater.exchange(true) {
          enteredLater.open()
          laterGate.wait()
        }
      }
    }
    let service = Service()
    let store = Store(
      reducer: appReducer, plugins: [blocking, QuerySlice(at: \AppState.queries).plugin],
      services: Services().with(service), state: AppState())
    let worker = Worker { store.dispatch(Count()) }
    await resultOfThread { entered.wait() }
    let observer = store.observe(FilmByID(id: 7)) { _ in }
    store.dispatch(Count())
    gate.open()
    await resultOfThread { enteredLater.wait() }
    service.fail("film 7")
    let coordinator = store.proxy.context.queryCoordinator
    while coordinator.isRequested(QueryKey(FilmByID(id: 7))) { await Task.yield() }
    laterGate.open()
    worker.join()
    #expect(store.state.queries.pendingRequests == 0)
    #expect(service.calls.values == ["film 7"])
    observer.cancel()
    token.value = nil
  }

  @Test("the polling interval begins with the end of a request that no version showed as running")
  func hiddenRequest() {
    var rules = QuerySubscriptions()
    let key = QueryKey(FilmByID(id: 7))
    var facts = Self.idle
    _ = rules.subscribed(to: key, QueryOptions(pollingInterval: .seconds(10)), at: .zero)
    _ = rules.changed(key, to: facts, at: .zero)
    facts.lastEnd = 1
    _ = rules.changed(key, to: facts, at: .seconds(5))
    #expect(rules.passed(.seconds(10)).isEmpty)
    #expect(rules.passed(.seconds(15)) == [.fetch(key, .always)])
  }

  private static let idle = QuerySubscriptions.Facts(
    incarnation: 1, isFetching: false, awaitsRefetch: false, invalidation: 0, hasResult: true,
    lifetime: .seconds(60))

  @Test("an entry whose removal a middleware has dropped is removed after its next lifetime")
  func droppedRemoval() async {
    let (isClosed, dropped, clock) = (Shared(true), EventLog<String>(), ManualClock())
    let gate: Middleware<AppState> = { _, _ in
      { next in
        { action in
          if action is RemoveQueries, isClosed.value { return dropped.record("\(action)") }
          next(action)
        }
      }
    }
    let store = Store(
      reducer: appReducer, middleware: [gate],
      plugins: [.asyncWork(clock: clock), QuerySlice(at: \AppState.queries).plugin],
      state: AppState())
    store.write(Film(id: 7, title: "Playtime"), to: FilmByID(id: 7))
    store.observe(FilmByID(id: 7)) { _ in }.cancel()
    clock.advance(by: .seconds(60))
    await dropped.count(atLeast: 1)
    #expect(store.state.queries.entries.count == 1)
    isClosed.value = false
    await clock.sleepers(atLeast: 1)
    clock.advance(by: .seconds(60))
    while !store.state.queries.entries.isEmpty { await Task.yield() }
  }

  // MARK: Failures

  /// A query that fetches another query.
  private struct Outer: Query {
    func fetch(in context: RequestContext<AppState>) async throws -> String {
      try await context.store.fetch(FilmByID(id: 7)).title
    }
  }

  @Test("a query that fails because another query was aborted has a failure")
  func nestedAbort() async {
    let observer = world.store.observe(Outer()) { _ in }
    await world.service.calls.count(atLeast: 1)
    world.store.dispatch(RemoveQueries(FilmByID(id: 7)))
    await world.settled()
    #expect(observer.state.error == QueryFailure(.failed, cause: QueryFailure(.aborted)))
  }

  // MARK: Times

  @Test("the answer of a mutation and an update of the server have the time of their arrival")
  func times() async throws {
    world.clock.advance(by: .seconds(5))
    let film = Film(id: 8, title: "Traffic")
    let change = Change(name: "change", answerEdits: [.write(film, to: FilmByID(id: 8))])
    world.store.mutate(change)
    await world.answer("change", "done")
    #expect(world.film(8).fulfilledAt == .seconds(5))
    let observer = world.store.observe(FilmByID(id: 8), QueryOptions(condition: .ifOlder(than: .seconds(60))))
    {
      _ in
    }
    #expect(!observer.state.isFetching)
    world.clock.advance(by: .seconds(5))
    QueryUpdates(of: FilmByID(id: 8), in: world.store.proxy).write(film)
    #expect(world.film(8).fulfilledAt == .seconds(10))
  }

  // MARK: Memory

  @Test("a running request does not keep the changes of other entries, unless it can contain entities")
  func confirmedEdits() async {
    await world.load(8, "Traffic")
    world.store.prefetch(FilmByID(id: 7))
    world.store.prefetch(BookList(name: "new"))
    for _ in 1...3 {
      world.store.write(Film(id: 8, title: "Parade"), to: FilmByID(id: 8))
    }
    let fetching = world.cache.contents.value.fetching
    #expect(fetching[QueryKey(FilmByID(id: 7))]?.confirmed.isEmpty == true)
    #expect(fetching[QueryKey(BookList(name: "new"))]?.confirmed.values.map(\.count) == [3])
  }

  @Test("the deadlines of entries that were observed many times do not accumulate")
  func deadlines() {
    var rules = QuerySubscriptions()
    let key = QueryKey(FilmByID(id: 7))
    _ = rules.changed(key, to: Self.idle, at: .zero)
    for second in 1...1_000 {
      let (number, _) = rules.subscribed(to: key, QueryOptions(), at: .milliseconds(second))
      _ = rules.unsubscribed(number, from: key, at: .milliseconds(second))
    }
    #expect(rules.countOfDeadlines < 30)
    #expect(rules.passed(.seconds(60)).isEmpty)
    #expect(rules.passed(.seconds(61)) == [.remove(key)])
  }
}
