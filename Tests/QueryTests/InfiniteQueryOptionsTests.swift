import FluxAsync
import FluxCore
import FluxQuery
import FluxTesting
import TestSupport
import Testing

@Suite("Infinite queries: the ends of the pages, and the pages that are fetched again", .unlessItHangs)
struct InfiniteQueryOptionsTests {
  private let world = World()

  /// Fetches pages, each after the previous one.
  private func load(_ count: Int, of query: CountedPages) async throws {
    for _ in 0..<count { _ = try await world.store.fetch(query, .nextPage) }
    await world.settled()
  }

  /// The numbers of the calls that fetched the pages of the result.
  private func calls(_ query: CountedPages) -> [Int]? { world.cache[query].data?.map(\.call) }

  /// Waits until the first page was fetched by a call, and no request is running.
  private func firstPage(of query: CountedPages, fetchedBy call: Int) async {
    await world.until { $0.queries[query].data?.first?.call == call }
    await world.settled()
  }

  // MARK: Pages

  @Test("a query that begins in the middle of the list adds pages at both sides")
  func middle() async {
    let query = Catalog(from: 2)
    await world.load(.ifNeeded, of: query, ("page 2", "c d"))
    #expect(world.catalog(query).hasNextPage)
    #expect(world.catalog(query).hasPreviousPage)
    await world.load(.nextPage, of: query, ("page 3", "e f"))
    await world.load(.previousPage, of: query, ("page 1", "a b"))
    #expect(world.words(query) == "a b | c d | e f")
    #expect(world.catalog(query).hasNextPage)
    #expect(!world.catalog(query).hasPreviousPage)
  }

  @Test("a result without a limit keeps all pages")
  func unlimited() async throws {
    let query = CountedPages()
    for count in 1...10 {
      let pages = try await world.store.fetch(query, .nextPage)
      #expect(pages.parameters == Array(0..<count))
    }
  }

  @Test(
    "a request for a page beyond the beginning or the end does not become pending",
    arguments: [QueryCondition.nextPage, .previousPage])
  func beyondTheEnds(condition: QueryCondition) async {
    await world.load(.ifNeeded, ("page 1", "a"))
    world.store.dispatch(FetchQuery(Catalog(), condition))
    await world.settled()
    #expect(world.actions.values.filter { $0.contains("Pending") }.count == 1)
    #expect(world.words() == "a")
    #expect(world.catalog().error == nil)
  }

  @Test("a parameter of zero identifies a page, and only nil is the end")
  func zero() async throws {
    let query = Countdown(from: 1)
    _ = try await world.store.fetch(query)
    #expect(try await world.store.fetch(query, .nextPage).parameters == [1, 0])
    #expect(try await world.store.fetch(query, .nextPage).parameters == [1, 0])
    #expect(query.calls.count.value == 2)
  }

  @Test("as soon as a request for a page is aborted, the page can be fetched again")
  func aborted() async {
    await world.load(.ifNeeded, ("page 1", "a b"))
    world.store.prefetch(Catalog(), .nextPage)
    world.store.dispatch(CancelWork(of: FetchQuery.self))
    #expect(!world.catalog().isFetchingNextPage)
    #expect(world.words() == "a b")
    #expect(world.catalog().error == nil)
    await world.load(.nextPage, ("page 2", "c d"))
    #expect(world.words() == "a b | c d")
  }

  @Test("written pages without the parameter of a next page are the end until they are fetched again")
  func writtenEnd() async throws {
    let query = CountedPages(from: 3)
    world.store.write(QueryPages([(3, CountedPage(number: 3, call: 0))]), to: query)
    #expect(!world.cache[query].hasNextPage)
    _ = try await world.store.fetch(query, .always)
    #expect(world.cache[query].hasNextPage)
  }

  @Test("the fulfilled action of a request for a page contains all pages with their types")
  func fulfilled() async throws {
    let received = Recorder<QueryPages<CountedPage, Int>>()
    let reducer: ActionHandlers<AppState> = on(FetchQuery.Fulfilled.self) { _, action in
      if let pages = action.value(of: CountedPages.self) { received.record(pages) }
    }
    let store = Store(
      reducer: reducer, plugins: [QuerySlice(at: \AppState.queries).plugin], state: AppState())
    _ = try await store.fetch(CountedPages())
    _ = try await store.fetch(CountedPages(), .nextPage)
    #expect(received.values.map { $0.map(\.number) } == [[0], [0, 1]])
    #expect(received.values.map(\.parameters) == [[0], [0, 1]])
  }

  // MARK: Fetching again

  @Test("a query fetches all of its pages again by default")
  func allByDefault() async throws {
    let query = Countdown(from: 2)
    for _ in 0..<3 { _ = try await world.store.fetch(query, .nextPage) }
    let pages = try await world.store.fetch(query, .always)
    #expect(pages.map(\.self) == [4, 5, 6])
  }

  @Test("an observer fetches all pages again, beginning with the first page of its query")
  func byObserver() async throws {
    let query = CountedPages(from: 3)
    try await load(3, of: query)
    let observer = world.store.observe(query) { _ in }
    observer.refetch()
    await world.settled()
    #expect(observer.state.data?.parameters == [3, 4, 5])
    #expect(calls(query) == [4, 5, 6])
  }

  @Test(
    "an invalidation by a mutation causes a request for all pages, or for the first page only",
    arguments: [(true, [4, 5, 6]), (false, [4])])
  func byMutation(refetchesAllPages: Bool, expected: [Int]) async throws {
    let query = CountedPages(refetchingAllPages: refetchesAllPages)
    try await load(3, of: query)
    let observer = world.store.observe(query) { _ in }
    world.store.mutate(Change(name: "change", tags: [.list("Page")]))
    world.service.answer("change")
    await firstPage(of: query, fetchedBy: 4)
    #expect(calls(query) == expected)
    withExtendedLifetime(observer) {}
  }

  @Test(
    "polling fetches all pages again, or the first page only",
    arguments: [(true, [4, 5, 6]), (false, [4])])
  func byPolling(refetchesAllPages: Bool, expected: [Int]) async throws {
    let query = CountedPages(refetchingAllPages: refetchesAllPages)
    try await load(3, of: query)
    let observer = world.store.observe(query, QueryOptions(pollingInterval: .seconds(10))) { _ in }
    world.clock.advance(by: .seconds(9))
    #expect(calls(query) == [1, 2, 3])
    #expect(!world.cache[query].isFetching)
    world.clock.advance(by: .seconds(1))
    await firstPage(of: query, fetchedBy: 4)
    #expect(calls(query) == expected)
    withExtendedLifetime(observer) {}
  }

  @Test("an observer with the condition always replaces all pages, and adds no page a second time")
  func byCondition() async throws {
    let calls = Calls()
    let (first, second) = (CountedPages(calls: calls), CountedPages(from: 5, calls: calls))
    let observer = world.store.observe(first, QueryOptions(condition: .always)) { _ in }
    await world.settled()
    try await load(1, of: first)
    observer.query = second
    await world.settled()
    try await load(1, of: second)
    observer.query = first
    await world.settled()
    #expect(observer.state.data?.parameters == [0, 1])
    #expect(observer.state.data?.map(\.call) == [5, 6])
  }

  @Test("after a request for only the first page, the next page follows the first page")
  func nextAfterFirstOnly() async throws {
    let query = CountedPages(refetchingAllPages: false)
    try await load(3, of: query)
    _ = try await world.store.fetch(query, .always)
    let pages = try await world.store.fetch(query, .nextPage)
    #expect(pages.parameters == [0, 1])
    #expect(pages.map(\.call) == [4, 5])
  }

  @Test(
    "a request fetches the pages that its own query determines, although an equal query differs",
    arguments: [(true, [4, 5, 6]), (false, [4])])
  func ownOption(refetchesAllPages: Bool, expected: [Int]) async throws {
    let calls = Calls()
    try await load(3, of: CountedPages(refetchingAllPages: !refetchesAllPages, calls: calls))
    let query = CountedPages(refetchingAllPages: refetchesAllPages, calls: calls)
    let pages = try await world.store.fetch(query, .always)
    #expect(pages.map(\.call) == expected)
    #expect(world.cache.entries.count == 1)
  }

  // MARK: Limits

  @Test("a limited result without previous pages loses its first pages")
  func withoutPrevious() async throws {
    let query = CountedPages(atMost: 3)
    try await load(5, of: query)
    #expect(world.cache[query].data?.parameters == [2, 3, 4])
    #expect(!world.cache[query].hasPreviousPage)
    let pages = try await world.store.fetch(query, .previousPage)
    #expect(pages.parameters == [2, 3, 4])
  }

  @Test("a request for only the first page of a limited result fetches the first page that remains")
  func firstOfLimited() async throws {
    let query = CountedPages(atMost: 3, refetchingAllPages: false)
    try await load(5, of: query)
    let pages = try await world.store.fetch(query, .always)
    #expect(pages.parameters == [2])
    #expect(pages.map(\.call) == [6])
  }

  @Test("fetching a written result again fetches as many pages as the limit allows")
  func writtenBeyondLimit() async throws {
    let query = CountedPages(atMost: 2)
    let pages = (0..<4).map { (parameter: $0, page: CountedPage(number: $0, call: 0)) }
    world.store.write(QueryPages(pages, next: 4), to: query)
    #expect(world.cache[query].data?.count == 4)
    let fetched = try await world.store.fetch(query, .always)
    #expect(fetched.parameters == [0, 1])
    #expect(fetched.map(\.call) == [1, 2])
    #expect(query.calls.count.value == 2)
  }
}

/// The number of calls of a query, which is not part of the identity of the query.
private struct Calls: Hashable, Sendable {
  let count = Shared(0)

  static func == (first: Calls, second: Calls) -> Bool { true }

  func hash(into hasher: inout Hasher) {}
}

private struct CountedPage: Equatable {
  let number: Int
  /// The number of the call that fetched the page.
  let call: Int
}

/// Pages with the numbers 0 to 19, which are immediately available.
///
/// Queries with different options are equal if they have the same first page.
private struct CountedPages: InfiniteQuery {
  let firstPage: Int
  let maximumPages: Int?
  let refetchesAllPages: Bool
  let calls: Calls

  init(
    from firstPage: Int = 0, atMost maximumPages: Int? = nil, refetchingAllPages: Bool = true,
    calls: Calls = Calls()
  ) {
    self.firstPage = firstPage
    self.maximumPages = maximumPages
    refetchesAllPages = refetchingAllPages
    self.calls = calls
  }

  static func == (first: CountedPages, second: CountedPages) -> Bool { first.firstPage == second.firstPage }

  func hash(into hasher: inout Hasher) {
    hasher.combine(firstPage)
  }

  func fetchPage(_ number: Int, in context: RequestContext<AppState>) async throws -> CountedPage {
    CountedPage(number: number, call: calls.count.increment())
  }

  func nextPage(after pages: QueryPages<CountedPage, Int>) -> Int? {
    pages.last.flatMap { $0.number < 19 ? $0.number + 1 : nil }
  }

  func tags(for result: Result<QueryPages<CountedPage, Int>, QueryFailure>) -> Set<QueryTag> {
    [.list("Page")]
  }
}

/// Pages whose parameters end at 0, and which contain the numbers of their calls.
///
/// The query has the default options.
private struct Countdown: InfiniteQuery {
  let firstPage: Int
  let calls = Calls()

  init(from firstPage: Int) {
    self.firstPage = firstPage
  }

  func fetchPage(_ number: Int, in context: RequestContext<AppState>) async throws -> Int {
    calls.count.increment()
  }

  func nextPage(after pages: QueryPages<Int, Int>) -> Int? {
    pages.parameters.last.flatMap { $0 > 0 ? $0 - 1 : nil }
  }
}
