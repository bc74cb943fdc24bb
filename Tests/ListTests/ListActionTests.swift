import FluxAsync
import FluxCollections
import FluxCore
import FluxLists
import FluxTesting
import TestSupport
import Testing

@Suite("Lists in logs, tests, and states", .unlessItHangs)
struct ListActionTests {
  private let server = BookServer()
  private let clock = ManualClock()

  private var books: ListSlice<Library, Book> {
    ListSlice("Books", at: \Library.books, from: PagedBooks(server))
  }

  @Test("a test asserts the change that each action makes to a list")
  func testStore() async {
    let store = TestStore(
      reducer: books.reducer, plugins: [.asyncWork(clock: clock)], state: Library(),
      timeoutClock: ManualClock())
    server.answer(1, 1...2)
    let first = RequestID(rawValue: 1)
    store.send(books.reload)
    await store.receive(ListLoad<Book>.Pending.self) {
      $0.books.load = ListState.Load(id: first, kind: .reload)
    }
    await store.receive(ListLoad<Book>.Fulfilled.self) {
      $0.books.load = nil
      $0.books.items = [Book(1), Book(2)]
      $0.books.isLoaded = true
      $0.books.loadedAt = .zero
      $0.books.lastPage = LoadedPage(at: .first, count: 2)
      $0.books.nextPage = nil
    }
    store.send(books.invalidate) { $0.books.isInvalidated = true }
    await store.finish()
  }

  @Test("a log shows the operation, the list, and the number of items, and no dump")
  func log() async {
    let log = Recorder<String>()
    let store = Store(
      reducer: books.reducer,
      plugins: [Plugin(onTransition: .actions { action, _ in log.record("\(action)") })], state: Library())
    server.answer(1, 1...3)
    _ = await store.request(books.reload).result
    server.answer(2, 4...4)
    _ = await store.request(books.fetchNext).result
    server.fail(3)
    _ = await store.request(books.refresh).result
    store.dispatch(books.flush)
    store.dispatch(books.invalidate)
    store.dispatch(books.override(by: [Book(1)]))
    server.answer(4, [])
    await store.dispatchAsync(books.loadIfNeeded).finished()
    #expect(
      Set(log.values).isSuperset(of: [
        "Books.reload", "ListLoad<Book>.Pending(#1 Books.reload)",
        "ListLoad<Book>.Fulfilled(#1 Books.reload: 3 of page 1)",
        "ListLoad<Book>.Fulfilled(#2 Books.fetchNext: 1 of page 2, from 3, the last)",
        "ListLoad<Book>.Rejected(#3 Books.refresh: failed: trouble)", "Books.flush", "Books.invalidate",
        "Books.override(1 items)", "Books.loadIfNeeded", "CancelWork(id: Books)",
      ]), "\(log.values)")
  }

  @Test("a log shows which item is changed")
  func editLog() {
    let edits = [
      books.insert(Book(7)) { $0 }, books.update(8, { $0.title = "" }, commit: { $0 }),
      books.delete(9) { _ in },
    ]
    #expect(edits.map { "\($0)" } == ["Books.insert(7)", "Books.update(8)", "Books.delete(9)"])
  }

  @Test("failures are equal if their types and causes are equal, even if causes cannot be compared")
  func failures() {
    struct Plain: Error { let text: String }
    let trouble = BookServer.Trouble()
    #expect(ListFailure(trouble) == ListFailure(.failed, cause: trouble))
    #expect(ListFailure(.timedOut) != ListFailure(.cancelled))
    #expect(ListFailure(.failed, cause: trouble) != ListFailure(.failed))
    #expect(ListFailure(Plain(text: "a")) == ListFailure(Plain(text: "a")))
    #expect(ListFailure(Plain(text: "a")) != ListFailure(Plain(text: "b")))
    #expect(ListFailure(Plain(text: "a")) != ListFailure(trouble))
    #expect(
      [ListFailure(trouble), ListFailure(.timedOut), ListFailure(.cancelled), ListFailure(.unwanted)]
        .map { "\($0)" } == ["trouble", "timed out", "canceled", "nothing to do"])
  }

  @Test("a list can be located by closures, too")
  func closures() async {
    let books = ListSlice(
      "Books", in: Substate<Library, ListState<Book>> { library, body in body(&library.books) },
      reading: { $0.books }, from: PagedBooks(server))
    let store = Store(reducer: books.reducer, state: Library())
    server.answer(1, 1...3)
    _ = await store.request(books.reload).result
    #expect(store.state.books.ids == [1, 2, 3])
  }

  @Test("an action of a list does nothing in a store with another state type")
  func otherStore() async {
    let store = Store(reducer: books.reducer.elsewhere, state: ListState<Book>())
    #expect(await store.request(books.reload).result.failure == "unwanted")
    #expect(store.state == ListState())
    #expect(server.calls.values.isEmpty)
  }

  // MARK: Cost

  /// An id that counts its comparisons.
  private struct CountedID: Hashable, Sendable {
    let number: Int
    let comparisons: Shared<Int>

    static func == (first: CountedID, second: CountedID) -> Bool {
      first.comparisons.increment()
      return first.number == second.number
    }

    func hash(into hasher: inout Hasher) { hasher.combine(number) }
  }

  private struct Counted: Identifiable, Sendable {
    let id: CountedID
  }

  @Test("the look-up whether an item of a page is known does not visit other items")
  func duplicatesInConstantTime() {
    let comparisons = Shared(0)
    func item(_ number: Int) -> Counted { Counted(id: CountedID(number: number, comparisons: comparisons)) }
    var list = ListState((0..<10_000).map(item))
    list.began(.next, id: RequestID(rawValue: 1))
    comparisons.value = 0
    let page = LoadedPage(at: PagePosition(number: 1, offset: 10_000), count: 100)
    list.received(
      ListAnswer((9_950..<10_050).map(item), page: page, at: .zero), for: RequestID(rawValue: 1))
    #expect(list.items.count == 10_050)
    #expect(comparisons.value < 10 * 100)
  }
}

extension ActionHandlers<Library> {
  /// These handlers for a store with one list, which they never change.
  fileprivate var elsewhere: ActionHandlers<ListState<Book>> {
    lift(
      self,
      to: Substate { list, body in
        var library = Library()
        body(&library)
      })
  }
}
