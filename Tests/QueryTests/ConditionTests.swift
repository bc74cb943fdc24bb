import FluxAsync
import FluxCore
import FluxQuery
import FluxTesting
import TestSupport
import Testing

@Suite("Queries: conditions of observers", .unlessItHangs)
struct ConditionTests {
  private let world = World()
  private let halfMinute = QueryOptions(condition: .ifOlder(than: .seconds(30)))

  private func observe(_ condition: QueryCondition) -> QueryObserver<FilmByID> {
    world.observe(7, QueryOptions(condition: condition)).0
  }

  @Test("an observer with the condition always fetches a fresh result again, and other observers do not")
  func always() async {
    await world.load(7, "Playtime")
    let first = observe(.ifNeeded)
    #expect(!first.state.isFetching)
    let second = observe(.always)
    #expect(first.state.isFetching && second.state.isFetching)
    await world.answer("film 7", "Traffic")
    let third = observe(.ifNeeded)
    #expect([first, second, third].map(\.state.data?.title) == ["Traffic", "Traffic", "Traffic"])
    #expect(!third.state.isFetching)
    #expect(world.service.calls.values.count == 2)
  }

  @Test("an observer with a maximum age fetches a result that has the age, and no younger result")
  func maximumAge() async {
    await world.load(7, "Playtime")
    world.clock.advance(by: .seconds(29))
    let (first, _) = world.observe(7, halfMinute)
    #expect(!first.state.isFetching)
    world.clock.advance(by: .seconds(1))
    #expect(!first.state.isFetching)
    let (second, _) = world.observe(7, halfMinute)
    #expect(second.state.isFetching)
  }

  @Test("the maximum age of an observer applies when the observer receives its query, and not before")
  func assignedLater() async {
    let observer = world.store.observe(nil as FilmByID?, halfMinute) { _ in }
    observer.query = FilmByID(id: 7)
    #expect(observer.state.isLoading)
    await world.answer("film 7", "Playtime")
    observer.query = nil
    world.clock.advance(by: .seconds(29))
    observer.query = FilmByID(id: 7)
    #expect(!observer.state.isFetching)
    observer.query = nil
    world.clock.advance(by: .seconds(1))
    #expect(world.cache.pendingRequests == 0)
    observer.query = FilmByID(id: 7)
    #expect(observer.state.isFetching)
  }

  @Test("a query without a result is prefetched, regardless of the given maximum age")
  func withoutResult() async {
    world.store.prefetch(FilmByID(id: 7), .ifOlder(than: .seconds(1_000_000)))
    #expect(world.film(7).isLoading)
    await world.answer("film 7", "Playtime")
    #expect(world.film(7).isSuccess)
  }
}
