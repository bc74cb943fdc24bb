import FluxAsync
import FluxCollections
import FluxCore
import FluxLists
import FluxTesting
import TestSupport
import Testing

@Suite("Pagination strategies", .unlessItHangs)
struct PaginationTests {
  @Test(
    "by limit and offset, a full page leads to the next one, and a shorter page is the last",
    arguments: [(3, 13), (4, 14), (2, nil), (0, nil)])
  func limitOffset(count: Int, next: Int?) {
    let strategy = LimitOffsetPaginationStrategy(limit: 3)
    let page = LoadedPage(at: PagePosition(number: 2, offset: 10), count: count)
    #expect(strategy.nextPage(after: page)?.offset == next)
  }

  @Test("a limit below one counts as one, so that an empty page still ends the list")
  func badLimit() {
    let strategy = LimitOffsetPaginationStrategy(limit: 0)
    #expect(strategy.limit == 1)
    #expect(strategy.nextPage(after: LoadedPage(at: .first, count: 0)) == nil)
  }

  @Test("reaching the total ends the list, whatever the length of the pages")
  func total() {
    let full = LoadedPage(at: PagePosition(number: 1, offset: 3), count: 3, total: 6)
    let more = LoadedPage(at: PagePosition(number: 1, offset: 3), count: 3, total: 7)
    let strategies: [any PaginationStrategy] = [
      LimitOffsetPaginationStrategy(limit: 3), PageNumberPaginationStrategy(),
      PageNumberPaginationStrategy(pageSize: 3),
    ]
    for strategy in strategies {
      #expect(strategy.nextPage(after: full) == nil)
      #expect(strategy.nextPage(after: more) != nil)
    }
  }

  @Test("pages are numbered from the first number, until a page is empty")
  func pageNumber() {
    let strategy = PageNumberPaginationStrategy(firstPage: 1)
    let next = strategy.nextPage(after: LoadedPage(at: .first, count: 1))
    #expect(next.map(strategy.number) == 2)
    #expect(strategy.nextPage(after: LoadedPage(at: .first, count: 0)) == nil)
  }

  @Test("if the page length is known, a shorter page is the last")
  func pageSize() {
    let strategy = PageNumberPaginationStrategy(pageSize: 5)
    #expect(strategy.nextPage(after: LoadedPage(at: .first, count: 5)) != nil)
    #expect(strategy.nextPage(after: LoadedPage(at: .first, count: 4)) == nil)
  }

  @Test("by cursor, the list continues while the server returns a next cursor, even after an empty page")
  func cursor() {
    let strategy = CursorPaginationStrategy()
    let next = strategy.nextPage(after: LoadedPage(at: .first, count: 0, nextCursor: "b"))
    #expect(next?.cursor == "b")
    #expect(strategy.nextPage(after: LoadedPage(at: .first, count: 9)) == nil)
  }

  // MARK: In a list

  /// Pages by cursor, which are requested by position.
  private struct CursorBooks: AnyPageRepository {
    let server: BookServer
    let paginationStrategy = CursorPaginationStrategy()

    func fetchPage(at position: PagePosition) async throws -> ListPage<Book> {
      try await server.ask("after \(position.cursor ?? "nothing")")
    }
  }

  /// Pages by number, which are requested as the strategy specifies.
  private struct NumberedBooks: AnyPaginatedListRepository {
    let server: BookServer
    let paginationStrategy = PageNumberPaginationStrategy(firstPage: 0)

    func fetch() async throws -> [Book] {
      try await server.ask("page \(paginationStrategy.page)").items
    }
  }

  /// Pages by cursor, which the repository stores.
  private struct NotingBooks: AnyPaginatedListRepository {
    let server: BookServer
    let paginationStrategy = CursorPaginationStrategy()

    func fetch() async throws -> [Book] {
      let page = try await server.ask("after \(paginationStrategy.cursor ?? "nothing")")
      paginationStrategy.note(nextCursor: page.nextCursor)
      return page.items
    }
  }

  /// A year of two weeks.
  private struct Weeks: PaginationStrategy {
    let standing = PaginationStanding()

    func nextPage(after page: LoadedPage) -> PagePosition? {
      page.position.number < 1 ? page.following : nil
    }
  }

  private struct WeeklyBooks: AnyPageRepository {
    let server: BookServer
    let paginationStrategy = Weeks()

    func fetchPage(at position: PagePosition) async throws -> ListPage<Book> {
      try await server.ask("week \(position.number)")
    }
  }

  private func calls(
    of slice: (BookServer) -> ListSlice<Library, Book>
  ) async -> (calls: [String], list: ListState<Book>) {
    let server = BookServer()
    let books = slice(server)
    let store = Store(reducer: books.reducer, state: Library())
    server.answer(1, 1...2, nextCursor: "b")
    _ = await store.request(books.reload).result
    server.answer(2, 3...4)
    _ = await store.request(books.fetchNext).result
    return (server.calls.values, store.state.books)
  }

  @Test("a list is loaded by cursor, and ends when there is no cursor")
  func cursorList() async {
    let (calls, list) = await calls { ListSlice("B", at: \.books, from: CursorBooks(server: $0)) }
    #expect(calls == ["after nothing", "after b"])
    #expect(list.ids == [1, 2, 3, 4])
    #expect(list.endState == .reachedEnd)
  }

  @Test("a repository that only fetches items stores the cursor of the next page")
  func notedCursor() async {
    let (calls, list) = await calls { ListSlice("B", at: \.books, from: NotingBooks(server: $0)) }
    #expect(calls == ["after nothing", "after b"])
    #expect(list.endState == .reachedEnd)
  }

  @Test("a list is loaded by page number")
  func numberedList() async {
    let (calls, list) = await calls { ListSlice("B", at: \.books, from: NumberedBooks(server: $0)) }
    #expect(calls == ["page 0", "page 1"])
    #expect(list.endState == .idle)
  }

  @Test("a list is loaded by a custom strategy")
  func ownStrategy() async {
    let (calls, list) = await calls { ListSlice("B", at: \.books, from: WeeklyBooks(server: $0)) }
    #expect(calls == ["week 0", "week 1"])
    #expect(list.endState == .reachedEnd)
  }

  @Test("a list is loaded by a closure")
  func closure() async {
    let (calls, list) = await calls { server in
      ListSlice("B", at: \.books, pages: LimitOffsetPaginationStrategy(limit: 2)) { position in
        try await server.ask("from \(position.offset)")
      }
    }
    #expect(calls == ["from 0", "from 2"])
    #expect(list.ids == [1, 2, 3, 4])
  }

  @Test("two lists of one repository that load at the same time each request their own page")
  func sideBySide() async {
    let server = BookServer()
    let repository = PagedBooks(server)
    let books = ListSlice("Books", at: \Library.books, from: repository)
    let wishes = ListSlice("Wishes", at: \Library.wishes, from: repository)
    let store = Store(reducer: combine(books.reducer, wishes.reducer), state: Library())
    server.answer(1, 1...3)
    _ = await store.request(books.reload).result
    let more = store.request(books.fetchNext)
    await server.calls.count(atLeast: 2)
    let other = store.request(wishes.reload)
    await server.calls.count(atLeast: 3)
    #expect(server.calls.values == ["3 from 0", "3 from 3", "3 from 0"])
    server.answer(3, 1...3)
    server.answer(2, 4...6)
    _ = await (more.result, other.result)
    #expect(store.state.books.ids == Array(1...6))
    #expect(store.state.wishes.ids == Array(1...3))
  }
}
