import FluxAsync
import FluxCore
import FluxQuery
import FluxTesting
import TestSupport
import Testing

@Suite("Mutations and writes in batches", .unlessItHangs)
struct MutationBatchTests {
  private let world = World()

  @Test("several results are written in one batch, and each observer is called once")
  func writes() {
    let (seventh, states) = world.observe(7)
    let titles = Recorder<String?>()
    let part = world.store.subscribe(to: { $0.queries.entries.count }) { titles.record("\($0)") }
    world.store.batch {
      for id in 7...9 { world.store.write(Film(id: id, title: "film \(id)"), to: FilmByID(id: id)) }
    }
    #expect(states.values.map { $0.data?.title } == [nil, "film 7"])
    #expect(titles.values == ["1", "3"])
    withExtendedLifetime((seventh, part)) {}
  }

  @Test("mutations of one batch all run, and their edits apply in order")
  func mutations() async {
    await world.load(7, "Playtime")
    world.store.batch {
      for title in ["a", "b"] { world.store.mutate(Rename(id: 7, title: title)) }
    }
    #expect(world.film(7).data?.title == "b")
    world.service.fail("rename 7 to b")
    await world.until { $0.queries[FilmByID(id: 7)].data?.title == "a" }
    await world.answer("rename 7 to a", "a")
    #expect(world.film(7).data?.title == "a")
  }

  @Test("invalidations of one batch cause one request of each query")
  func invalidations() async {
    await world.load(7, "Playtime")
    let (observer, _) = world.observe(7)
    world.store.batch {
      for _ in 1...3 { world.store.dispatch(InvalidateTags(.type("Film", id: 7))) }
    }
    await world.answer("film 7", "Traffic")
    #expect(world.service.calls.values == ["film 7", "film 7"])
    withExtendedLifetime(observer) {}
  }

  @Test("a reset keeps a running mutation, whose answer has no entry to change")
  func reset() async throws {
    await world.load(7, "Playtime")
    let task = world.store.mutate(Rename(id: 7, title: "Traffic"))
    world.store.dispatch(ResetQueries())
    #expect(world.film(7).data == nil)
    #expect(world.cache.pendingRequests == 1)
    await world.answer("rename 7 to Traffic", "Traffic")
    #expect(try await task.value.title == "Traffic")
    #expect(world.film(7).data == nil)
    #expect(world.cache.pendingEdits(of: FilmByID(id: 7)) == 0)
  }
}
