import FluxAsync
import FluxCore
import FluxQuery
import FluxTesting
import TestSupport
import Testing

@Suite("Queries: refetches while a server stalls", .unlessItHangs)
struct StalledServerTests {
  /// Returns a world whose service never answers the stalled requests, and does not heed their
  /// cancellation.
  private func world(_ timing: InvalidationTiming) -> World {
    World(refetching: timing, service: Service(heedsCancellation: false))
  }

  /// Observes a film, begins a request that stalls, and invalidates the film.
  private func observer(in world: World, while stalled: Custom) async -> QueryObserver<FilmByID> {
    let (observer, _) = world.observe(7)
    await world.answer("film 7", "Playtime")
    world.store.prefetch(stalled)
    await world.service.calls.count(atLeast: 2)
    world.store.dispatch(InvalidateTags(.type("Film", id: 7)))
    return observer
  }

  @Test("when idle: while the request of another query stalls, an invalidated query is not fetched")
  func postponed() async {
    let world = world(.whenIdle)
    let observer = await observer(in: world, while: Custom("words"))
    // Another request shows that time does not end the wait.
    world.clock.advance(by: .seconds(1_000_000))
    world.store.prefetch(FilmByID(id: 8))
    await world.service.calls.count(atLeast: 3)
    #expect(world.service.calls.values == ["film 7", "words", "film 8"])
    #expect(observer.state.isInvalidated)
    #expect(!observer.state.isFetching)
    #expect(observer.state.data?.title == "Playtime")
  }

  @Test("when idle: if the request has a time limit, the invalidated query is fetched after the limit")
  func timeLimit() async {
    let world = world(.whenIdle)
    let observer = await observer(in: world, while: Custom("words", .every.timingOut(after: .seconds(5))))
    #expect(!observer.state.isFetching)
    await world.sleeps(for: .seconds(5))
    world.clock.advance(by: .seconds(5))
    await world.service.calls.count(atLeast: 3)
    await world.answer("film 7", "Traffic")
    #expect(observer.state.data?.title == "Traffic")
    #expect(!observer.state.isInvalidated)
  }

  @Test("when idle: if the stalled request is canceled, the invalidated query is fetched")
  func cancelled() async {
    let world = world(.whenIdle)
    let observer = await observer(in: world, while: Custom("words"))
    world.store.dispatch(RemoveQueries(Custom("words")))
    #expect(observer.state.isFetching)
    await world.answer("film 7", "Traffic")
    #expect(observer.state.data?.title == "Traffic")
  }

  @Test("when idle: while a mutation stalls, an invalidated query is not fetched")
  func mutation() async {
    let world = world(.whenIdle)
    let (observer, _) = world.observe(7)
    await world.answer("film 7", "Playtime")
    world.store.mutate(Change(name: "change"))
    world.store.dispatch(InvalidateTags(.type("Film", id: 7)))
    await world.service.calls.count(atLeast: 2)
    #expect(observer.state.isInvalidated)
    #expect(!observer.state.isFetching)
  }

  @Test("immediately: while the request of another query stalls, an invalidated query is fetched")
  func immediately() async {
    let world = world(.immediately)
    let observer = await observer(in: world, while: Custom("words"))
    #expect(observer.state.isFetching)
    world.service.answer("film 7", with: .success("Traffic"))
    await world.until { $0.queries[FilmByID(id: 7)].data?.title == "Traffic" }
    #expect(!observer.state.isInvalidated)
    #expect(world.cache[Custom("words")].isFetching)
  }
}
