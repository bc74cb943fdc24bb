import FluxAsync
import FluxCore
import FluxQuery
import FluxTesting
import TestSupport
import Testing

@Suite("Queries: activity, and polling after a reset", .unlessItHangs)
struct ActivityTests {
  private let world = World()

  @Test("a new cache counts as focused and online, so the first report of the network has no effect")
  func initial() async {
    #expect(world.cache.activity.isFocused && world.cache.activity.isOnline)
    let (observer, _) = world.observe(7, QueryOptions(refetchesOnReconnect: true))
    await world.answer("film 7", "Playtime")
    world.store.dispatch(AppActivity.online)
    #expect(!observer.state.isFetching)
    #expect(world.cache.pendingRequests == 0)
  }

  @Test("on reconnection, a query is fetched once if one of its subscribers requires it")
  func oneOfTwo() async {
    let observers = [world.observe(7).0, world.observe(7, QueryOptions(refetchesOnReconnect: true)).0]
    await world.answer("film 7", "Playtime")
    _ = world.actions.takeAll()
    world.store.dispatch(AppActivity.offline)
    world.store.dispatch(AppActivity.online)
    #expect(observers.map(\.state.isFetching) == [true, true])
    #expect(world.actions.values.filter { $0.hasPrefix("FilmByID") } == ["FilmByID(id: 7) always"])
  }

  @Test("after a reset, a query with subscribers is fetched again, and polled one interval after its answer")
  func pollingAfterReset() async {
    let (observer, _) = world.observe(7, QueryOptions(pollingInterval: .seconds(10)))
    await world.answer("film 7", "Playtime")
    world.clock.advance(by: .seconds(5))
    world.store.dispatch(ResetQueries())
    await world.service.calls.count(atLeast: 2)
    world.clock.advance(by: .seconds(100))
    await world.answer("film 7", "Traffic")
    world.clock.advance(by: .seconds(9))
    #expect(!observer.state.isFetching)
    world.clock.advance(by: .seconds(1))
    await world.service.calls.count(atLeast: 3)
    #expect(world.service.calls.values.count == 3)
    #expect(observer.state.data?.title == "Traffic")
  }
}
