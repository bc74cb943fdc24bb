import FluxCore
import TestSupport
import Testing

@testable import FluxQuery

@Suite("The entries that provide one tag")
struct SharedKeysTests {
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
