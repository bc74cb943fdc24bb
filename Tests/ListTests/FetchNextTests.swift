import FluxAsync
import FluxCollections
import FluxCore
import FluxLists
import FluxTesting
import TestSupport
import Testing

@Suite("Loading more of a list", .unlessItHangs)
struct FetchNextTests {
  private let server = BookServer()
  private let clock = ManualClock()

  private var books: ListSlice<Library, Book> {
    ListSlice(
      "Books", at: \Library.books, from: PagedBooks(server), options: ListOptions(prefetchDistance: 2))
  }

  private func makeStore() -> Store<Library> {
    Store(reducer: books.reducer, state: Library())
  }

  /// A store whose list shows books 1 to 3, the first page.
  private func makeLoadedStore() async -> Store<Library> {
    let store = makeStore()
    server.answer(1, 1...3)
    _ = await store.request(books.reload).result
    return store
  }

  @Test("the next page is appended; until then, the list is loaded and its end is loading")
  func next() async {
    let store = await makeLoadedStore()
    let load = store.request(books.fetchNext)
    #expect(store.state.books.loadingState == .loaded)
    #expect(store.state.books.endState == .loading)
    server.answer(2, 4...6)
    _ = await load.result
    #expect(store.state.books.ids == Array(1...6))
    #expect(store.state.books.endState == .idle)
    #expect(store.state.books.currentPage == 2)
    #expect(server.calls.values == ["3 from 0", "3 from 3"])
  }

  @Test("two simultaneous requests for more load one page")
  func twice() async {
    let store = await makeLoadedStore()
    let first = store.request(books.fetchNext)
    let second = store.request(books.fetchNext)
    #expect(await second.result.failure == "unwanted")
    server.answer(2, 4...6)
    _ = await first.result
    #expect(store.state.books.ids == Array(1...6))
    #expect(server.calls.values.count == 2)
  }

  /// Performs an operation, such as another thread's, when the list asks whether to fetch.
  private struct Racing: AnyPaginatedListRepository {
    let server: BookServer
    let paginationStrategy = LimitOffsetPaginationStrategy(limit: 3)
    let meanwhile = Shared<(@Sendable () -> Void)?>(nil)

    func shouldFetch() -> Bool {
      meanwhile.exchange(nil)?()
      return true
    }

    func fetch() async throws -> [Book] {
      try await server.ask("\(paginationStrategy.limit) from \(paginationStrategy.offset)").items
    }
  }

  /// A store whose list shows books 1 to 3, from a racing repository.
  private func makeRacingStore() async -> (Store<Library>, ListSlice<Library, Book>, Racing) {
    let repository = Racing(server: server)
    let books = ListSlice("Books", at: \Library.books, from: repository)
    let store = Store(reducer: books.reducer, state: Library())
    server.answer(1, 1...3)
    _ = await store.request(books.reload).result
    return (store, books, repository)
  }

  @Test("if two threads refresh and load more at the same time, only the refresh is performed")
  func refreshAtOnce() async {
    let (store, books, repository) = await makeRacingStore()
    let refreshed = Shared<RequestTask<ListLoad<Book>>?>(nil)
    let proxy = store.proxy
    repository.meanwhile.change { $0 = { refreshed.change { $0 = proxy.request(books.refresh) } } }
    let next = store.request(books.fetchNext)
    #expect(store.state.books.load?.kind == .refresh)
    server.answer(2, 7...9)
    #expect(await next.result.failure == "unwanted")
    _ = await refreshed.exchange(nil)?.result
    #expect(store.state.books.ids == [7, 8, 9])
  }

  @Test("two threads that load more at the same time load one page, and neither call fails")
  func twiceAtOnce() async throws {
    let repository = Racing(server: server)
    let model = ListModel(from: repository)
    server.answer(1, 1...3)
    try await model.reload()
    let other = Shared<Task<Void, any Error>?>(nil)
    repository.meanwhile.change { act in
      act = { other.change { $0 = Task.immediate { try await model.fetchNext() } } }
    }
    async let next: Void = model.fetchNext()
    await server.calls.count(atLeast: 2)
    server.answer(2, 4...6)
    try await next
    try await other.exchange(nil)?.value
    #expect(model.list.ids == Array(1...6))
    #expect(server.calls.values.count == 2)
  }

  @Test("an observer that receives a loaded list may load more immediately")
  func fromObserver() async {
    let store = makeStore()
    let books = books
    let isFirst = Shared(true)
    let token = store.subscribe(to: { $0.books.ids }, initial: false) { ids in
      if ids == [1, 2, 3], isFirst.exchange(false) { store.dispatch(books.fetchNext) }
    }
    server.answer(1, 1...3)
    server.answer(2, 4...6)
    _ = await store.request(books.reload).result
    await store.effects.finished()
    #expect(store.state.books.ids == Array(1...6))
    token.cancel()
  }

  @Test("no more items are requested while the list is loading")
  func whileLoading() async {
    let store = await makeLoadedStore()
    let load = store.request(books.refresh)
    #expect(await store.request(books.fetchNext).result.failure == "unwanted")
    server.answer(2, 1...3)
    _ = await load.result
    #expect(server.calls.values == ["3 from 0", "3 from 0"])
  }

  @Test("a page that is shorter than the limit is the last, and no further page is requested")
  func end() async {
    let store = await makeLoadedStore()
    server.answer(2, 4...5)
    _ = await store.request(books.fetchNext).result
    #expect(store.state.books.endState == .reachedEnd)
    #expect(await store.request(books.fetchNext).result.failure == "unwanted")
    #expect(server.calls.values.count == 2)
  }

  @Test("reaching the total ends the list, even after a full page")
  func total() async {
    let store = await makeLoadedStore()
    server.answer(2, 4...6, total: 6)
    _ = await store.request(books.fetchNext).result
    #expect(store.state.books.endState == .reachedEnd)
    #expect(store.state.books.total == 6)
  }

  @Test("an error while loading more keeps the list and its state, and the load can be repeated")
  func error() async {
    let store = await makeLoadedStore()
    server.fail(2)
    _ = await store.request(books.fetchNext).result
    #expect(store.state.books.ids == [1, 2, 3])
    #expect(store.state.books.loadingState == .loaded)
    #expect(store.state.books.endState == .error)
    #expect(store.state.books.error?.cause as? BookServer.Trouble == BookServer.Trouble())

    let again = store.request(books.fetchNext)
    #expect(store.state.books.endState == .loading)
    server.answer(3, 4...6)
    _ = await again.result
    #expect(store.state.books.ids == Array(1...6))
    #expect(store.state.books.error == nil)
    #expect(server.calls.values == ["3 from 0", "3 from 3", "3 from 3"])
  }

  @Test("items that are already in the list are dropped, and the existing ones keep their positions")
  func duplicates() async {
    let store = await makeLoadedStore()
    server.answer(2, [3, 4, 1])
    _ = await store.request(books.fetchNext).result
    #expect(store.state.books.ids == [1, 2, 3, 4])
    let load = store.request(books.fetchNext)
    server.answer(3, [])
    _ = await load.result
    #expect(server.calls.values.last == "3 from 6", "the server counts what it has sent")
  }

  @Test("loading more of a list that was never loaded loads its first page")
  func first() async {
    let store = makeStore()
    server.answer(1, 1...3)
    _ = await store.request(books.fetchNext).result
    #expect(store.state.books.ids == [1, 2, 3])
    #expect(store.state.books.loadingState == .loaded)
  }

  @Test("a refresh starts again with the first page, and the next page follows it")
  func refresh() async {
    let store = await makeLoadedStore()
    server.answer(2, 4...6)
    _ = await store.request(books.fetchNext).result
    server.answer(3, 1...3)
    _ = await store.request(books.refresh).result
    #expect(store.state.books.ids == [1, 2, 3])
    server.answer(4, 4...6)
    _ = await store.request(books.fetchNext).result
    #expect(server.calls.values.last == "3 from 3")
  }

  @Test("a reload cancels a load of more items")
  func reloadCancels() async {
    let store = await makeLoadedStore()
    let more = store.request(books.fetchNext)
    await server.calls.count(atLeast: 2)
    let reload = store.request(books.reload)
    #expect(await more.result.failure == "aborted: replaced by newer work")
    server.answer(3, 7...9)
    _ = await reload.result
    #expect(store.state.books.ids == [7, 8, 9])
  }

  // MARK: Prefetching

  @Test("showing an item near the end loads the next page, and showing one farther away does not")
  func shown() async {
    let store = await makeLoadedStore()
    #expect(await store.request(books.shown(1)).result.failure == "unwanted")
    server.answer(2, 4...6)
    _ = await store.request(books.shown(2)).result
    #expect(store.state.books.ids == Array(1...6))
  }

  @Test("after an error, no page is prefetched until a page is requested explicitly")
  func shownAfterError() async {
    let store = await makeLoadedStore()
    server.fail(2)
    _ = await store.request(books.fetchNext).result
    #expect(await store.request(books.shown(3)).result.failure == "unwanted")
    #expect(server.calls.values.count == 2)
  }

  @Test("a next page replaces no load, not even one that waits for a quiet interval")
  func whileDebounced() async {
    let books = ListSlice(
      "Books", at: \Library.books, from: PagedBooks(server),
      options: ListOptions(policy: .latest.debounced(for: .seconds(1))))
    let store = Store(
      reducer: books.reducer, plugins: [.asyncWork(clock: clock)], state: Library())
    server.answer(1, 1...3)
    let first = store.request(books.reload)
    await clock.sleepers(atLeast: 1)
    clock.advance(by: .seconds(1))
    _ = await first.result
    #expect(store.state.books.ids == [1, 2, 3])

    server.answer(2, 7...9)
    let refresh = store.request(books.refresh)
    let next = store.request(books.fetchNext)
    await clock.sleepers(atLeast: 1)
    clock.advance(by: .seconds(1))
    await store.effects.finished()
    #expect(await refresh.result.failure == nil)
    #expect(store.state.books.ids == [7, 8, 9])
    #expect(server.calls.values.last == "3 from 0")
    _ = next
  }

  @Test("of two simultaneous requests for the last page, the slower one requests nothing")
  func lastPage() async {
    let (store, books, repository) = await makeRacingStore()
    let (inside, door, over) = (EventLog<Bool>(), Gate(), EventLog<Bool>())
    repository.meanwhile.exchange {
      inside.record(true)
      door.wait()
    }
    let slow = Worker {
      store.dispatch(books.fetchNext)
      over.record(true)
    }
    await inside.count(atLeast: 1)
    server.answer(2, 4...5)
    server.answer(3, 6...8)
    _ = await store.request(books.fetchNext).result
    await store.effects.finished()
    #expect(store.state.books.endState == .reachedEnd)
    door.open()
    await over.count(atLeast: 1)
    await store.effects.finished()
    #expect(store.state.books.ids == [1, 2, 3, 4, 5])
    #expect(server.calls.values == ["3 from 0", "3 from 3"])
    _ = slow
  }

  @Test("loading more of a list whose store is released fails like a reload")
  func storeGone() async {
    let books = ListSlice("Books", at: \Library.books, from: PagedBooks(server))
    var store: Store<Library>? = Store(reducer: books.reducer, state: Library())
    let model = ListModel(books, in: store!.proxy)
    store = nil
    await #expect(throws: ListFailure.self) { try await model.reload() }
    await #expect(throws: ListFailure.self) { try await model.fetchNext() }
  }
}
