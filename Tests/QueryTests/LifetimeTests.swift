import FluxAsync
import FluxCore
import FluxQuery
import FluxTesting
import TestSupport
import Testing

@Suite("Queries: lifetimes and polling", .unlessItHangs)
struct LifetimeTests {
  private let world = World()

  private func has(_ query: some Query) -> Bool { world.cache.entries.contains { $0.id == QueryKey(query) } }

  // MARK: Removal

  @Test("an entry is removed 60 seconds after its last subscriber has gone, and not before")
  func defaultLifetime() async {
    let (first, _) = world.observe(7)
    let (second, _) = world.observe(7)
    await world.answer("film 7", "Playtime")
    first.cancel()
    world.clock.advance(by: .seconds(100))
    second.cancel()
    world.clock.advance(by: .seconds(59))
    #expect(has(FilmByID(id: 7)))
    world.clock.advance(by: .seconds(1))
    await world.until { $0.queries.entries.isEmpty }
  }

  @Test("a new subscriber ends the lifetime without subscribers")
  func subscribedAgain() async {
    let (first, _) = world.observe(7)
    await world.answer("film 7", "Playtime")
    first.cancel()
    world.clock.advance(by: .seconds(59))
    let (second, states) = world.observe(7)
    #expect(states.values.map(\.data?.title) == ["Playtime"])
    world.clock.advance(by: .seconds(59))
    second.cancel()
    await world.load(8, "Traffic")
    world.clock.advance(by: .seconds(59))
    #expect(has(FilmByID(id: 7)))
    world.clock.advance(by: .seconds(1))
    await world.until { $0.queries.entries.isEmpty }
  }

  @Test("an entry with a lifetime of zero is removed at once")
  func zero() async {
    let query = Custom("words", keptFor: .zero)
    let observer = world.store.observe(query) { _ in }
    await world.answer("words", "many")
    #expect(has(query))
    observer.cancel()
    #expect(!has(query))
  }

  @Test("an entry without a limit remains")
  func forever() async {
    let query = Custom("words", keptFor: nil)
    let observer = world.store.observe(query) { _ in }
    await world.answer("words", "many")
    observer.cancel()
    await world.load(7, "Playtime")
    world.clock.advance(by: .seconds(1_000_000))
    await world.until { $0.queries.entries.count == 1 }
    #expect(has(query))
  }

  @Test("removal aborts the request and its retries")
  func abortsRequest() async {
    let query = Custom(
      "words", keptFor: .seconds(5), .every.retrying(.times(9, backoff: .constant(.seconds(10)))))
    let observer = world.store.observe(query) { _ in }
    world.service.fail("words")
    await world.sleeps(for: .seconds(10))
    observer.cancel()
    world.clock.advance(by: .seconds(5))
    await world.until { $0.queries.entries.isEmpty }
    world.clock.advance(by: .seconds(5))
    #expect(world.cache.pendingRequests == 0)
    #expect(world.service.calls.values == ["words"])
    #expect(world.actions.values.contains { $0.hasPrefix("FetchQuery.Rejected") })
  }

  @Test("prefetching does not subscribe, and the lifetime begins when the request ends")
  func prefetch() async {
    world.store.prefetch(FilmByID(id: 7))
    #expect(world.store.subscribers(of: FilmByID(id: 7)) == 0)
    world.clock.advance(by: .seconds(100))
    await world.answer("film 7", "Playtime")
    world.clock.advance(by: .seconds(59))
    #expect(has(FilmByID(id: 7)))
    world.clock.advance(by: .seconds(1))
    await world.until { $0.queries.entries.isEmpty }
  }

  @Test("prefetching an unused entry again ends its lifetime, which begins again when the request ends")
  func prefetchAgain() async {
    await world.load(7, "Playtime")
    world.clock.advance(by: .seconds(59))
    world.store.prefetch(FilmByID(id: 7), .always)
    world.clock.advance(by: .seconds(59))
    #expect(world.film(7).isFetching)
    await world.answer("film 7", "Traffic")
    world.clock.advance(by: .seconds(59))
    #expect(world.film(7).data?.title == "Traffic")
    world.clock.advance(by: .seconds(1))
    await world.until { $0.queries.entries.isEmpty }
  }

  @Test("a caller that awaits a result keeps the entry until it has the result")
  func fetchKeeps() async throws {
    let query = Custom("words", keptFor: .zero)
    world.service.answer("words", with: .success("many"))
    #expect(try await world.store.fetch(query) == "many")
    #expect(!has(query))
  }

  @Test("an entry that is created again for a subscriber before its removal is fetched again afterward")
  func createdBeforeRemoval() async {
    let query = Custom("words", keptFor: .zero)
    let observers = Recorder<QueryObserver<Custom>>()
    let intruder: Middleware<AppState> = { dispatch, _ in
      { next in
        { action in
          guard action is RemoveQueries, observers.count == 1 else { return next(action) }
          next(action)
          observers.values[0].query = query
          next(action)
        }
      }
    }
    let store = Store(
      reducer: appReducer, middleware: [intruder], plugins: [QuerySlice(at: \AppState.queries).plugin],
      services: Services().with(world.service), state: AppState())
    let observer = store.observe(query) { _ in }
    observers.record(observer)
    world.service.answer("words", with: .success("few"))
    for await state in store.states where state.queries[query].data == "few" { break }
    observer.query = nil
    #expect(store.state.queries[query].isFetching)
    world.service.answer("words", with: .success("many"))
    for await state in store.states where state.queries[query].data == "many" { break }
    #expect(observer.state.currentData == "many")
  }

  @Test("a failed entry is removed like any other")
  func failed() async {
    let (observer, _) = world.observe(7)
    await world.fail("film 7")
    observer.cancel()
    world.clock.advance(by: .seconds(60))
    await world.until { $0.queries.entries.isEmpty }
  }

  @Test("entries of an initial state without subscribers are removed after their lifetime")
  func initialState() async {
    await world.load(7, "Playtime")
    let second = World(state: world.store.state)
    #expect(second.film(7).data?.title == "Playtime")
    second.clock.advance(by: .seconds(60))
    await second.until { $0.queries.entries.isEmpty }
  }

  @Test("removing an entry by hand leaves its subscribers with an empty state")
  func removedByHand() async {
    let (observer, states) = world.observe(7)
    await world.answer("film 7", "Playtime")
    world.store.dispatch(RemoveQueries(FilmByID(id: 7)))
    #expect(!observer.state.isFetching)
    #expect(observer.state.data == nil)
    #expect(states.values.last?.isUninitialized == true)
    #expect(world.cache.keys(providing: .type("Film")) == [])
  }

  @Test("resetting the cache empties it, and fetches the queries with subscribers again")
  func reset() async {
    let (observer, _) = world.observe(7)
    await world.answer("film 7", "Playtime")
    await world.load(8, "Traffic")
    _ = world.actions.takeAll()
    world.store.dispatch(ResetQueries())
    #expect(world.actions.values.filter { $0 == "FilmByID(id: 7)" }.count == 1)
    #expect(world.cache.entries.map(\.id) == [QueryKey(FilmByID(id: 7))])
    #expect(observer.state.isFetching)
    #expect(observer.state.data == nil)
    await world.answer("film 7", "Mon oncle")
    #expect(observer.state.currentData?.title == "Mon oncle")
  }

  @Test("resetting the cache aborts its requests")
  func resetAborts() async {
    world.store.prefetch(FilmByID(id: 7))
    await world.service.calls.count(atLeast: 1)
    world.store.dispatch(ResetQueries())
    #expect(world.cache.pendingRequests == 0)
    #expect(world.cache.entries.isEmpty)
    await world.service.cancelled.count(atLeast: 1)
  }

  // MARK: Polling

  private func polls(_ interval: Int, inBackground: Bool = true) -> QueryOptions {
    QueryOptions(pollingInterval: .seconds(interval), pausesPollingInBackground: !inBackground)
  }

  /// Waits until a number of calls have begun.
  private func calls(_ count: Int) async {
    await world.service.calls.count(atLeast: count)
    #expect(world.service.calls.values.count == count)
  }

  @Test("the next poll begins one interval after the previous request has ended")
  func polling() async {
    let (observer, _) = world.observe(7, polls(10))
    world.clock.advance(by: .seconds(100))
    await calls(1)
    await world.answer("film 7", "Playtime")
    world.clock.advance(by: .seconds(9))
    #expect(!world.film(7).isFetching)
    world.clock.advance(by: .seconds(1))
    await calls(2)
    await world.fail("film 7")
    world.clock.advance(by: .seconds(10))
    await calls(3)
    withExtendedLifetime(observer) {}
  }

  @Test("the shortest interval of all subscribers applies")
  func shortestInterval() async {
    let (slow, _) = world.observe(7, polls(60))
    await calls(1)
    await world.answer("film 7", "Playtime")
    let (fast, _) = world.observe(7, polls(10))
    world.clock.advance(by: .seconds(10))
    await calls(2)
    await world.answer("film 7", "Playtime")
    fast.cancel()
    world.clock.advance(by: .seconds(59))
    #expect(!world.film(7).isFetching)
    world.clock.advance(by: .seconds(1))
    await calls(3)
    withExtendedLifetime(slow) {}
  }

  @Test("polling ends with its subscriber")
  func pollingEnds() async {
    let (observer, _) = world.observe(7, polls(10))
    let (other, _) = world.observe(7)
    await calls(1)
    await world.answer("film 7", "Playtime")
    observer.cancel()
    await world.load(8, "Traffic")
    world.clock.advance(by: .seconds(100))
    await world.until { $0.queries.entries.count == 1 }
    #expect(world.service.calls.values == ["film 7", "film 8"])
    withExtendedLifetime(other) {}
  }

  @Test("an interval of zero does not poll")
  func zeroInterval() async {
    let (observer, _) = world.observe(7, polls(0))
    await world.answer("film 7", "Playtime")
    #expect(!world.film(7).isFetching)
    withExtendedLifetime(observer) {}
  }

  @Test("polling pauses in the background only if all subscribers that poll say so")
  func background() async {
    let (observer, _) = world.observe(7, polls(10, inBackground: false))
    await calls(1)
    await world.answer("film 7", "Playtime")
    world.store.dispatch(AppActivity.unfocused)
    world.clock.advance(by: .seconds(100))
    await world.load(8, "Traffic")
    #expect(!world.film(7).isFetching)
    world.store.dispatch(AppActivity.focused)
    #expect(world.film(7).isFetching)
    await world.answer("film 7", "Playtime")
    let (second, _) = world.observe(7, polls(20))
    world.store.dispatch(AppActivity.unfocused)
    world.clock.advance(by: .seconds(10))
    #expect(!world.film(7).isFetching)
    world.clock.advance(by: .seconds(10))
    await calls(4)
    withExtendedLifetime((observer, second)) {}
  }

  @Test("queries whose polls are due at the same time are fetched in the order of their subscribers")
  func pollingOrder() async {
    let ids = Array(1...9).reversed()
    let observers = ids.map { world.observe($0, polls(10, inBackground: false)).0 }
    for id in ids { world.service.answer("film \(id)") }
    await world.settled()
    world.store.dispatch(AppActivity.unfocused)
    world.clock.advance(by: .seconds(100))
    await world.load(10, "Traffic")
    _ = world.actions.takeAll()
    world.store.dispatch(AppActivity.focused)
    let fetched = world.actions.values.filter { $0.hasPrefix("FilmByID") }
    #expect(fetched == ids.map { "FilmByID(id: \($0)) always" })
    withExtendedLifetime(observers) {}
  }

  // MARK: Focus and reconnection

  @Test("on focus, the queries whose subscribers ask for it are fetched again, in order")
  func focus() async {
    let observers = [
      world.observe(9, QueryOptions(refetchesOnFocus: true)).0, world.observe(7).0,
      world.observe(8, QueryOptions(refetchesOnFocus: true)).0,
    ]
    for id in [7, 8, 9] { world.service.answer("film \(id)") }
    await world.settled()
    _ = world.actions.takeAll()
    world.store.dispatch(AppActivity.focused)
    #expect(world.cache.pendingRequests == 0)
    world.store.dispatch(AppActivity.unfocused)
    world.store.dispatch(AppActivity.focused)
    let fetched = world.actions.values.filter { $0.hasSuffix("always") && !$0.hasPrefix("FetchQuery") }
    #expect(fetched == ["FilmByID(id: 9) always", "FilmByID(id: 8) always"])
    withExtendedLifetime(observers) {}
  }

  @Test("the app can lose and regain the focus and the network in one batch")
  func batchOfActivity() async {
    let observers = [
      world.observe(7, QueryOptions(refetchesOnFocus: true)).0,
      world.observe(8, QueryOptions(refetchesOnReconnect: true)).0,
    ]
    for id in [7, 8] { world.service.answer("film \(id)") }
    await world.settled()
    world.store.batch {
      for activity in [AppActivity.unfocused, .focused] { world.store.dispatch(activity) }
    }
    #expect(world.film(7).isFetching && !world.film(8).isFetching)
    await world.answer("film 7", "Playtime")
    world.store.batch {
      for activity in [AppActivity.offline, .online] { world.store.dispatch(activity) }
    }
    #expect(!world.film(7).isFetching && world.film(8).isFetching)
    withExtendedLifetime(observers) {}
  }

  @Test("on reconnection, requests that have failed are sent again, in the order in which they failed")
  func failedRequests() async {
    let observers = [world.observe(7).0, world.observe(8).0, world.observe(9).0]
    await world.service.calls.count(atLeast: 3)
    for id in [9, 7] {
      world.service.fail("film \(id)")
      await world.until { $0.queries[FilmByID(id: id)].error != nil }
    }
    await world.answer("film 8", "Traffic")
    world.store.prefetch(FilmByID(id: 10))
    await world.fail("film 10")
    world.store.dispatch(AppActivity.offline)
    _ = world.actions.takeAll()
    world.store.dispatch(AppActivity.online)
    let fetched = world.actions.values.filter { $0.hasPrefix("FilmByID") }
    #expect(fetched == ["FilmByID(id: 9)", "FilmByID(id: 7)"])
    withExtendedLifetime(observers) {}
  }

  @Test("on reconnection, the queries whose subscribers ask for it are fetched again")
  func reconnection() async {
    let (observer, _) = world.observe(7, QueryOptions(refetchesOnReconnect: true))
    await world.answer("film 7", "Playtime")
    world.store.dispatch(AppActivity.offline)
    #expect(!world.cache.activity.isOnline)
    world.store.dispatch(AppActivity.focused)
    #expect(!world.film(7).isFetching)
    world.store.dispatch(AppActivity.online)
    #expect(world.film(7).isFetching)
    withExtendedLifetime(observer) {}
  }
}
