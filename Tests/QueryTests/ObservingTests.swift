import FluxAsync
import FluxCore
import FluxQuery
import FluxTesting
import TestSupport
import Testing

@Suite("Queries: what observers receive", .unlessItHangs)
struct ObservingTests {
  private let world = World()

  /// The properties that a view shows.
  private func summary(_ state: QueryState<Film>) -> String {
    let flags = [
      (state.isUninitialized, "uninitialized"), (state.isLoading, "loading"), (state.isFetching, "fetching"),
      (state.isSuccess, "success"), (state.error != nil, "error"), (state.isInvalidated, "invalidated"),
    ]
    return ([state.data?.title ?? "-"] + flags.filter(\.0).map(\.1)).joined(separator: " ")
  }

  private func summaries(_ states: Recorder<QueryState<Film>>) -> [String] { states.values.map(summary) }

  // MARK: Status

  @Test("a query is loading, then it has a result")
  func firstRequest() async {
    let (observer, states) = world.observe(7)
    await world.answer("film 7", "Playtime")
    #expect(summaries(states) == ["- loading fetching", "Playtime success"])
    withExtendedLifetime(observer) {}
  }

  @Test("during a second request, the result remains and the query is not loading")
  func secondRequest() async {
    let (observer, states) = world.observe(7)
    await world.answer("film 7", "Playtime")
    _ = states.takeAll()
    observer.refetch()
    await world.answer("film 7", "Traffic")
    #expect(summaries(states) == ["Playtime fetching success", "Traffic success"])
    withExtendedLifetime(observer) {}
  }

  @Test("a failure keeps the result, and the next result clears the failure")
  func failureAfterSuccess() async {
    let (observer, states) = world.observe(7)
    await world.answer("film 7", "Playtime")
    observer.refetch()
    await world.fail("film 7")
    #expect(summary(observer.state) == "Playtime error")
    #expect(observer.state.error == QueryFailure(.failed, cause: Service.Trouble()))
    observer.refetch()
    #expect(summary(observer.state) == "Playtime fetching error")
    await world.answer("film 7", "Traffic")
    #expect(summary(observer.state) == "Traffic success")
    #expect(states.count == 6)
  }

  @Test("a first request that fails has neither a result nor success")
  func failureFirst() async {
    let (observer, states) = world.observe(7)
    await world.fail("film 7")
    #expect(summaries(states) == ["- loading fetching", "- error"])
    withExtendedLifetime(observer) {}
  }

  @Test("the time of the last result is the time of the store's clock")
  func fulfilledAt() async {
    world.clock.advance(by: .seconds(5))
    await world.load(7, "Playtime")
    #expect(world.film(7).fulfilledAt == .seconds(5))
    world.clock.advance(by: .seconds(5))
    world.store.dispatch(FetchQuery(FilmByID(id: 7), .always))
    await world.fail("film 7")
    #expect(world.film(7).fulfilledAt == .seconds(5))
  }

  // MARK: Changing the query

  @Test("after the query has changed, the result of the previous query is shown until the new one arrives")
  func changedQuery() async {
    let (observer, states) = world.observe(7)
    await world.answer("film 7", "Playtime")
    _ = states.takeAll()
    observer.query = FilmByID(id: 8)
    #expect(observer.state.data?.title == "Playtime")
    #expect(observer.state.currentData == nil)
    #expect(!observer.state.isLoading && observer.state.isFetching)
    await world.answer("film 8", "Traffic")
    #expect(summaries(states) == ["Playtime fetching success", "Traffic success"])
    #expect(observer.state.currentData?.title == "Traffic")
  }

  @Test("an observer whose query has changed receives nothing about the previous query")
  func previousQuery() async {
    let (observer, states) = world.observe(7)
    observer.query = FilmByID(id: 8)
    world.service.answer("film 8", with: .success("Traffic"))
    await world.until { $0.queries[FilmByID(id: 8)].isSuccess }
    _ = states.takeAll()
    await world.answer("film 7", "Playtime")
    #expect(states.count == 0)
    withExtendedLifetime(observer) {}
  }

  @Test("without a query, the observer keeps the last result and does not subscribe")
  func noQuery() async {
    let (observer, _) = world.observe(7)
    await world.answer("film 7", "Playtime")
    observer.query = nil
    #expect(summary(observer.state) == "Playtime success")
    #expect(observer.state.currentData == nil)
    #expect(world.store.subscribers(of: FilmByID(id: 7)) == 0)
    observer.refetch()
    #expect(world.cache.pendingRequests == 0)
  }

  @Test("an observer can begin without a query")
  func beginsWithoutQuery() async {
    let states = Recorder<QueryState<Film>>()
    let observer = world.store.observe(nil as FilmByID?) { states.record($0) }
    #expect(summaries(states) == ["- uninitialized"])
    #expect(world.cache.entries.isEmpty)
    observer.query = FilmByID(id: 7)
    await world.answer("film 7", "Playtime")
    #expect(states.values.last?.data?.title == "Playtime")
  }

  @Test("assigning an equal query has no effect")
  func equalQuery() async {
    let (observer, states) = world.observe(7)
    await world.answer("film 7", "Playtime")
    _ = states.takeAll()
    observer.query = FilmByID(id: 7)
    #expect(states.count == 0)
    #expect(world.store.subscribers(of: FilmByID(id: 7)) == 1)
  }

  @Test("changing the query subscribes before it unsubscribes, so a shared entry is not removed")
  func sharedEntry() async {
    let query = Custom("words", keptFor: .zero)
    let observer = world.store.observe(query) { _ in }
    await world.answer("words", "many")
    let second = world.store.observe(Custom("other", keptFor: .zero)) { _ in }
    second.query = query
    observer.query = Custom("other", keptFor: .zero)
    #expect(world.cache[query].data == "many")
  }

  // MARK: Ending

  @Test("a canceled observer is not called, and does not count as a subscriber")
  func cancelled() async {
    let (observer, states) = world.observe(7)
    observer.cancel()
    await world.answer("film 7", "Playtime")
    #expect(summaries(states) == ["- loading fetching"])
    #expect(world.store.subscribers(of: FilmByID(id: 7)) == 0)
    observer.query = FilmByID(id: 8)
    #expect(world.store.subscribers(of: FilmByID(id: 8)) == 0)
  }

  @Test("releasing an observer cancels it")
  func released() async {
    do {
      let (observer, _) = world.observe(7)
      #expect(world.store.subscribers(of: FilmByID(id: 7)) == 1)
      withExtendedLifetime(observer) {}
    }
    #expect(world.store.subscribers(of: FilmByID(id: 7)) == 0)
  }

  @Test("an observer does not keep the store alive, and receives nothing after the store has gone")
  func storeGone() async {
    let states = Recorder<QueryState<Film>>()
    weak var released: Store<AppState>?
    let observer: QueryObserver<FilmByID>
    do {
      let world = World()
      released = world.store
      observer = world.store.observe(FilmByID(id: 7)) { states.record($0) }
    }
    #expect(released == nil)
    let count = states.count
    observer.refetch()
    observer.query = FilmByID(id: 8)
    #expect(observer.state.currentData == nil)
    #expect(states.count == count)
  }

  @Test("an observer of a store without a cache receives an error")
  func noCache() {
    let store = Store(reducer: appReducer, state: AppState())
    let errors = Recorder<QueryFailure?>()
    let observer = store.observe(FilmByID(id: 7)) { errors.record($0.error) }
    #expect(errors.values == [QueryFailure(.noCache)])
    #expect(observer.state.error == QueryFailure(.noCache))
  }

  // MARK: Selection

  @Test("an observer of a part is called only when the part has changed")
  func parts() async {
    let titles = Recorder<String?>()
    let observer = world.store.observe(FilmByID(id: 7), of: { $0.data?.title }) { titles.record($0) }
    await world.answer("film 7", "Playtime")
    observer.refetch()
    await world.answer("film 7", "Playtime")
    observer.refetch()
    await world.answer("film 7", "Traffic")
    #expect(titles.values == [nil, "Playtime", "Traffic"])
  }

  @Test("observers are not called when another entry changes")
  func otherEntries() async {
    let (observer, states) = world.observe(7)
    await world.answer("film 7", "Playtime")
    _ = states.takeAll()
    for id in 100..<110 { await world.load(id, "Film \(id)") }
    #expect(states.count == 0)
    withExtendedLifetime(observer) {}
  }

  @Test("an observer can change the query, and can fetch, while it is called")
  func reentrant() async {
    let seen = Recorder<String>()
    let observer = Shared<QueryObserver<FilmByID>?>(nil)
    let made = world.store.observe(nil as FilmByID?) { state in
      seen.record(state.data?.title ?? "-")
      if state.data?.title == "Playtime" { observer.value?.query = FilmByID(id: 8) }
    }
    observer.value = made
    made.query = FilmByID(id: 7)
    world.service.answer("film 8", with: .success("Traffic"))
    await world.answer("film 7", "Playtime")
    #expect(Set(seen.values) == ["-", "Playtime", "Traffic"])
    #expect(seen.values.last == "Traffic")
    #expect(made.state.currentData?.title == "Traffic")
    observer.value = nil
  }

  // MARK: Structural sharing

  @Test("a result that is equal to the previous result does not call an observer of the result")
  func equalResult() async {
    let results = Recorder<Film?>()
    let observer = world.store.observe(FilmByID(id: 7), of: \.data) { results.record($0) }
    await world.answer("film 7", "Playtime")
    let revision = world.cache.entries.first
    observer.refetch()
    await world.answer("film 7", "Playtime")
    #expect(results.values.map { $0?.title } == [nil, "Playtime"])
    #expect(world.cache.entries.first?.value as? Film == revision?.value as? Film)
  }

  @Test("an equal result that is written later does not call an observer")
  func laterWrite() async {
    world.store.write(Film(id: 7, title: "Playtime"), to: FilmByID(id: 7))
    let (observer, states) = world.observe(7)
    world.clock.advance(by: .seconds(3))
    world.store.write(Film(id: 7, title: "Playtime"), to: FilmByID(id: 7))
    #expect(states.values.count == 1)
    #expect(world.film(7).fulfilledAt == .seconds(3))
    observer.cancel()
  }

  @Test("an observer receives the time of an equal result together with the end of its request")
  func laterRefetch() async {
    await world.load(7, "Playtime")
    let (observer, states) = world.observe(7)
    world.clock.advance(by: .seconds(3))
    observer.refetch()
    await world.answer("film 7", "Playtime")
    #expect(states.values.map(\.isFetching) == [false, true, false])
    #expect(states.values.last?.fulfilledAt == .seconds(3))
  }

  // MARK: Sequences

  @Test("a sequence has the current state first, and counts as a subscriber while it is iterated")
  func values() async {
    var seen: [String] = []
    let world = world
    world.service.answer("film 7", with: .success("Playtime"))
    for await state in world.store.values(of: FilmByID(id: 7)) {
      #expect(world.store.subscribers(of: FilmByID(id: 7)) == 1)
      seen.append(summary(state))
      if state.isSuccess { break }
    }
    #expect(seen.last == "Playtime success")
    await world.subscribers(of: 7, count: 0)
  }

  // MARK: The result of the previous query

  @Test("the result of the previous query is not shown again after the new result was removed")
  func previousIsForgotten() async {
    await world.load(7, "Playtime")
    await world.load(8, "Traffic")
    let (observer, _) = world.observe(7)
    observer.query = FilmByID(id: 8)
    #expect(observer.state.data?.title == "Traffic")
    world.store.dispatch(RemoveQueries(FilmByID(id: 8)))
    #expect(observer.state.data == nil)
    #expect(!observer.state.isSuccess)
  }

  @Test("a reset removes the result of the previous query from an observer that still shows it")
  func previousAfterReset() async {
    await world.load(7, "Playtime")
    let (observer, _) = world.observe(7)
    observer.query = FilmByID(id: 8)
    #expect(observer.state.data?.title == "Playtime")
    world.store.dispatch(ResetQueries())
    #expect(observer.state.data == nil)
    #expect(observer.state.isLoading)
  }
}
