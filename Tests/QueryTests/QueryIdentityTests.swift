import FluxAsync
import FluxCollections
import FluxCore
import FluxQuery
import FluxTesting
import TestSupport
import Testing

@Suite("Queries: identities of queries and results", .unlessItHangs)
struct QueryIdentityTests {
  private let world = World()

  // MARK: Queries

  /// A query with a client, which is not part of its identity.
  private struct Words: Query {
    let about: String
    let client: Service

    func fetch(in context: RequestContext<AppState>) async throws -> String {
      try await client.call(about)
    }

    static func == (first: Words, second: Words) -> Bool { first.about == second.about }

    func hash(into hasher: inout Hasher) {
      hasher.combine(about)
    }
  }

  @Test("a property that is not part of a query's equality, such as a client, does not distinguish entries")
  func ownEquality() async {
    let (first, second) = (Service(), Service())
    world.store.prefetch(Words(about: "films", client: first))
    world.store.prefetch(Words(about: "films", client: second))
    #expect(world.cache.pendingRequests == 1)
    first.answer("films", with: .success("many"))
    await world.settled()
    #expect(world.cache[Words(about: "films", client: second)].data == "many")
    #expect(world.cache.entries.count == 1)
    #expect(second.calls.values == [])
  }

  @Test("the key of a query whose type is erased is the key of the query")
  func erasedType() {
    let erased: any Query = FilmByID(id: 7)
    #expect(QueryKey(erased) == QueryKey(FilmByID(id: 7)))
    #expect(QueryKey(erased).hashValue == QueryKey(FilmByID(id: 7)).hashValue)
    world.store.write(Film(id: 7, title: "Playtime"), to: FilmByID(id: 7))
    #expect(world.cache.entries[id: QueryKey(erased)]?.value as? Film == Film(id: 7, title: "Playtime"))
  }

  /// A query that counts how often it is hashed.
  private struct Hashed: Query {
    let hashes: Shared<Int>

    func fetch(in context: RequestContext<AppState>) async throws -> String { "" }

    static func == (first: Hashed, second: Hashed) -> Bool { true }

    func hash(into hasher: inout Hasher) {
      hashes.increment()
    }
  }

  @Test("the hash of a query is computed once for each key")
  func oneHash() {
    let (first, second) = (Hashed(hashes: Shared(0)), Hashed(hashes: Shared(0)))
    let key = QueryKey(first)
    let copy = key
    var names = [key: "first"]
    names[copy] = "copy"
    #expect(names[QueryKey(second)] == "copy")
    #expect(Set([key, copy]).count == 1)
    #expect([first, second].map(\.hashes.value) == [1, 1])
  }

  @Test("the queries of one type that the cache contains can be listed, with their type")
  func queriesOfType() async {
    await world.load(7, "Playtime")
    world.store.prefetch(AllFilms())
    await world.answer("films", "Playtime")
    await world.load(8, "Traffic")
    #expect(world.cache.entries.compactMap { $0.query as? FilmByID } == [FilmByID(id: 7), FilmByID(id: 8)])
  }

  // MARK: Results

  private class Box: @unchecked Sendable {}

  private final class EqualBox: Box, Equatable, @unchecked Sendable {
    static func == (first: EqualBox, second: EqualBox) -> Bool { true }
  }

  private struct BoxQuery: Query {
    func fetch(in context: RequestContext<AppState>) async throws -> Box { Box() }
  }

  private struct EqualBoxQuery: Query {
    func fetch(in context: RequestContext<AppState>) async throws -> EqualBox { EqualBox() }
  }

  @Test("a result whose type is not Equatable always counts as a change")
  func notEquatable() async throws {
    let first = try await world.store.fetch(BoxQuery())
    #expect(world.cache[BoxQuery()].data === first)
    let second = try await world.store.fetch(BoxQuery(), .always)
    #expect(second !== first)
    #expect(world.cache[BoxQuery()].data === second)
  }

  @Test("an equal result of a newer request keeps the object of the earlier result")
  func equatable() async throws {
    let first = try await world.store.fetch(EqualBoxQuery())
    let second = try await world.store.fetch(EqualBoxQuery(), .always)
    #expect(second === first)
    #expect(world.cache[EqualBoxQuery()].data === first)
  }
}
