import FluxAsync
import FluxCore
import FluxQuery
import FluxTesting
import TestSupport
import Testing

@Suite("Queries: callers that await results", .unlessItHangs)
struct CallerTests {
  private let world = World()

  @Test("a caller that forces a fetch receives the newer result")
  func forced() async throws {
    await world.load(7, "Playtime")
    async let film = world.store.fetch(FilmByID(id: 7), .always)
    await world.service.calls.count(atLeast: 2)
    await world.answer("film 7", "Traffic")
    #expect(try await film.title == "Traffic")
  }

  @Test("a caller that finds a forced request running waits for it, although the cache has a result")
  func joinsForced() async throws {
    await world.load(7, "Playtime")
    world.store.prefetch(FilmByID(id: 7), .always)
    async let film = world.store.fetch(FilmByID(id: 7))
    await world.subscribers(of: 7, count: 1)
    await world.answer("film 7", "Traffic")
    #expect(try await film.title == "Traffic")
    #expect(world.service.calls.values.count == 2)
  }

  @Test("all callers that wait for a request receive its failure")
  func sharedFailure() async {
    let store = world.store
    store.prefetch(FilmByID(id: 7))
    let callers = (1...2).map { _ in Task { try await store.fetch(FilmByID(id: 7)) } }
    await world.subscribers(of: 7, count: 2)
    await world.fail("film 7")
    for caller in callers {
      await #expect(throws: QueryFailure(.failed, cause: Service.Trouble())) { try await caller.value }
    }
    #expect(world.service.calls.values.count == 1)
  }

  @Test("a caller that fetches after a mutation receives a result that is newer than the mutation")
  func afterMutation() async throws {
    let (observer, _) = world.observe(7)
    await world.answer("film 7", "Playtime")
    let change = world.store.mutate(Change(name: "change", tags: [.type("Film", id: 7)]))
    world.service.answer("change")
    _ = await change.result
    async let film = world.store.fetch(FilmByID(id: 7))
    await world.service.calls.count(atLeast: 3)
    await world.answer("film 7", "Traffic")
    #expect(try await film.title == "Traffic")
    #expect(observer.state.data?.title == "Traffic")
    #expect(world.service.calls.values == ["film 7", "change", "film 7"])
  }
}
