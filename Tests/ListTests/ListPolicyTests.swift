import FluxAsync
import FluxCollections
import FluxCore
import FluxLists
import FluxTesting
import TestSupport
import Testing

@Suite("Lists that fail, are slow, or expire", .unlessItHangs)
struct ListPolicyTests {
  private let server = BookServer()
  private let clock = ManualClock()

  private struct Hiccup: Error {}

  private func books(_ options: ListOptions<Book>) -> ListSlice<Library, Book> {
    ListSlice("Books", at: \Library.books, from: PagedBooks(server), options: options)
  }

  private func makeStore(of slice: ListSlice<Library, Book>) -> Store<Library> {
    Store(reducer: slice.reducer, plugins: [.asyncWork(clock: clock)], state: Library())
  }

  @Test("a load is retried after growing waits, and is loading during all of them")
  func retry() async {
    let policy = WorkPolicy.latest.retrying(.times(2, backoff: .exponential(from: .seconds(1))))
    let books = books(ListOptions(policy: policy))
    let store = makeStore(of: books)
    server.fail(1)
    server.fail(2)
    let load = store.request(books.reload)
    for wait in [1, 2] {
      await clock.sleepers(atLeast: 1)
      #expect(store.state.books.loadingState == .loading)
      #expect(server.calls.values.count == wait)
      clock.advance(by: .seconds(wait))
      await server.calls.count(atLeast: wait + 1)
    }
    server.answer(3, 1...3)
    _ = await load.result
    #expect(store.state.books.ids == [1, 2, 3])
    #expect(clock.now.offset == .seconds(3))
  }

  @Test("after the last attempt, the last error is the list's error")
  func retriedInVain() async {
    let books = books(ListOptions(policy: .latest.retrying(.times(1, backoff: .constant(.zero)))))
    let store = makeStore(of: books)
    server.answer(1, with: .failure(Hiccup()))
    server.fail(2)
    _ = await store.request(books.reload).result
    #expect(store.state.books.error == ListFailure(BookServer.Trouble()))
    #expect(store.state.books.loadingState == .error)
  }

  @Test("a load that takes too long fails with a timeout")
  func timeout() async {
    let books = books(ListOptions(policy: .latest.timingOut(after: .seconds(3))))
    let store = makeStore(of: books)
    let load = store.request(books.reload)
    await clock.sleepers(atLeast: 1)
    clock.advance(by: .seconds(3))
    _ = await load.result
    #expect(store.state.books.error == ListFailure(.timedOut))
    #expect(store.state.books.loadingState == .error)
  }

  // MARK: Expiration

  @Test("a list that is needed is loaded once, and not again while it is valid")
  func loadIfNeeded() async {
    let books = books(ListOptions(lifetime: .seconds(60)))
    let store = makeStore(of: books)
    server.answer(1, 1...3)
    await store.dispatchAsync(books.loadIfNeeded).finished()
    #expect(store.state.books.ids == [1, 2, 3])
    clock.advance(by: .seconds(59))
    await store.dispatchAsync(books.loadIfNeeded).finished()
    #expect(server.calls.values.count == 1)
  }

  @Test("a list that has expired is loaded again, and shown meanwhile")
  func expired() async {
    let books = books(ListOptions(lifetime: .seconds(60)))
    let store = makeStore(of: books)
    server.answer(1, 1...3)
    await store.dispatchAsync(books.loadIfNeeded).finished()
    clock.advance(by: .seconds(60))
    let load = store.dispatchAsync(books.loadIfNeeded)
    #expect(store.state.books.ids == [1, 2, 3])
    #expect(store.state.books.loadingState == .loading)
    server.answer(2, 4...6)
    await load.finished()
    #expect(store.state.books.ids == [4, 5, 6])
    #expect(store.state.books.loadedAt == .seconds(60))
  }

  @Test("loading more of a list does not make it younger")
  func moreIsNotYounger() async {
    let books = books(ListOptions(lifetime: .seconds(60)))
    let store = makeStore(of: books)
    server.answer(1, 1...3)
    await store.dispatchAsync(books.loadIfNeeded).finished()
    clock.advance(by: .seconds(30))
    server.answer(2, 4...6)
    _ = await store.request(books.fetchNext).result
    #expect(store.state.books.loadedAt == .zero)
  }

  @Test("a list without a lifetime is valid until it is invalidated")
  func invalidated() async {
    let books = books(ListOptions())
    let store = makeStore(of: books)
    server.answer(1, 1...3)
    await store.dispatchAsync(books.loadIfNeeded).finished()
    clock.advance(by: .seconds(1_000_000))
    await store.dispatchAsync(books.loadIfNeeded).finished()
    #expect(server.calls.values.count == 1)
    store.dispatch(books.invalidate)
    #expect(store.state.books.ids == [1, 2, 3])
    server.answer(2, 4...6)
    await store.dispatchAsync(books.loadIfNeeded).finished()
    #expect(store.state.books.ids == [4, 5, 6])
    #expect(!store.state.books.isInvalidated)
  }

  @Test("a list that is loading is not loaded twice when it is needed")
  func neededWhileLoading() async {
    let books = books(ListOptions())
    let store = makeStore(of: books)
    let load = store.request(books.reload)
    await store.dispatchAsync(books.loadIfNeeded).finished()
    server.answer(1, 1...3)
    _ = await load.result
    #expect(server.calls.values.count == 1)
  }

  @Test("a list whose load has failed is needed again")
  func neededAfterError() async {
    let books = books(ListOptions())
    let store = makeStore(of: books)
    server.fail(1)
    await store.dispatchAsync(books.loadIfNeeded).finished()
    server.answer(2, 1...3)
    await store.dispatchAsync(books.loadIfNeeded).finished()
    #expect(store.state.books.ids == [1, 2, 3])
  }

  @Test("the items of a refresh can be merged into the shown items")
  func merging() async {
    let books = books(ListOptions(merge: { old, new in Book(new.id, "\(old.title), \(new.title)") }))
    let store = makeStore(of: books)
    server.answer(1, 1...1)
    _ = await store.request(books.reload).result
    server.answer(2, 1...2)
    _ = await store.request(books.refresh).result
    #expect(store.state.books.items.map(\.title) == ["Book 1, Book 1", "Book 2"])
  }
}
