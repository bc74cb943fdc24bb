import FluxAsync
import FluxCore
import FluxQuery
import FluxTesting
import TestSupport
import Testing

@Suite("Queries: tags and invalidation", .unlessItHangs)
struct TagTests {
  private let world = World()

  /// The queries that are fetched since the last call.
  private func fetched(in world: World) -> [String] {
    world.actions.takeAll().filter { $0.hasPrefix("FilmByID") }
  }

  // MARK: Tags

  @Test("tags are equal if their types and ids are equal")
  func equality() {
    #expect(QueryTag.type("Film", id: 7) == .type("Film", id: 7))
    #expect(QueryTag.type("Film", id: 7) != .type("Film", id: 8))
    #expect(QueryTag.type("Film", id: 7) != .type("Actor", id: 7))
    #expect(QueryTag.type("Film", id: 7) != .type("Film", id: "7"))
    #expect(QueryTag.type("Film", id: 7) != .type("Film", id: UInt8(7)))
    #expect(QueryTag.type("Film") != .list("Film"))
    #expect(QueryTag.list("Film") == .list("Film"))
    #expect(QueryTag.list("Film") != .type("Film", id: "LIST"))
  }

  @Test("the description of a tag contains its type and its id")
  func descriptions() {
    #expect("\(QueryTag.type("Film"))" == "Film")
    #expect("\(QueryTag.type("Film", id: 7))" == "Film(7)")
    #expect("\(QueryTag.list("Film"))" == "Film(list)")
    #expect(
      "\(InvalidateTags(.type("Film", id: 7), .list("Actor")))" == "InvalidateTags(Actor(list), Film(7))")
  }

  @Test("a result provides the tags of its query, and a new result replaces them")
  func provided() async {
    world.store.prefetch(AllFilms())
    await world.answer("films", "Playtime Traffic")
    #expect(world.cache.keys(providing: .type("Film", id: 2)) == [QueryKey(AllFilms())])
    world.store.prefetch(AllFilms(), .always)
    await world.answer("films", "Playtime")
    #expect(world.cache.keys(providing: .type("Film", id: 1)) == [QueryKey(AllFilms())])
    #expect(world.cache.keys(providing: .type("Film", id: 2)) == [])
    #expect(world.cache.entries.first?.tags == [.type("Film", id: 1), .list("Film")])
  }

  @Test("a failure provides the tags that its query returns for it")
  func providedByFailure() async {
    world.store.prefetch(AllFilms())
    await world.fail("films")
    #expect(world.cache.keys(providing: .list("Film")) == [QueryKey(AllFilms())])
  }

  @Test("an aborted request keeps the tags")
  func abortKeepsTags() async {
    world.store.prefetch(AllFilms())
    await world.answer("films", "Playtime")
    world.store.prefetch(AllFilms(), .always)
    world.store.dispatch(CancelWork(of: FetchQuery.self))
    #expect(world.cache.keys(providing: .type("Film", id: 1)) == [QueryKey(AllFilms())])
  }

  @Test("a tag of a type matches all tags of the type, and a tag with an id only itself")
  func matching() async {
    await world.load(7, "Playtime")
    await world.load(8, "Traffic")
    world.store.prefetch(AllFilms())
    await world.answer("films", "Playtime")
    let all: Set = [QueryKey(FilmByID(id: 7)), QueryKey(FilmByID(id: 8)), QueryKey(AllFilms())]
    #expect(world.cache.keys(providing: .type("Film")) == all)
    #expect(world.cache.keys(providing: .type("Film", id: 7)) == [QueryKey(FilmByID(id: 7))])
    #expect(world.cache.keys(providing: .list("Film")) == [QueryKey(AllFilms())])
    #expect(world.cache.keys(providing: .type("Actor")) == [])
  }

  private struct General: Query {
    func fetch(in context: RequestContext<AppState>) async throws -> String { "" }
    func tags(for result: Result<String, QueryFailure>) -> Set<QueryTag> { [.type("Film")] }
  }

  @Test("a provided tag of a whole type is not matched by a tag with an id")
  func generalTag() async throws {
    _ = try await world.store.fetch(General())
    #expect(world.cache.keys(providing: .type("Film", id: 7)) == [])
    #expect(world.cache.keys(providing: .type("Film")) == [QueryKey(General())])
  }

  // MARK: Invalidation

  @Test("invalidation fetches the entries with subscribers, and removes the others")
  func invalidation() async {
    let (observer, _) = world.observe(7)
    await world.answer("film 7", "Playtime")
    await world.load(8, "Traffic")
    await world.load(9, "Mon oncle")
    _ = world.actions.takeAll()
    world.store.dispatch(InvalidateTags(.type("Film", id: 7), .type("Film", id: 8)))
    #expect(fetched(in: world) == ["FilmByID(id: 7)"])
    #expect(world.cache.entries.map { "\($0.id)" } == ["FilmByID(id: 7)", "FilmByID(id: 9)"])
    #expect(world.film(7).data?.title == "Playtime")
    await world.answer("film 7", "Jour de fête")
    #expect(observer.state.data?.title == "Jour de fête")
    #expect(!observer.state.isInvalidated)
  }

  @Test("invalidated entries are fetched in their order in the cache")
  func order() async {
    let ids = Array(1...9).reversed()
    let observers = ids.map { world.observe($0).0 }
    for id in ids { world.service.answer("film \(id)") }
    await world.settled()
    _ = world.actions.takeAll()
    world.store.dispatch(InvalidateTags(.type("Film")))
    #expect(fetched(in: world) == ids.map { "FilmByID(id: \($0))" })
    withExtendedLifetime(observers) {}
  }

  @Test("several invalidations cause one request")
  func several() async {
    let (observer, _) = world.observe(7)
    await world.answer("film 7", "Playtime")
    _ = world.actions.takeAll()
    world.store.batch {
      for _ in 0..<3 { world.store.dispatch(InvalidateTags(.type("Film"))) }
    }
    #expect(fetched(in: world) == ["FilmByID(id: 7)"])
    withExtendedLifetime(observer) {}
  }

  @Test("by default, invalidated entries are fetched when no request is running")
  func whenIdle() async {
    let (observer, _) = world.observe(7)
    await world.answer("film 7", "Playtime")
    world.store.prefetch(FilmByID(id: 8))
    _ = world.actions.takeAll()
    world.store.dispatch(InvalidateTags(.type("Film", id: 7)))
    #expect(observer.state.isInvalidated && !observer.state.isFetching)
    world.service.answer("film 8", with: .success("Traffic"))
    await world.until { $0.queries[FilmByID(id: 7)].isFetching }
    #expect(fetched(in: world) == ["FilmByID(id: 7)"])
  }

  @Test("an immediate invalidation does not wait for other requests")
  func immediately() async {
    let world = World(refetching: .immediately)
    let (observer, _) = world.observe(7)
    await world.answer("film 7", "Playtime")
    world.store.prefetch(FilmByID(id: 8))
    world.store.dispatch(InvalidateTags(.type("Film", id: 7)))
    #expect(observer.state.isFetching)
    #expect(world.film(8).isFetching)
  }

  @Test(
    "a result that is invalidated during its request is fetched again afterward",
    arguments: [
      InvalidationTiming.whenIdle, .immediately,
    ])
  func duringRequest(timing: InvalidationTiming) async {
    let world = World(refetching: timing)
    let (observer, _) = world.observe(7)
    await world.answer("film 7", "Playtime")
    observer.refetch()
    await world.service.calls.count(atLeast: 2)
    world.store.dispatch(InvalidateTags(.type("Film", id: 7)))
    world.service.answer("film 7", with: .success("old"))
    await world.service.calls.count(atLeast: 3)
    await world.until { $0.queries[FilmByID(id: 7)].data?.title == "old" }
    #expect(observer.state.data?.title == "old")
    #expect(observer.state.isInvalidated)
    await world.answer("film 7", "new")
    #expect(observer.state.data?.title == "new")
    #expect(!observer.state.isInvalidated)
  }

  @Test(
    "an invalidation applies to the tags that only the outcome of a running request provides",
    arguments: [InvalidationTiming.whenIdle, .immediately])
  func duringFirstRequest(timing: InvalidationTiming) async {
    let world = World(refetching: timing)
    let (observer, _) = world.observe(7)
    await world.service.calls.count(atLeast: 1)
    world.store.dispatch(InvalidateTags(.type("Film")))
    world.service.answer("film 7", with: .success("old"))
    await world.service.calls.count(atLeast: 2)
    await world.until { $0.queries[FilmByID(id: 7)].data?.title == "old" }
    #expect(observer.state.data?.title == "old")
    #expect(observer.state.isInvalidated)
    await world.answer("film 7", "new")
    #expect(observer.state.data?.title == "new")
    #expect(!observer.state.isInvalidated)
  }

  @Test("an invalidation of other tags during the first request causes no refetch")
  func otherTagsDuringFirstRequest() async {
    let (observer, _) = world.observe(7)
    await world.service.calls.count(atLeast: 1)
    world.store.dispatch(InvalidateTags(.type("Film", id: 8), .list("Film"), .type("Actor")))
    await world.answer("film 7", "Playtime")
    #expect(world.service.calls.values.count == 1)
    #expect(!observer.state.isInvalidated)
  }

  @Test("a refetch that fails is not repeated, and the entry remains out of date")
  func failingRefetch() async {
    let (observer, _) = world.observe(7)
    await world.answer("film 7", "Playtime")
    world.store.dispatch(InvalidateTags(.type("Film")))
    await world.fail("film 7")
    #expect(world.service.calls.values.count == 2)
    #expect(observer.state.isInvalidated && !observer.state.isFetching)
    #expect(observer.state.data?.title == "Playtime")
  }

  @Test("an invalidation without a matching entry has no effect")
  func noMatch() async {
    await world.load(7, "Playtime")
    let before = world.store.state
    world.store.dispatch(InvalidateTags(.type("Actor"), .type("Film", id: 1)))
    #expect(world.store.state == before)
  }
}
