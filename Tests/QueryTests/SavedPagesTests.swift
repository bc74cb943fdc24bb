import FluxAsync
import FluxCore
import FluxQuery
import Foundation
import TestSupport
import Testing

/// Words in pages, which can be saved.
private struct SavedWords: InfiniteQuery, SavedQuery {
  var firstPage: Int { 1 }

  func fetchPage(_ number: Int, in context: RequestContext<AppState>) async throws -> String {
    try await context.services(Service.self).call("page \(number)")
  }

  func nextPage(after pages: QueryPages<String, Int>) -> Int? { (pages.parameters.last ?? 0) + 1 }
}

@Suite("Pages that are saved", .unlessItHangs)
struct SavedPagesTests {
  private typealias Saved = SavedQueries<SavedWords>

  private func load(_ numbers: [Int], in world: World) async {
    for number in numbers {
      world.store.prefetch(SavedWords(), .nextPage)
      await world.answer("page \(number)", "words \(number)")
    }
  }

  @Test("restored pages are equal to the saved pages, and are out of date")
  func restored() async throws {
    let world = World()
    await load([1, 2], in: world)
    let data = try JSONEncoder().encode(Saved(of: world.cache))
    var cache = QueryCache()
    try JSONDecoder().decode(Saved.self, from: data).restore(in: &cache)
    #expect(cache[SavedWords()].data == world.cache[SavedWords()].data)
    #expect(cache[SavedWords()].isInvalidated)
  }

  @Test("the next page is fetched after the restored pages")
  func nextPage() async throws {
    let world = World()
    await load([1, 2], in: world)
    var state = AppState()
    Saved(of: world.cache).restore(in: &state.queries)
    let later = World(state: state)
    await load([3], in: later)
    #expect(later.cache[SavedWords()].data.map(Array.init) == ["words 1", "words 2", "words 3"])
  }

  @Test("pages without their parameters cannot be decoded")
  func damaged() throws {
    let json = #"{"pages":["a","b"],"parameters":[1],"next":2}"#
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(QueryPages<String, Int>.self, from: Data(json.utf8))
    }
  }
}
