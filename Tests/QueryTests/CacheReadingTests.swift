import FluxAsync
import FluxCore
import FluxQuery
import FluxTesting
import TestSupport
import Testing

@Suite("Queries: reading the cache without its location", .unlessItHangs)
struct CacheReadingTests {
  private let world = World()

  /// The numbers of pending edits of films 7 and 8.
  private var pendingEdits: [Int] { [7, 8].map { world.cache.pendingEdits(of: FilmByID(id: $0)) } }

  // MARK: The cache of a store

  @Test("a store and its proxy have the cache of the state")
  func cache() async {
    await world.load(7, "Playtime")
    #expect(world.store.queryCache == world.cache)
    #expect(world.store.proxy(for: \.count).queryCache?[FilmByID(id: 7)].data?.title == "Playtime")
  }

  @Test("a store without the plug-in of a slice has no cache")
  func noPlugin() {
    #expect(Store(reducer: appReducer, state: AppState()).queryCache == nil)
  }

  @Test("a proxy of a released store has no cache")
  func released() {
    var world: World? = World()
    let proxy = world?.store.proxy
    #expect(proxy?.queryCache != nil)
    world = nil
    #expect(proxy?.queryCache == nil)
  }

  @Test("the time of the store minus the time of a result is the age of the result")
  func age() async throws {
    await world.load(7, "Playtime")
    world.clock.advance(by: .seconds(3))
    #expect(try world.store.time - #require(world.film(7).fulfilledAt) == .seconds(3))
  }

  // MARK: Pending edits

  @Test("an optimistic edit is pending until its mutation ends", arguments: [true, false])
  func mutation(succeeds: Bool) async {
    await world.load(7, "Playtime")
    #expect(pendingEdits == [0, 0])
    world.store.mutate(Rename(id: 7, title: "Traffic"))
    world.store.mutate(Rename(id: 7, title: "Mon oncle"))
    #expect(pendingEdits == [2, 0])
    await world.service.calls.count(atLeast: 3)
    if succeeds {
      world.service.answer("rename 7 to Traffic", with: .success("Traffic"))
    } else {
      world.service.fail("rename 7 to Traffic")
    }
    await world.until { $0.queries.pendingRequests == 1 }
    #expect(pendingEdits == [1, 0])
    await world.answer("rename 7 to Mon oncle", "Mon oncle")
    #expect(pendingEdits == [0, 0])
  }

  @Test("a manual edit is pending until it is undone or a newer result replaces it")
  func manual() async {
    await world.load(7, "Playtime")
    let undo = world.store.edit([.edit(FilmByID(id: 7)) { $0.title = "edited" }])
    #expect(pendingEdits == [1, 0])
    undo.undo()
    #expect(pendingEdits == [0, 0])
    world.store.edit([.edit(FilmByID(id: 7)) { $0.title = "edited" }])
    world.store.write(Film(id: 7, title: "Traffic"), to: FilmByID(id: 7))
    #expect(pendingEdits == [0, 0])
  }

  @Test("an edit of an entity is pending for the query of the entity, and not for its containers")
  func entity() async {
    await world.loadList("favorites", "1=Emma")
    world.store.mutate(RetitleBook(id: 1, title: "Persuasion"))
    #expect(world.titles("favorites") == "Persuasion")
    #expect(world.cache.pendingEdits(of: BookByID(id: 1)) == 1)
    #expect(world.cache.pendingEdits(of: BookList(name: "favorites")) == 0)
  }
}
