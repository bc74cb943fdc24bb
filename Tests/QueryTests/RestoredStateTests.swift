import FluxAsync
import FluxCore
import FluxQuery
import FluxTesting
import TestSupport
import Testing

@Suite("Queries: states that were saved or restored", .unlessItHangs)
struct RestoredStateTests {
  private let world = World()

  /// A state in which a film is invalidated, and the requests of another film and of a mutation
  /// are running.
  private func busyState() async -> AppState {
    let world = World()
    await world.load(7, "Playtime")
    world.store.mutate(Rename(id: 7, title: "Traffic"))
    world.store.prefetch(FilmByID(id: 8))
    world.store.dispatch(InvalidateTags(.type("Film", id: 7)))
    let state = world.store.state
    #expect(state.queries.pendingRequests == 2)
    #expect(state.queries[FilmByID(id: 7)].data?.title == "Traffic")
    return state
  }

  @Test("the requests and the edits of a restored state that are not running end")
  func lostRequests() async {
    let (observer, _) = world.observe(7)
    await world.answer("film 7", "Mon oncle")
    world.store.dispatch(Replace(state: await busyState()))
    #expect(world.film(7).data?.title == "Playtime")
    #expect(!world.film(8).isFetching)
    #expect(observer.state.isFetching)
    await world.answer("film 7", "Parade")
    #expect(observer.state.data?.title == "Parade")
    #expect(world.cache.pendingRequests == 0)
  }

  @Test("the answer of a request that a restored state does not contain is dropped")
  func earlierState() async {
    await world.load(7, "Playtime")
    let state = world.store.state
    world.store.prefetch(FilmByID(id: 7), .always)
    world.store.dispatch(Replace(state: state))
    #expect(!world.film(7).isFetching)
    await world.answer("film 7", "Traffic")
    #expect(world.film(7).data?.title == "Playtime")
  }

  @Test("a lost request of an observed query is sent again")
  func observedRequest() async {
    let (observer, _) = world.observe(8)
    await world.answer("film 8", "Mon oncle")
    world.store.dispatch(Replace(state: await busyState()))
    #expect(world.film(8).isFetching)
    await world.answer("film 8", "Traffic")
    #expect(observer.state.data?.title == "Traffic")
    #expect(world.service.calls.values.count == 2)
  }

  @Test(
    "a store that begins with a saved state ends its lost requests, without a dispatch during its creation")
  func initialState() async {
    let world = World(state: await busyState())
    await world.settled()
    #expect(world.cache.pendingRequests == 0)
    // The invalidated film has no subscribers.
    #expect(world.cache.entries.map(\.id) == [QueryKey(FilmByID(id: 8))])
  }

  @Test("a request that is running survives the restoration of a state that contains it")
  func runningRequest() async {
    world.store.prefetch(FilmByID(id: 7))
    let state = world.store.state
    await world.service.calls.count(atLeast: 1)
    world.store.dispatch(Count())
    world.store.dispatch(Replace(state: state))
    #expect(world.film(7).isFetching)
    await world.answer("film 7", "Playtime")
    #expect(world.film(7).data?.title == "Playtime")
    #expect(world.service.calls.values.count == 1)
  }

  @Test("a request that has ended before an earlier state is restored does not remain pending")
  func endedRequest() async {
    world.store.prefetch(FilmByID(id: 7))
    let state = world.store.state
    await world.answer("film 7", "Playtime")
    world.store.dispatch(Replace(state: state))
    #expect(!world.film(7).isFetching)
    #expect(world.cache.pendingRequests == 0)
    #expect(world.film(7).data == nil)
  }

  @Test("the answer of a request that a restored state does not contain is dropped")
  func answerAfterRestoration() async {
    let state = world.store.state
    world.store.prefetch(FilmByID(id: 7))
    await world.service.calls.count(atLeast: 1)
    world.store.dispatch(Replace(state: state))
    world.service.answer("film 7", with: .success("Playtime"))
    while !world.actions.values.contains(where: { $0.hasPrefix("FetchQuery.Fulfilled") }) {
      await Task.yield()
    }
    #expect(world.cache.entries.isEmpty)
    #expect(world.cache.pendingRequests == 0)
  }
}
