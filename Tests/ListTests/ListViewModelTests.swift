import FluxAsync
import FluxCollections
import FluxCore
import FluxLists
import FluxTesting
import TestSupport
import Testing

@Suite("View models", .unlessItHangs)
@MainActor
struct ListViewModelTests {
  private let server = BookServer()

  @Test("a request of a list loads the list, and returns the items")
  func request() async throws {
    let viewModel = ListViewModel(repository: AllBooks(server: server))
    server.answer(1, 1...3)
    let books = try await viewModel.request().get()
    #expect(books.map(\.id) == [1, 2, 3])
    #expect(viewModel.data.ids == [1, 2, 3])
    #expect(!viewModel.isLoading)
  }

  @Test("each request of a paged list loads the next page, until there is none")
  func pagedRequest() async throws {
    let viewModel = PaginatedListViewModel(repository: PagedBooks(server))
    server.answer(1, 1...3)
    server.answer(2, 4...5)
    await viewModel.request()
    #expect(try await viewModel.request().get().map(\.id) == [4, 5])
    #expect(viewModel.data.ids == Array(1...5))
    #expect(await viewModel.request() == .failure(ListFailure(.unwanted)))
    #expect(viewModel.currentPage == 2)
  }

  @Test("a failed request throws its error")
  func failingRequest() async {
    let viewModel = ListViewModel(repository: AllBooks(server: server))
    server.fail(1)
    #expect(await viewModel.request() == .failure(ListFailure(BookServer.Trouble())))
    #expect(viewModel.error == ListFailure(BookServer.Trouble()))
    #expect(viewModel.state == .error)
  }

  @Test("the repository decides whether there are more pages, and how many")
  func repositoryFollows() async throws {
    let viewModel = PaginatedListViewModel(repository: PagedBooks(server))
    #expect(viewModel.repository.shouldFetch())
    #expect(viewModel.repository.currentPage == 0)
    server.answer(1, 1...3)
    try await viewModel.reload()
    #expect(viewModel.repository.shouldFetch())
    #expect(viewModel.repository.paginationStrategy.offset == 3)
    server.answer(2, 4...4)
    try await viewModel.fetchNext()
    #expect(!viewModel.repository.shouldFetch())
    #expect(viewModel.repository.currentPage == 2)
    viewModel.flush()
    #expect(viewModel.repository.shouldFetch())
    #expect(viewModel.repository.currentPage == 0)
  }

  @Test("a list that ended can still be reloaded")
  func reloadAfterEnd() async throws {
    let viewModel = PaginatedListViewModel(repository: PagedBooks(server))
    server.answer(1, 1...1)
    try await viewModel.reload()
    server.answer(2, 1...3)
    try await viewModel.reload()
    #expect(viewModel.data.ids == [1, 2, 3])
  }

  /// Counts how often each book was refreshed, like a demo of RepositoryList.
  private final class CountingViewModel: PaginatedListViewModel<PagedBooks> {
    private(set) var refreshes = 0

    override func refresh() async throws {
      try await super.refresh()
      refreshes += 1
      overrideData(by: data.map { Book($0.id, "\($0.title), \(refreshes)") })
    }
  }

  @Test("a subclass overrides the load, and decides what it keeps")
  func subclass() async throws {
    let viewModel = CountingViewModel(repository: PagedBooks(server))
    for number in 1...2 { server.answer(number, 1...3) }
    try await viewModel.reload()
    try await viewModel.refresh()
    #expect(viewModel.data.first?.title == "Book 1, 1")
    #expect(viewModel.endState == .idle)
  }

  @Test("closures can replace a repository type")
  func closures() async throws {
    let all = ListViewModel(repository: ListRepository { [Book(1)] })
    try await all.reload()
    #expect(all.data.ids == [1])
    let paged = PaginatedListViewModel(
      repository: PaginatedListRepository(PageNumberPaginationStrategy()) { position in
        ListPage([Book(position.number)], total: 2)
      })
    try await paged.reload()
    try await paged.fetchNext()
    #expect(paged.data.ids == [0, 1])
    #expect(paged.total == 2)
    #expect(paged.endState == .reachedEnd)
  }

  @Test("a closure on the main actor receives the list and its status")
  func subscribing() async throws {
    let viewModel = ListViewModel(repository: AllBooks(server: server))
    let inbox = Inbox<[Int]>()
    let token = viewModel.subscribe { list in inbox.receive(list.ids) }
    #expect(inbox.values == [[]])
    server.answer(1, 1...3)
    try await viewModel.reload()
    await inbox.wait { $0 == [1, 2, 3] }
    token.cancel()
  }

  @Test("loadIfNeeded, invalidate, and cancel have the same effects as those of the list")
  func age() async {
    let clock = ManualClock()
    let viewModel = ListViewModel(
      repository: AllBooks(server: server), options: ListOptions(lifetime: .seconds(60)), clock: clock)
    server.answer(1, 1...1)
    await viewModel.loadIfNeeded()
    await viewModel.loadIfNeeded()
    #expect(server.calls.values.count == 1)
    clock.advance(by: .seconds(60))
    server.answer(2, 1...2)
    await viewModel.loadIfNeeded()
    viewModel.invalidate()
    server.answer(3, 1...3)
    await viewModel.loadIfNeeded()
    #expect(viewModel.data.ids == [1, 2, 3])
  }

  // MARK: Editing

  private struct EditableBooks: AnyEditableListRepository {
    let keeper: Server<Book>

    func fetch() async throws -> [Book] { [Book(1), Book(2)] }
    func insert(_ book: Book) async throws -> Book { try await keeper.ask("insert \(book.title)") }
    func update(_ book: Book) async throws -> Book { try await keeper.ask("update \(book.title)") }
    func delete(_ book: Book) async throws { _ = try await keeper.ask("delete \(book.title)") }
  }

  @Test("confirmed edits of a repository remain, and refused edits are undone")
  func editing() async throws {
    let keeper = Server<Book>()
    let viewModel = ListViewModel(initialData: [Book(1), Book(2)], repository: EditableBooks(keeper: keeper))
    keeper.answer(1, with: .success(Book(9)))
    try await viewModel.insert(Book(-1), at: 0)
    keeper.answer(2, with: .success(Book(1, "kept")))
    try await viewModel.update(1) { $0.title = "new" }
    keeper.answer(3, with: .success(Book(2)))
    try await viewModel.delete(2)
    #expect(viewModel.data.map(\.title) == ["Book 9", "kept"])
    keeper.fail(4)
    await #expect(throws: ListFailure(Server<Book>.Trouble())) { try await viewModel.delete(1) }
    #expect(viewModel.data.map(\.title) == ["Book 9", "kept"])
    #expect(keeper.calls.values == ["insert Book -1", "update new", "delete Book 2", "delete kept"])
  }

  @Test("in an app's store, the slice has the same functions")
  func editingInStore() async {
    let keeper = Server<Book>()
    let repository = EditableBooks(keeper: keeper)
    let books = ListSlice("Books", at: \Library.books, from: repository)
    let store = Store(reducer: books.reducer, state: Library(books: ListState([Book(1), Book(2)])))
    keeper.fail(1)
    _ = await store.request(books.insert(Book(3), in: repository)).result
    keeper.fail(2)
    _ = await store.request(books.update(1, in: repository) { $0.title = "new" }).result
    keeper.answer(3, with: .success(Book(1)))
    _ = await store.request(books.delete(1, in: repository)).result
    #expect(store.state.books.ids == [2])
    #expect(keeper.calls.values == ["insert Book 3", "update new", "delete Book 1"])
  }
}
