import FluxAsync
import FluxCore
import TestSupport
import Testing

@testable import FluxQuery

/// A film whose result provides a tag that the results of all films provide.
private struct FilmOfList: Query {
  let id: Int

  func fetch(in context: RequestContext<AppState>) async throws -> Film { Film(id: id, title: "Playtime") }

  func tags(for result: Result<Film, QueryFailure>) -> Set<QueryTag> { [.list("Film")] }
}

@Suite("The entries that provide one tag", .unlessItHangs)
struct SharedKeysTests {
  @Test(
    "an invalidation marks all entries of a tag, however many there are", arguments: [1, 31, 32, 33, 100])
  func invalidation(count: Int) async {
    let world = World(refetching: .immediately)
    let observers = (1...count).map { world.store.observe(FilmOfList(id: $0)) { _ in } }
    await world.settled()
    let before = world.actions.values.count { $0.contains("Pending") }
    world.store.dispatch(InvalidateTags(.list("Film")))
    await world.settled()
    #expect(before == count)
    #expect(world.actions.values.count { $0.contains("Pending") } == 2 * count)
    withExtendedLifetime(observers) {}
  }

  @Test("after any changes, the entries are those that were added and not removed", arguments: 1...20)
  func changes(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    var (keys, expected) = (SharedKeys(), Set<QueryKey>())
    // The number of entries rises above the limit for a list, and falls below the limit for a set.
    for isGrowing in [true, false, true, false] {
      for _ in 1...(4 * SharedKeys.many) {
        let key = QueryKey(FilmByID(id: Int.random(in: 1...SharedKeys.many + 8, using: &random)))
        if Int.random(in: 0..<4, using: &random) == 0 ? !isGrowing : isGrowing {
          keys.insert(key)
          expected.insert(key)
        } else {
          keys.remove(key)
          expected.remove(key)
        }
        #expect(keys.all == expected)
        #expect(keys.isEmpty == expected.isEmpty)
      }
    }
  }

  @Test("a version keeps its entries when another version changes", arguments: [8, 200])
  func versions(count: Int) {
    var keys = SharedKeys()
    for id in 1...count { keys.insert(QueryKey(FilmByID(id: id))) }
    let old = keys
    keys.insert(QueryKey(FilmByID(id: 0)))
    keys.remove(QueryKey(FilmByID(id: 1)))
    #expect(old.all == Set((1...count).map { QueryKey(FilmByID(id: $0)) }))
    #expect(keys.all == Set((2...count).map { QueryKey(FilmByID(id: $0)) } + [QueryKey(FilmByID(id: 0))]))
  }
}
