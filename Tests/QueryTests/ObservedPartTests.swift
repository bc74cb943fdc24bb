import FluxAsync
import FluxCore
import FluxQuery
import FluxTesting
import TestSupport
import Testing

@Suite("Queries: observers of parts", .unlessItHangs)
struct ObservedPartTests {
  private let world = World()

  @Test("after a reset, an observer of a part receives the part of a state without a result")
  func reset() async {
    let titles = Recorder<String?>()
    let observer = world.store.observe(FilmByID(id: 7), of: { $0.data?.title }) { titles.record($0) }
    await world.answer("film 7", "Playtime")
    world.store.dispatch(ResetQueries())
    await world.answer("film 7", "Playtime")
    #expect(titles.values == [nil, "Playtime", nil, "Playtime"])
    withExtendedLifetime(observer) {}
  }

  @Test("an observer of a part that contains flags is called when a flag changes")
  func flags() async {
    let parts = Recorder<String>()
    let observer = world.store.observe(
      FilmByID(id: 7), of: { "\($0.data?.title ?? "-") \($0.isFetching ? "fetching" : "idle")" }
    ) { parts.record($0) }
    await world.answer("film 7", "Playtime")
    observer.refetch()
    await world.answer("film 7", "Playtime")
    #expect(parts.values == ["- fetching", "Playtime idle", "Playtime fetching", "Playtime idle"])
  }

  @Test("an observer of an element of a list is not called when only another element has changed")
  func element() async {
    let films = Recorder<Film?>()
    let observer = world.store.observe(AllFilms(), of: { $0.data?.first }) { films.record($0) }
    await world.answer("films", "Playtime Traffic")
    observer.refetch()
    await world.answer("films", "Playtime Parade")
    #expect(world.cache[AllFilms()].data?.last?.title == "Parade")
    #expect(films.values.map { $0?.title } == [nil, "Playtime"])
    observer.refetch()
    await world.answer("films", "Trafic Parade")
    #expect(films.values.map { $0?.title } == [nil, "Playtime", "Trafic"])
  }

  @Test("an observer of the state reads the result of a query without fetching the query")
  func state() async {
    let titles = Recorder<String?>()
    let token = world.store.subscribe(to: { $0.queries[FilmByID(id: 7)].data?.title }) { titles.record($0) }
    #expect(world.cache.pendingRequests == 0)
    #expect(world.store.subscribers(of: FilmByID(id: 7)) == 0)
    await world.load(7, "Playtime")
    await world.load(7, "Playtime")
    await world.load(7, "Traffic")
    #expect(titles.values == [nil, "Playtime", "Traffic"])
    withExtendedLifetime(token) {}
  }

  @Test("an observer of pages can begin without a query, and shows the previous pages after a change")
  func pages() async {
    let states = Recorder<QueryState<QueryPages<[String], Int>>>()
    let observer = world.store.observe(nil as Catalog?) { states.record($0) }
    #expect(states.values.map(\.isUninitialized) == [true])
    observer.query = Catalog()
    await world.answer("page 1", "a b")
    _ = states.takeAll()
    observer.query = Catalog(from: 2)
    await world.answer("page 2", "c d")
    #expect(states.values.map(\.isSuccess) == [true, true])
    #expect(states.values.map(\.isLoading) == [false, false])
    #expect(states.values.map { $0.data?.first } == [["a", "b"], ["c", "d"]])
  }
}
