import FluxAsync
import FluxCore
import FluxQuery
import FluxTesting
import TestSupport
import Testing

@Suite("Queries: what requests can do, and what reducers receive", .unlessItHangs)
struct RequestBodyTests {
  private let world = World()

  // MARK: Requests

  private struct CountOfState: Query {
    func fetch(in context: RequestContext<AppState>) async throws -> Int { context.state.count }
  }

  @Test("a query reads the state of the store")
  func state() async throws {
    #expect(try await world.store.fetch(CountOfState()) == 0)
    world.store.dispatch(Count())
    #expect(try await world.store.fetch(CountOfState(), .always) == 1)
  }

  private struct Chain: Query {
    func fetch(in context: RequestContext<AppState>) async throws -> String {
      let service = try context.services(Service.self)
      return try await service.call("about \(try await service.call("first"))")
    }
  }

  @Test("a query makes several calls in sequence, and returns the last answer")
  func sequence() async {
    world.store.prefetch(Chain())
    world.service.answer("first", with: .success("Tati"))
    await world.service.calls.count(atLeast: 2)
    await world.answer("about Tati", "a director")
    #expect(world.service.calls.values == ["first", "about Tati"])
    #expect(world.cache[Chain()].data == "a director")
  }

  private struct Review: Query {
    let film: Int

    func fetch(in context: RequestContext<AppState>) async throws -> String {
      let film = try await context.store.fetch(FilmByID(id: film))
      return try await context.services(Service.self).call("review of \(film.title)")
    }
  }

  @Test("a query awaits the result of another query, which it shares with other observers")
  func dependent() async {
    let (observer, _) = world.observe(7)
    world.store.prefetch(Review(film: 7))
    await world.subscribers(of: 7, count: 2)
    world.service.answer("film 7", with: .success("Playtime"))
    await world.service.calls.count(atLeast: 2)
    await world.answer("review of Playtime", "good")
    #expect(world.service.calls.values == ["film 7", "review of Playtime"])
    #expect(world.cache[Review(film: 7)].data == "good")
    #expect(observer.state.data?.title == "Playtime")
  }

  // MARK: Reducers

  @Test("a reducer receives the failures of queries and mutations, with the query or the mutation")
  func rejections() async {
    let seen = Recorder<String>()
    let reducer: ActionHandlers<AppState> = combine(
      on(FetchQuery.Rejected.self) { _, action in
        let id = (action.request.key.query as? FilmByID)?.id
        seen.record("film \(id ?? 0): \(QueryFailure(of: action.failure))")
      },
      on(PerformMutation.Rejected.self) { _, action in
        let name = (action.request.mutation as? Change)?.name
        seen.record("\(name ?? "-"): \(QueryFailure(of: action.failure))")
      })
    let store = Store(
      reducer: reducer, plugins: [QuerySlice(at: \AppState.queries).plugin],
      services: Services().with(world.service), state: AppState())
    world.service.fail("film 7")
    _ = try? await store.fetch(FilmByID(id: 7))
    world.service.fail("change")
    _ = await store.mutate(Change(name: "change")).result
    #expect(seen.values == ["film 7: trouble", "change: trouble"])
  }

  @Test("a reset restores the cache to its initial value, and changes nothing else in the state")
  func reset() async {
    world.store.dispatch(Count())
    await world.load(7, "Playtime")
    world.store.mutate(Change(name: "change"), as: "save")
    await world.answer("change", "done")
    #expect(world.cache != QueryCache())
    world.store.dispatch(ResetQueries())
    #expect(world.store.state == AppState(queries: QueryCache(), count: 1))
  }

  // MARK: Misuse

  @Test("a store without a cache reports each action that fetches a query")
  func reports() {
    let errors = Recorder<String>()
    let store = Store(
      reducer: appReducer,
      plugins: [.asyncWork(onError: { error, action in errors.record("\(action): \(error)") })],
      state: AppState())
    for _ in 1...2 { store.dispatch(FetchQuery(FilmByID(id: 7))) }
    let report = "FilmByID(id: 7): the store has no plug-in of a QuerySlice"
    #expect(errors.values == [report, report])
  }
}
