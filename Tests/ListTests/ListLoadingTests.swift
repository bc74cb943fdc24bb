import FluxAsync
import FluxCollections
import FluxCore
import FluxLists
import FluxTesting
import TestSupport
import Testing

@Suite("Loading a list in a store", .unlessItHangs)
struct ListLoadingTests {
  private let server = BookServer()
  private let clock = ManualClock()

  private var books: ListSlice<Library, Book> {
    ListSlice("Books", at: \Library.books, from: PagedBooks(server))
  }

  private func makeStore(_ state: Library = Library()) -> Store<Library> {
    Store(reducer: books.reducer, plugins: [.asyncWork(clock: clock)], state: state)
  }

  /// A store whose list shows books 1 to 3, the first page.
  private func makeLoadedStore() async -> Store<Library> {
    let store = makeStore()
    server.answer(1, 1...3)
    _ = await store.request(books.reload).result
    return store
  }

  @Test("a list that was never loaded is in its initial state, and may have more items")
  func initialised() {
    let list = ListState<Book>()
    #expect(list.loadingState == .initialized)
    #expect(list.endState == .idle)
    #expect(!list.isLoading)
  }

  @Test("a list with initial data counts as loaded")
  func initialData() {
    #expect(ListState([Book(1)]).loadingState == .loaded)
  }

  @Test("a reload is loading until its first page arrives, and then loaded")
  func reload() async {
    let store = makeStore()
    let load = store.request(books.reload)
    #expect(store.state.books.loadingState == .loading)
    server.answer(1, 1...3)
    _ = await load.result
    #expect(store.state.books.loadingState == .loaded)
    #expect(store.state.books.ids == [1, 2, 3])
    #expect(server.calls.values == ["3 from 0"])
  }

  @Test("a reload erases the list immediately")
  func reloadErases() async {
    let store = await makeLoadedStore()
    let load = store.request(books.reload)
    #expect(store.state.books.ids.isEmpty)
    #expect(store.state.books.loadingState == .loading)
    server.answer(2, 4...6)
    _ = await load.result
    #expect(store.state.books.ids == [4, 5, 6])
  }

  @Test("a refresh shows the list until the new one arrives and replaces it")
  func refresh() async {
    let store = await makeLoadedStore()
    let load = store.request(books.refresh)
    #expect(store.state.books.ids == [1, 2, 3])
    #expect(store.state.books.loadingState == .loading)
    server.answer(2, [3, 7, 8])
    _ = await load.result
    #expect(store.state.books.ids == [3, 7, 8])
    #expect(store.state.books.currentPage == 1)
  }

  @Test("a refresh that fails keeps the list, and stores the error")
  func refreshFails() async {
    let store = await makeLoadedStore()
    server.fail(2)
    _ = await store.request(books.refresh).result
    #expect(store.state.books.ids == [1, 2, 3])
    #expect(store.state.books.loadingState == .error)
    #expect(store.state.books.error == ListFailure(.failed, cause: BookServer.Trouble()))
  }

  @Test("the next load removes the error of the last one")
  func errorGoes() async {
    let store = makeStore()
    server.fail(1)
    _ = await store.request(books.reload).result
    let load = store.request(books.reload)
    #expect(store.state.books.error == nil)
    #expect(store.state.books.loadingState == .loading)
    server.answer(2, 1...3)
    _ = await load.result
    #expect(store.state.books.loadingState == .loaded)
  }

  @Test("the load time is the time of the store's clock")
  func loadedAt() async {
    let store = makeStore()
    clock.advance(by: .seconds(5))
    server.answer(1, 1...3)
    _ = await store.request(books.reload).result
    #expect(store.state.books.loadedAt == .seconds(5))
  }

  @Test("flushing erases the list, cancels its load, and drops the answer")
  func flush() async {
    let store = await makeLoadedStore()
    let load = store.request(books.refresh)
    store.dispatch(books.flush)
    #expect(store.state == Library())
    server.answer(2, 4...6)
    #expect(await load.result.failure == "aborted: the list was flushed")
    #expect(store.state == Library())
  }

  @Test("a canceled load leaves the list unchanged, without a loading indicator")
  func cancelled() async {
    let store = await makeLoadedStore()
    let before = store.state
    for load in [books.refresh, books.fetchNext] {
      let request = store.request(load)
      #expect(store.state.books.isLoading)
      store.dispatch(books.cancel)
      #expect(store.state == before)
      _ = await request.result
    }
  }

  @Test("a canceled first load leaves a list that was never loaded")
  func firstCancelled() async {
    let store = makeStore()
    let load = store.request(books.reload)
    load.abort()
    #expect(store.state == Library())
    _ = await load.result
  }

  @Test("a repository that throws its own cancellation error leaves no loading indicator and no error")
  func cancelsItself() async {
    let store = makeStore()
    server.answer(1, with: .failure(CancellationError()))
    _ = await store.request(books.reload).result
    #expect(store.state == Library())
  }

  @Test("the actions of one list do not affect another list of the same type")
  func twoLists() async {
    let wishes = ListSlice("Wishes", at: \Library.wishes, from: PagedBooks(server))
    let store = Store(reducer: combine(books.reducer, wishes.reducer), state: Library())
    server.answer(1, 1...3)
    _ = await store.request(wishes.reload).result
    #expect(store.state.books == ListState())
    #expect(store.state.wishes.ids == [1, 2, 3])
    store.dispatch(books.flush)
    #expect(store.state.wishes.ids == [1, 2, 3])
  }

  @Test("a repository that must not fetch is not called, and the list is unchanged")
  func shouldNotFetch() async {
    struct Closed: AnyListRepository {
      func shouldFetch() -> Bool { false }
      func fetch() async throws -> [Book] { [Book(1)] }
    }
    let closed = ListSlice("Books", at: \Library.books, from: Closed())
    let store = Store(reducer: closed.reducer, state: Library())
    #expect(await store.request(closed.reload).result.failure == "unwanted")
    #expect(store.state == Library())
  }

  @Test("a list of one page is at its end when it is loaded")
  func onePage() async {
    let all = ListSlice("Books", at: \Library.books, from: AllBooks(server: server))
    let store = Store(reducer: all.reducer, state: Library())
    server.answer(1, 1...3)
    _ = await store.request(all.reload).result
    #expect(store.state.books.endState == .reachedEnd)
    #expect(await store.request(all.fetchNext).result.failure == "unwanted")
    #expect(server.calls.values == ["all"])
  }
}

extension Result where Failure: CustomStringConvertible {
  /// A description of the failure.
  var failure: String? {
    if case .failure(let failure) = self { "\(failure)" } else { nil }
  }
}
