import FluxAsync
import FluxCore
import FluxQuery
import FluxTesting
import TestSupport
import Testing

@Suite("Queries: keys, requests, and conditions", .unlessItHangs)
struct FetchingTests {
  private let world = World()

  // MARK: Keys

  @Test("equal queries of one type share an entry")
  func equalKeys() async {
    await world.load(7, "Playtime")
    #expect(world.cache[FilmByID(id: 7)].data?.title == "Playtime")
    #expect(world.cache[FilmByID(id: 8)].data == nil)
    #expect(world.cache.entries.count == 1)
  }

  private struct SameFields: Query {
    let id: Int
    func fetch(in context: RequestContext<AppState>) async throws -> String { "" }
  }

  @Test("queries of different types with equal properties have different entries")
  func differentTypes() async {
    #expect(QueryKey(FilmByID(id: 7)) != QueryKey(SameFields(id: 7)))
    await world.load(7, "Playtime")
    #expect(world.cache[SameFields(id: 7)].isUninitialized)
  }

  private struct Collides: Query {
    let id: Int
    func fetch(in context: RequestContext<AppState>) async throws -> String { "" }
    func hash(into hasher: inout Hasher) {}
  }

  @Test("queries with the same hash are distinguished by equality")
  func equalHashes() {
    #expect(QueryKey(Collides(id: 1)).hashValue == QueryKey(Collides(id: 2)).hashValue)
    #expect(QueryKey(Collides(id: 1)) != QueryKey(Collides(id: 2)))
    #expect(QueryKey(Collides(id: 1)) == QueryKey(Collides(id: 1)))
  }

  // MARK: Deduplication

  @Test("two observers of a query cause one request")
  func twoObservers() async {
    let (first, states) = world.observe(7)
    let (second, others) = world.observe(7)
    await world.answer("film 7", "Playtime")
    #expect(world.service.calls.values == ["film 7"])
    #expect(states.values.last?.data?.title == "Playtime")
    #expect(others.values.last?.data?.title == "Playtime")
    withExtendedLifetime((first, second)) {}
  }

  @Test("many threads that ask for a query at the same time cause one request")
  func manyThreads() async {
    let store = world.store
    onThreads(8) { _ in store.prefetch(FilmByID(id: 7)) }
    await world.answer("film 7", "Playtime")
    #expect(world.service.calls.values == ["film 7"])
    #expect(world.film(7).data?.title == "Playtime")
  }

  @Test("a request of another query runs at the same time")
  func otherQuery() async {
    world.store.prefetch(FilmByID(id: 7))
    world.store.prefetch(FilmByID(id: 8))
    #expect(world.cache.pendingRequests == 2)
    world.service.answer("film 8", with: .success("Traffic"))
    await world.until { $0.queries[FilmByID(id: 8)].data != nil }
    #expect(world.film(7).isLoading)
    await world.answer("film 7", "Playtime")
    #expect(world.cache.pendingRequests == 0)
  }

  @Test("a forced fetch during a request starts no second request")
  func forcedDuringRequest() async {
    world.store.prefetch(FilmByID(id: 7))
    world.store.dispatch(FetchQuery(FilmByID(id: 7), .always))
    await world.answer("film 7", "Playtime")
    #expect(world.service.calls.values == ["film 7"])
  }

  @Test("the answer of a request whose entry was removed and fetched again is dropped")
  func onlyTheNewestAnswer() async {
    let service = Service(heedsCancellation: false)
    let store = Store(
      reducer: appReducer, plugins: [QuerySlice(at: \AppState.queries).plugin],
      services: Services().with(service), state: AppState())
    store.prefetch(FilmByID(id: 7))
    await service.calls.count(atLeast: 1)
    store.dispatch(RemoveQueries(FilmByID(id: 7)))
    store.prefetch(FilmByID(id: 7))
    await service.calls.count(atLeast: 2)
    service.answer("film 7", with: .success("old"))
    service.answer("film 7", with: .success("new"))
    for await state in store.states where state.queries.pendingRequests == 0 { break }
    #expect(store.state.queries[FilmByID(id: 7)].data?.title == "new")
  }

  // MARK: Conditions

  @Test("a fresh result is not fetched again by default")
  func notNeeded() async {
    await world.load(7, "Playtime")
    world.store.prefetch(FilmByID(id: 7))
    world.store.dispatch(FetchQuery(FilmByID(id: 7)))
    let (observer, states) = world.observe(7)
    #expect(world.cache.pendingRequests == 0)
    #expect(states.values.map(\.data?.title) == ["Playtime"])
    withExtendedLifetime(observer) {}
  }

  @Test("a failed request is followed by another one when the query is wanted again")
  func failedBefore() async {
    world.store.prefetch(FilmByID(id: 7))
    await world.fail("film 7")
    let (observer, states) = world.observe(7)
    #expect(states.values.map(\.isFetching) == [true])
    #expect(states.values.map(\.isLoading) == [false], "the failure remains visible")
    await world.answer("film 7", "Playtime")
    #expect(world.film(7).isSuccess)
    withExtendedLifetime(observer) {}
  }

  @Test("a forced fetch fetches a fresh result again")
  func forced() async {
    await world.load(7, "Playtime")
    world.store.dispatch(FetchQuery(FilmByID(id: 7), .always))
    await world.answer("film 7", "Traffic")
    #expect(world.film(7).data?.title == "Traffic")
  }

  @Test("a result is fetched again when it has the given age, and not before")
  func ifOlder() async {
    await world.load(7, "Playtime")
    world.clock.advance(by: .seconds(29))
    world.store.prefetch(FilmByID(id: 7), .ifOlder(than: .seconds(30)))
    #expect(world.cache.pendingRequests == 0)
    world.clock.advance(by: .seconds(1))
    world.store.prefetch(FilmByID(id: 7), .ifOlder(than: .seconds(30)))
    #expect(world.film(7).isFetching)
    await world.answer("film 7", "Playtime")
    #expect(world.film(7).fulfilledAt == .seconds(30))
  }

  @Test("an invalidated result is fetched again when it is wanted")
  func invalidated() async {
    let world = World(refetching: .whenIdle)
    await world.load(7, "Playtime")
    world.store.prefetch(FilmByID(id: 8))
    world.store.dispatch(InvalidateTags(.type("Film", id: 7)))
    #expect(world.film(7).isInvalidated)
    world.store.prefetch(FilmByID(id: 7))
    #expect(world.film(7).isFetching)
    world.service.answer("film 8", with: .success("Traffic"))
    await world.answer("film 7", "Playtime")
    #expect(!world.film(7).isInvalidated)
  }

  // MARK: Awaiting

  @Test("a caller receives the result of its request")
  func fetch() async throws {
    async let film = world.store.fetch(FilmByID(id: 7))
    await world.service.calls.count(atLeast: 1)
    await world.answer("film 7", "Playtime")
    #expect(try await film.title == "Playtime")
  }

  @Test("a caller receives a fresh result without a request")
  func fetchFresh() async throws {
    await world.load(7, "Playtime")
    #expect(try await world.store.fetch(FilmByID(id: 7)).title == "Playtime")
    #expect(world.service.calls.values.count == 1)
  }

  @Test("callers wait for the request that is running")
  func fetchJoins() async throws {
    world.store.prefetch(FilmByID(id: 7))
    async let first = world.store.fetch(FilmByID(id: 7))
    async let second = world.store.fetch(FilmByID(id: 7), .always)
    await world.subscribers(of: 7, count: 2)
    await world.answer("film 7", "Playtime")
    #expect(try await [first.title, second.title] == ["Playtime", "Playtime"])
    #expect(world.service.calls.values.count == 1)
  }

  @Test("a caller receives the failure of its request")
  func fetchFails() async {
    world.service.fail("film 7")
    await #expect(throws: QueryFailure(.failed, cause: Service.Trouble())) {
      try await world.store.fetch(FilmByID(id: 7))
    }
  }

  @Test("a canceled caller stops waiting, and the request continues")
  func fetchCancelled() async {
    let store = world.store
    let (observer, states) = world.observe(7)
    let task = Task { try await store.fetch(FilmByID(id: 7)) }
    task.cancel()
    let result = await task.result
    #expect(throws: QueryFailure(.aborted)) { try result.get() }
    await world.answer("film 7", "Playtime")
    #expect(states.values.last?.data?.title == "Playtime")
    withExtendedLifetime(observer) {}
  }

  @Test("a caller of a store without a cache receives an error")
  func noCache() async {
    let store = Store(reducer: appReducer, state: AppState())
    await #expect(throws: QueryFailure(.noCache)) { try await store.fetch(FilmByID(id: 7)) }
  }

  // MARK: Retries and time limits

  @Test("a request is retried as its policy says, and is fetching all the time")
  func retries() async {
    let query = Custom("words", .every.retrying(.times(1, backoff: .constant(.seconds(1)))))
    world.service.fail("words")
    world.store.prefetch(query)
    await world.sleeps(for: .seconds(1))
    #expect(world.cache[query].isLoading)
    world.clock.advance(by: .seconds(1))
    await world.answer("words", "many")
    #expect(world.cache[query].data == "many")
    #expect(world.service.calls.values.count == 2)
  }

  @Test("the state of a request that is retried contains the failure of the previous attempt")
  func failedAttempts() async {
    let query = Custom("words", .every.retrying(.times(2, backoff: .constant(.seconds(1)))))
    let states = Recorder<Int>()
    let observer = world.store.observe(query, of: \.failedAttempts) { states.record($0) }
    for attempt in 1...2 {
      world.service.fail("words")
      await world.sleeps(for: .seconds(1))
      #expect(world.cache[query].failedAttempts == attempt)
      #expect(world.cache[query].attemptError == QueryFailure(.failed, cause: Service.Trouble()))
      #expect(world.cache[query].error == nil)
      world.clock.advance(by: .seconds(1))
    }
    await world.answer("words", "many")
    #expect(world.cache[query].attemptError == nil)
    #expect(states.values == [0, 1, 2, 0])
    withExtendedLifetime(observer) {}
  }

  @Test("an attempt that exceeds its time limit counts as failed with a time-out")
  func lateAttempt() async {
    let query = Custom(
      "words", .every.timingOut(after: .seconds(3)).retrying(.times(1, backoff: .constant(.seconds(1)))))
    world.store.prefetch(query)
    await world.sleeps(for: .seconds(3))
    world.clock.advance(by: .seconds(3))
    await world.until { $0.queries[query].failedAttempts == 1 }
    #expect(world.cache[query].attemptError == QueryFailure(.timedOut))
    world.store.dispatch(CancelWork(of: FetchQuery.self))
    await world.settled()
    #expect(world.cache[query].failedAttempts == 0)
  }

  @Test("a failed attempt of other work changes no query")
  func otherAttempt() {
    let failed = WorkAttemptFailed(error: Service.Trouble(), action: Count(), attempt: 1)
    world.store.dispatch(failed)
    world.store.dispatch(
      WorkAttemptFailed(error: Service.Trouble(), action: FetchQuery(FilmByID(id: 7)), attempt: 1))
    #expect(world.cache == QueryCache())
  }

  @Test("a request that exceeds its time limit fails with a time-out")
  func timeLimit() async {
    let query = Custom("words", .every.timingOut(after: .seconds(3)))
    world.store.prefetch(query)
    await world.sleeps(for: .seconds(3))
    world.clock.advance(by: .seconds(3))
    await world.settled()
    #expect(world.cache[query].error == QueryFailure(.timedOut))
  }

  @Test("an aborted request changes neither the result nor the error")
  func aborted() async {
    await world.load(7, "Playtime")
    world.store.dispatch(FetchQuery(FilmByID(id: 7), .always))
    world.store.dispatch(CancelWork(of: FetchQuery.self))
    #expect(!world.film(7).isFetching)
    #expect(world.film(7).data?.title == "Playtime")
    #expect(world.film(7).error == nil)
  }

  // MARK: Finding queries

  @Test("the queries of a type are listed in the order of their entries, without other queries")
  func queriesOfType() async {
    await world.load(8, "Traffic")
    world.store.prefetch(AllFilms())
    world.store.prefetch(FilmByID(id: 7))
    #expect(world.cache.queries(of: FilmByID.self) == [FilmByID(id: 8), FilmByID(id: 7)])
    #expect(world.cache.queries(of: Custom.self).isEmpty)
  }

  // MARK: Development

  @Test("an action of a store without a cache is reported")
  func missingPlugin() {
    let errors = Recorder<String>()
    let store = Store(
      reducer: appReducer,
      plugins: [.asyncWork(onError: { error, action in errors.record("\(action): \(error)") })],
      state: AppState())
    store.dispatch(FetchQuery(FilmByID(id: 7)))
    #expect(errors.values == ["FilmByID(id: 7): the store has no plug-in of a QuerySlice"])
  }

  @Test("a reducer finds the result of a query by its type")
  func typedValues() async {
    let titles = Recorder<String>()
    let reducer: ActionHandlers<AppState> = on(FetchQuery.Fulfilled.self) { _, action in
      if let film = action.value(of: FilmByID.self) { titles.record(film.title) }
    }
    let store = Store(
      reducer: reducer, plugins: [QuerySlice(at: \AppState.queries).plugin],
      services: Services().with(world.service), state: AppState())
    world.service.answer("film 7", with: .success("Playtime"))
    world.service.answer("films", with: .success("Traffic"))
    _ = try? await store.fetch(AllFilms())
    _ = try? await store.fetch(FilmByID(id: 7))
    #expect(titles.values == ["Playtime"])
  }

  @Test("the actions of a request name the query")
  func descriptions() async {
    await world.load(7, "Playtime")
    #expect(
      world.actions.values == [
        "FilmByID(id: 7) always", "FetchQuery.Pending(#1 FilmByID(id: 7) always)",
        "FetchQuery.Fulfilled(#1 FilmByID(id: 7) always: Film(id: 7, title: \"Playtime\"))",
      ])
  }

  @Test("a caller that fetches again as soon as it has a result receives a newer result each time")
  func fetchedAgainAtOnce() async throws {
    let counter = Shared(0)
    let store = Store(
      reducer: appReducer, plugins: [QuerySlice(at: \AppState.queries).plugin],
      services: Services().with(counter), state: AppState())
    for expected in 1...500 {
      #expect(try await store.fetch(Counted(), .always) == expected)
    }
  }
}

/// A query whose result is the number of its requests.
private struct Counted: Query {
  func fetch(in context: RequestContext<AppState>) async throws -> Int {
    try context.services(Shared<Int>.self).increment()
  }
}
