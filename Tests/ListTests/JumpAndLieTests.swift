import FluxAsync
import FluxCollections
import FluxCore
import FluxLists
import TestSupport
import Testing

@Suite("Lists on a clock that jumps, and lists of an inconsistent server", .unlessItHangs)
struct JumpAndLieTests {
  private let clock = JumpingClock()
  private let server = BookServer(heedsCancellation: false)

  private func books(_ options: ListOptions<Book> = ListOptions()) -> ListSlice<Library, Book> {
    ListSlice("Books", at: \Library.books, from: PagedBooks(server), options: options)
  }

  private func makeStore(of books: ListSlice<Library, Book>) -> Store<Library> {
    Store(reducer: books.reducer, plugins: [.asyncWork(clock: clock)], state: Library())
  }

  @Test("after the clock is set back a list is valid, and it expires from its load time on")
  func expiry() async {
    let books = books(ListOptions(lifetime: .seconds(60)))
    let store = makeStore(of: books)
    server.answer(1, 1...3)
    await store.dispatchAsync(books.loadIfNeeded).finished()
    clock.set(to: .seconds(-86_400))
    await store.dispatchAsync(books.loadIfNeeded).finished()
    #expect(server.calls.values.count == 1)
    clock.set(to: .seconds(86_400))
    server.answer(2, 4...6)
    await store.dispatchAsync(books.loadIfNeeded).finished()
    #expect(store.state.books.ids == [4, 5, 6])
    #expect(server.calls.values.count == 2)
  }

  @Test("a clock that jumps over the wait before another attempt causes one more attempt")
  func tries() async {
    let books = books(ListOptions(policy: .latest.retrying(.times(3))))
    let store = makeStore(of: books)
    let load = store.request(books.reload)
    server.fail(1)
    await clock.naps.count(atLeast: 1)
    clock.set(to: .seconds(-86_400))
    clock.set(to: .seconds(86_400))
    await server.calls.count(atLeast: 2)
    server.answer(2, 1...3)
    _ = await load.result
    #expect(store.state.books.ids == [1, 2, 3])
    #expect(server.calls.values.count == 2)
  }

  @Test("when a server stalls, the list is kept, and an answer after the timeout changes nothing")
  func stalls() async {
    let books = books(ListOptions(policy: .latest.timingOut(after: .seconds(5))))
    let store = makeStore(of: books)
    server.answer(1, 1...3)
    _ = await store.request(books.reload).result
    let load = store.request(books.refresh)
    await server.calls.count(atLeast: 2)
    await clock.naps.count(atLeast: 2)
    clock.set(to: .seconds(5))
    _ = await load.result
    let kept = store.state.books
    #expect(kept.ids == [1, 2, 3] && kept.error == ListFailure(.timedOut))
    server.answer(2, 7...9)
    server.answer(3, 4...6)
    _ = await store.request(books.fetchNext).result
    #expect(store.state.books.ids == Array(1...6))
  }

  @Test("if a server repeats the same page forever, each book is shown once, and each request is sent once")
  func repeats() async {
    let books = books()
    let store = makeStore(of: books)
    for number in 1...20 { server.answer(number, 1...3) }
    _ = await store.request(books.reload).result
    for _ in 2...20 { _ = await store.request(books.fetchNext).result }
    #expect(store.state.books.ids == [1, 2, 3])
    #expect(server.calls.values.count == 20)
    #expect(store.state.books.endState != .loading)
  }

  @Test("whatever pages and totals a server reports, no book occurs twice and no load remains")
  func lies() async {
    var random = SeededGenerator(seed: 5)
    let totals = [nil, 0, -1, 1, 3, 6, 1000, Int.max, .min]
    for run in 1...200 {
      let server = BookServer()
      let books = ListSlice("Books", at: \Library.books, from: PagedBooks(server))
      let store = makeStore(of: books)
      var sent: Set<Int> = []
      for turn in 1...8 {
        let asked = server.calls.values.count
        let length = Int.random(in: 0...5, using: &random)
        let page = (0..<length).map { _ in Int.random(in: 1...9, using: &random) }
        let fails = Int.random(in: 0..<5, using: &random) == 0
        if fails {
          server.fail(asked + 1)
        } else {
          server.answer(asked + 1, page, total: totals.randomElement(using: &random) ?? nil)
        }
        _ = await store.request(turn == 1 ? books.reload : books.fetchNext).result
        let wasAsked = server.calls.values.count > asked
        if wasAsked, !fails { sent.formUnion(page) }
        let list = store.state.books
        #expect(list.ids.count == sent.count && sent.isSuperset(of: list.ids), "run \(run), turn \(turn)")
        #expect(list.loadingState != .loading && list.endState != .loading, "run \(run), turn \(turn)")
        #expect(server.calls.values.count <= asked + 1, "run \(run), turn \(turn)")
        // No request was sent, so the answer of this turn must not be given to a later request.
        if !wasAsked { break }
      }
    }
  }
}
