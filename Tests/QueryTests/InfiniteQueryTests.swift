import FluxAsync
import FluxCore
import FluxQuery
import FluxTesting
import TestSupport
import Testing

@Suite("Infinite queries", .unlessItHangs)
struct InfiniteQueryTests {
  private let world = World()

  // MARK: Pages

  @Test("the first request fetches the first page")
  func firstPage() async {
    await world.load(.ifNeeded, ("page 1", "a b"))
    #expect(world.words() == "a b")
    #expect(world.catalog().data?.parameters == [1])
    #expect(world.catalog().hasNextPage)
    #expect(!world.catalog().hasPreviousPage)
  }

  @Test("a request for the next page fetches the first page if there is no result")
  func nextOfNothing() async {
    await world.load(.nextPage, ("page 1", "a b"))
    #expect(world.words() == "a b")
    #expect(world.catalog().fulfilledAt == .zero)
  }

  @Test("the next page is added after the last page")
  func next() async {
    await world.load(.ifNeeded, ("page 1", "a b"))
    world.store.prefetch(Catalog(), .nextPage)
    #expect(world.catalog().isFetchingNextPage)
    #expect(!world.catalog().isFetchingPreviousPage)
    #expect(!world.catalog().isLoading)
    await world.answer("page 2", "c d")
    #expect(world.words() == "a b | c d")
    #expect(!world.catalog().isFetchingNextPage)
  }

  @Test("the previous page is added before the first page")
  func previous() async {
    let query = Catalog(from: 2)
    await world.load(.ifNeeded, of: query, ("page 2", "c d"))
    world.store.prefetch(query, .previousPage)
    #expect(world.catalog(query).isFetchingPreviousPage)
    await world.answer("page 1", "a b")
    #expect(world.words(query) == "a b | c d")
    #expect(!world.catalog(query).hasPreviousPage)
  }

  @Test("the end of the pages is not an error, and causes no request")
  func end() async throws {
    await world.load(.ifNeeded, ("page 1", "a b"))
    await world.load(.nextPage, ("page 2", "c"))
    #expect(!world.catalog().hasNextPage)
    let pages = try await world.store.fetch(Catalog(), .nextPage)
    #expect(pages.map(\.self) == [["a", "b"], ["c"]])
    #expect(world.catalog().error == nil)
    #expect(world.service.calls.values == ["page 1", "page 2"])
  }

  @Test("requests for a page that overlap cause one call, and all callers receive its pages")
  func overlapping() async throws {
    await world.load(.ifNeeded, ("page 1", "a b"))
    world.store.prefetch(Catalog(), .nextPage)
    async let first = world.store.fetch(Catalog(), .nextPage)
    async let second = world.store.fetch(Catalog(), .nextPage)
    while world.store.subscribers(of: Catalog()) != 2 { await Task.yield() }
    await world.answer("page 2", "c d")
    #expect(try await first.parameters == [1, 2])
    #expect(try await second.parameters == [1, 2])
    #expect(world.service.calls.values == ["page 1", "page 2"])
  }

  @Test("a failed page keeps the other pages, and can be fetched again")
  func failedPage() async {
    await world.load(.ifNeeded, ("page 1", "a b"))
    world.store.prefetch(Catalog(), .nextPage)
    await world.fail("page 2")
    #expect(world.words() == "a b")
    #expect(world.catalog().error?.code == .failed)
    #expect(world.catalog().hasNextPage)
    await world.load(.nextPage, ("page 2", "c d"))
    #expect(world.words() == "a b | c d")
    #expect(world.catalog().error == nil)
  }

  @Test("observers receive a page together with the pages before it")
  func observers() async {
    let states = Recorder<[Int]?>()
    let observer = world.store.observe(Catalog(), of: { $0.data?.parameters }) { states.record($0) }
    await world.answer("page 1", "a b")
    await world.load(.nextPage, ("page 2", "c d"))
    #expect(states.values == [nil, [1], [1, 2]])
    withExtendedLifetime(observer) {}
  }

  @Test("a query without pages ignores a request for a page of its result")
  func withoutPages() async {
    await world.load(7, "Playtime")
    world.store.prefetch(FilmByID(id: 7), .nextPage)
    #expect(!world.film(7).hasNextPage)
    #expect(world.cache.pendingRequests == 0)
  }

  // MARK: Fetching again

  @Test("all pages are fetched again in sequence, and observers receive them together")
  func refetch() async {
    await world.load(.ifNeeded, ("page 1", "a b"))
    await world.load(.nextPage, ("page 2", "c d"))
    let states = Recorder<String?>()
    let observer = world.store.observe(Catalog(), of: { $0.data.map { $0.joined().joined() } }) {
      states.record($0)
    }
    world.store.dispatch(InvalidateTags(.list("Word")))
    #expect(!world.catalog().isFetchingNextPage)
    world.service.answer("page 1", with: .success("A B"))
    await world.service.calls.count(atLeast: 4)
    #expect(states.values == ["abcd"])
    await world.answer("page 2", "C D")
    #expect(states.values == ["abcd", "ABCD"])
    #expect(world.service.calls.values == ["page 1", "page 2", "page 1", "page 2"])
    withExtendedLifetime(observer) {}
  }

  @Test("fetching again ends at a page that has become the last")
  func earlierEnd() async {
    await world.load(.ifNeeded, ("page 1", "a b"))
    await world.load(.nextPage, ("page 2", "c d"))
    await world.load(.always, ("page 1", "a"))
    #expect(world.words() == "a")
    #expect(!world.catalog().hasNextPage)
  }

  @Test("a failure of a page shows its side, until the next request of the query begins")
  func errorSide() async {
    let query = Catalog(from: 2)
    let failure = QueryFailure(.failed, cause: Service.Trouble())
    await world.load(.ifNeeded, of: query, ("page 2", "c d"))
    world.store.prefetch(query, .nextPage)
    await world.fail("page 3")
    #expect(world.catalog(query).nextPageError == failure)
    #expect(world.catalog(query).previousPageError == nil)
    world.store.prefetch(query, .previousPage)
    await world.fail("page 1")
    #expect(world.catalog(query).nextPageError == nil)
    #expect(world.catalog(query).previousPageError == failure)
    world.store.prefetch(query, .always)
    await world.fail("page 2")
    #expect(world.catalog(query).error == failure)
    #expect(world.catalog(query).previousPageError == nil)
  }

  @Test("if a page fails while all pages are fetched again, the old pages remain")
  func failedRefetch() async {
    await world.load(.ifNeeded, ("page 1", "a b"))
    await world.load(.nextPage, ("page 2", "c d"))
    world.store.prefetch(Catalog(), .always)
    world.service.answer("page 1", with: .success("A B"))
    await world.fail("page 2")
    #expect(world.words() == "a b | c d")
    #expect(world.catalog().error?.code == .failed)
  }

  @Test("a query can fetch only its first page again, which replaces all pages")
  func firstPageOnly() async {
    let query = Catalog(refetchingAllPages: false)
    await world.load(.ifNeeded, of: query, ("page 1", "a b"))
    await world.load(.nextPage, of: query, ("page 2", "c d"))
    await world.load(.always, of: query, ("page 1", "A B"))
    #expect(world.words(query) == "A B")
    #expect(world.catalog(query).hasNextPage)
  }

  @Test("a page that is added does not make the other pages newer")
  func age() async {
    await world.load(.ifNeeded, ("page 1", "a b"))
    world.clock.advance(by: .seconds(5))
    await world.load(.nextPage, ("page 2", "c d"))
    #expect(world.catalog().fulfilledAt == .zero)
    await world.load(.always, ("page 1", "a b"), ("page 2", "c d"))
    #expect(world.catalog().fulfilledAt == .seconds(5))
  }

  @Test("pages that were invalidated before a request for a page are fetched again after it")
  func invalidatedBefore() async {
    let world = World(refetching: .whenIdle)
    await world.load(.ifNeeded, ("page 1", "a b"))
    let observer = world.store.observe(Catalog()) { _ in }
    world.store.prefetch(FilmByID(id: 7))
    world.store.dispatch(InvalidateTags(.list("Word")))
    world.store.prefetch(Catalog(), .nextPage)
    world.service.answer("page 2", with: .success("c d"))
    await world.until { $0.queries[Catalog()].data?.count == 2 }
    #expect(world.catalog().isInvalidated)
    world.service.answer("film 7", with: .success("Playtime"))
    await world.until { $0.queries[Catalog()].isFetching }
    world.service.answer("page 1", with: .success("A B"))
    await world.answer("page 2", "C D")
    #expect(world.words() == "A B | C D")
    #expect(!world.catalog().isInvalidated)
    withExtendedLifetime(observer) {}
  }

  @Test("pages that are invalidated during a request for a page are fetched again after it")
  func invalidatedDuring() async {
    await world.load(.ifNeeded, ("page 1", "a b"))
    let observer = world.store.observe(Catalog()) { _ in }
    world.store.prefetch(Catalog(), .nextPage)
    world.store.dispatch(InvalidateTags(.list("Word")))
    world.service.answer("page 2", with: .success("c d"))
    await world.service.calls.count(atLeast: 3)
    world.service.answer("page 1", with: .success("A B"))
    await world.service.calls.count(atLeast: 4)
    await world.answer("page 2", "C D")
    #expect(world.words() == "A B | C D")
    #expect(!world.catalog().isInvalidated)
    withExtendedLifetime(observer) {}
  }

  // MARK: Limits

  @Test("a page that is added to a full result replaces the page at the other side")
  func maximum() async {
    let query = Catalog(atMost: 2)
    await world.load(.ifNeeded, of: query, ("page 1", "a b"))
    await world.load(.nextPage, of: query, ("page 2", "c d"))
    await world.load(.nextPage, of: query, ("page 3", "e f"))
    #expect(world.words(query) == "c d | e f")
    #expect(world.catalog(query).hasPreviousPage)
    await world.load(.previousPage, of: query, ("page 1", "a b"))
    #expect(world.words(query) == "a b | c d")
    #expect(world.catalog(query).hasNextPage)
  }

  @Test("fetching again begins with the first page that remains in a limited result")
  func refetchOfLimited() async {
    let query = Catalog(atMost: 2)
    await world.load(.ifNeeded, of: query, ("page 1", "a b"))
    await world.load(.nextPage, of: query, ("page 2", "c d"))
    await world.load(.nextPage, of: query, ("page 3", "e f"))
    await world.load(.always, of: query, ("page 2", "C D"), ("page 3", "E F"))
    #expect(world.words(query) == "C D | E F")
    #expect(world.catalog(query).data?.parameters == [2, 3])
  }

  @Test("a limit of less than one page counts as one page")
  func invalidLimit() async {
    let query = Catalog(atMost: 0)
    await world.load(.ifNeeded, of: query, ("page 1", "a b"))
    await world.load(.nextPage, of: query, ("page 2", "c d"))
    #expect(world.words(query) == "c d")
  }

  // MARK: Edits and removal

  @Test("an edit that fails during a request for a page is removed, and the page remains")
  func failedEdit() async {
    await world.load(.ifNeeded, ("page 1", "a b"))
    world.store.prefetch(Catalog(), .nextPage)
    world.store.mutate(Shout())
    #expect(world.words() == "A B")
    world.service.answer("page 2", with: .success("c d"))
    await world.until { $0.queries[Catalog()].data?.count == 2 }
    #expect(world.words() == "A B | C D")
    await world.fail("shout")
    #expect(world.words() == "a b | c d")
  }

  @Test("an edit that is confirmed during a request for a page remains")
  func confirmedEdit() async {
    await world.load(.ifNeeded, ("page 1", "a b"))
    world.store.prefetch(Catalog(), .nextPage)
    world.store.mutate(Shout())
    world.service.answer("shout", with: .success(""))
    await world.until { $0.queries.pendingRequests == 1 }
    await world.answer("page 2", "c d")
    #expect(world.words() == "A B | C D")
  }

  @Test("a page whose entry was removed during the request is dropped")
  func removed() async {
    await world.load(.ifNeeded, ("page 1", "a b"))
    world.store.prefetch(Catalog(), .nextPage)
    world.store.dispatch(RemoveQueries(Catalog()))
    await world.settled()
    #expect(world.words() == nil)
  }

  @Test("pages can be written and edited, and requests continue after them")
  func written() async {
    world.store.write(QueryPages([(1, ["x", "y"])], next: 2), to: Catalog())
    world.store.edit([.edit(Catalog()) { pages in pages[0][0] = "z" }])
    #expect(world.words() == "z y")
    await world.load(.nextPage, ("page 2", "c d"))
    #expect(world.catalog().data?.parameters == [1, 2])
  }

  @Test("the descriptions of requests for pages name the side")
  func descriptions() {
    #expect("\(FetchQuery(Catalog(), .nextPage))".hasSuffix(" next page"))
    #expect("\(FetchQuery(Catalog(), .previousPage))".hasSuffix(" previous page"))
    #expect("\(QueryPages([(1, "a"), (2, "b")]))" == "[1: a, 2: b]")
    #expect("\(QueryPages<String, Int>([]))" == "[:]")
  }
}

/// A mutation that shows all words in uppercase.
private struct Shout: Mutation {
  func perform(in context: RequestContext<AppState>) async throws -> String {
    try await context.services(Service.self).call("shout")
  }

  func optimisticEdits() -> [QueryEdit] {
    [
      .edit(Catalog()) { pages in
        for index in pages.indices { pages[index] = pages[index].map { $0.uppercased() } }
      }
    ]
  }
}
