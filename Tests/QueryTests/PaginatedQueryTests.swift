import FluxAsync
import FluxCore
import FluxLists
import FluxQuery
import FluxTesting
import TestSupport
import Testing

/// Pages of words, which the service returns for `page 0`, `from 2`, or `after b`.
private struct Words<Strategy: PaginationStrategy & Sendable>: PaginatedQuery {
  let name: String
  let pagination: Strategy
  var maximumPages: Int?
  let call: @Sendable (PagePosition) -> String

  func fetchPage(
    _ position: PagePosition, in context: RequestContext<AppState>
  ) async throws -> ListPage<String> {
    let answer = try await context.services(Service.self).call(call(position))
    // An answer is, for example, `a b of 5` or `a b then b`.
    let words = answer.split(separator: " ").map(String.init)
    func value(after word: String) -> String? {
      words.firstIndex(of: word).map { words[$0 + 1] }
    }
    let items = words.prefix { $0 != "of" && $0 != "then" }
    return ListPage(
      Array(items), total: value(after: "of").flatMap(Int.init), nextCursor: value(after: "then"))
  }

  static func == (first: Words, second: Words) -> Bool { first.name == second.name }

  func hash(into hasher: inout Hasher) {
    hasher.combine(name)
  }
}

private let numbered = Words(
  name: "numbered", pagination: PageNumberPaginationStrategy(firstPage: 1, pageSize: 2),
  call: { "page \($0.number + 1)" })

private let limited = Words(
  name: "limited", pagination: LimitOffsetPaginationStrategy(limit: 2), call: { "from \($0.offset)" })

private let withCursors = Words(
  name: "with cursors", pagination: CursorPaginationStrategy(), call: { "after \($0.cursor ?? "-")" })

@Suite("Infinite queries with a pagination strategy", .unlessItHangs)
struct PaginatedQueryTests {
  private let world = World()

  /// The items of all pages.
  private func items<Strategy: PaginationStrategy>(_ query: Words<Strategy>) -> String? {
    world.cache[query].data.map { $0.flatMap(\.items).joined(separator: " ") }
  }

  /// Fetches the next page, or the first page, and answers a call.
  private func load<Strategy: PaginationStrategy>(
    _ query: Words<Strategy>, _ call: String, _ answer: String
  ) async {
    world.store.prefetch(query, .nextPage)
    await world.answer(call, answer)
  }

  @Test("with page numbers, the list ends at a page that is not full")
  func numbers() async {
    await load(numbered, "page 1", "a b")
    #expect(world.cache[numbered].hasNextPage)
    await load(numbered, "page 2", "c")
    #expect(items(numbered) == "a b c")
    #expect(!world.cache[numbered].hasNextPage)
  }

  @Test("with offsets, the next page begins after the items of the previous page")
  func offsets() async {
    await load(limited, "from 0", "a b")
    await load(limited, "from 2", "c d")
    #expect(items(limited) == "a b c d")
  }

  @Test("with offsets, the list ends at the number of items that any page has reported")
  func total() async {
    await load(limited, "from 0", "a b of 4")
    #expect(world.cache[limited].hasNextPage)
    await load(limited, "from 2", "c d")
    #expect(!world.cache[limited].hasNextPage)
  }

  @Test("the number of items is unknown after the only page that reported it was removed")
  func removedTotal() async {
    var query = limited
    query.maximumPages = 1
    await load(query, "from 0", "a b of 4")
    await load(query, "from 2", "c d")
    #expect(items(query) == "c d")
    #expect(world.cache[query].data?.next?.offset == 4)
  }

  @Test("with cursors, the list ends at a page without a cursor")
  func cursors() async {
    await load(withCursors, "after -", "a b then b")
    #expect(world.cache[withCursors].data?.next?.cursor == "b")
    await load(withCursors, "after b", "c d")
    #expect(items(withCursors) == "a b c d")
    #expect(!world.cache[withCursors].hasNextPage)
  }

  @Test("an empty page with a cursor is not the end")
  func emptyPage() async {
    await load(withCursors, "after -", "then x")
    await load(withCursors, "after x", "a")
    #expect(items(withCursors) == "a")
  }

  @Test("fetching again follows the cursors of the new pages")
  func again() async {
    await load(withCursors, "after -", "a then b")
    await load(withCursors, "after b", "c then d")
    world.store.prefetch(withCursors, .always)
    world.service.answer("after -", with: .success("a then x"))
    await world.answer("after x", "y")
    #expect(items(withCursors) == "a y")
    #expect(world.cache[withCursors].data?.parameters.map(\.cursor) == [nil, "x"])
  }
}
