import FluxAsync
import FluxCore
import FluxQuery
import FluxUI
import TestSupport
import Testing

@MainActor
@Suite("Observed queries of objects", .unlessItHangs)
struct ObservedQueryTests {
  private struct Shelf: FluxState, Equatable {
    var queries = QueryCache()
  }

  private struct BookByID: Query {
    let id: Int

    func fetch(in context: RequestContext<Shelf>) async throws -> String {
      try await context.services(Service.self).call("book \(id)")
    }
  }

  /// Pages whose parameters are 1 to 3, and which contain the answers of the service.
  private struct Pages: InfiniteQuery {
    let firstPage = 2

    func fetchPage(_ number: Int, in context: RequestContext<Shelf>) async throws -> String {
      try await context.services(Service.self).call("page \(number)")
    }

    func nextPage(after pages: QueryPages<String, Int>) -> Int? {
      pages.parameters.last.flatMap { $0 < 3 ? $0 + 1 : nil }
    }

    func previousPage(before pages: QueryPages<String, Int>) -> Int? {
      pages.parameters.first.flatMap { $0 > 1 ? $0 - 1 : nil }
    }
  }

  @MainActor
  private final class Pane {
    @ObservedQuery var book: QueryState<String>

    init(_ id: Int?, _ options: QueryOptions = QueryOptions(), in stores: ProvidedStores) {
      _book = ObservedQuery(id.map(BookByID.init), options, in: stores)
    }
  }

  private let service = Service()
  private let store: Store<Shelf>
  private let stores: ProvidedStores

  init() {
    store = Store(
      reducer: ActionHandlers<Shelf> {}, plugins: [QuerySlice(at: \Shelf.queries).plugin],
      services: Services().with(service), state: Shelf())
    stores = ProvidedStores().providing(store)
  }

  /// Waits until the operations that were sent to the main actor have run.
  private func settle() async {
    await Task.detached { @MainActor in }.value
  }

  @Test("the object subscribes after its initializer, and a reader is notified of the result")
  func fetching() async {
    let pane = Pane(1, in: stores)
    let screen = Screen { pane.book.isLoading ? "…" : pane.book.data }
    #expect(store.subscribers(of: BookByID(id: 1)) == 0)
    await settle()
    #expect(store.subscribers(of: BookByID(id: 1)) == 1)
    #expect(!screen.needsToDraw, "the request was already shown")
    service.answer("book 1", with: .success("Emma"))
    while !screen.needsToDraw { await Task.yield() }
    screen.draw()
    #expect(screen.drawn == ["…", "Emma"])
  }

  @Test("the cached result is shown immediately, with a running request if it is fetched again")
  func cached() async {
    store.write("Emma", to: BookByID(id: 1))
    let pane = Pane(1, QueryOptions(condition: .always), in: stores)
    #expect(pane.book.data == "Emma")
    #expect(pane.book.isFetching)
    #expect(!store.state.queries[BookByID(id: 1)].isFetching)
    await settle()
    #expect(store.state.queries[BookByID(id: 1)].isFetching)
  }

  @Test("the subscription ends after the object is released")
  func released() async {
    var pane: Pane? = Pane(1, in: stores)
    await settle()
    #expect(pane?.book.isLoading == true)
    pane = nil
    #expect(store.subscribers(of: BookByID(id: 1)) == 1)
    await settle()
    #expect(store.subscribers(of: BookByID(id: 1)) == 0)
  }

  @Test("an object without a query shows nothing")
  func noQuery() async {
    let pane = Pane(nil, in: stores)
    await settle()
    #expect(pane.book.isUninitialized)
    pane.$book.refetch()
    await pane.$book.refresh()
    #expect(store.state.queries.entries.isEmpty)
  }

  @Test("a refetch through the projected value shows the new result")
  func refetch() async {
    store.write("Emma", to: BookByID(id: 1))
    let pane = Pane(1, in: stores)
    await settle()
    pane.$book.refetch()
    service.answer("book 1", with: .success("Persuasion"))
    while pane.book.data != "Persuasion" { await Task.yield() }
    #expect(!pane.book.isFetching)
  }

  @Test("a reader of a part is notified only if the part has changed")
  func part() async {
    let book = ObservedQuery(BookByID(id: 1), comparing: \.data, in: stores)
    store.write("Emma", to: BookByID(id: 1))
    await settle()
    let screen = Screen { book.wrappedValue.data }
    book.projectedValue.refetch()
    while !book.wrappedValue.isFetching { await Task.yield() }
    service.answer("book 1", with: .success("Emma"))
    while book.wrappedValue.isFetching { await Task.yield() }
    #expect(!screen.needsToDraw, "only the state of the request has changed")
    store.write("Persuasion", to: BookByID(id: 1))
    while !screen.needsToDraw { await Task.yield() }
    screen.draw()
    #expect(screen.drawn == ["Emma", "Persuasion"])
  }

  @Test("an ObservedQuery keeps the closure that returns a part until it is released")
  func lifetimeOfPart() async {
    let tracker = LifetimeTracker()
    do {
      let captured = tracker.make()
      let book = ObservedQuery(
        BookByID(id: 1),
        comparing: { state in
          captured.touch()
          return state.data
        }, in: stores)
      await settle()
      store.write("Emma", to: BookByID(id: 1))
      while book.wrappedValue.data != "Emma" { await Task.yield() }
      #expect(tracker.alive == 1)
    }
    await settle()
    #expect(tracker.alive == 0)
  }

  @Test("refresh returns when the request has ended")
  func refresh() async {
    let pane = Pane(1, in: stores)
    await settle()
    service.answer("book 1", with: .success("Emma"))
    while pane.book.data != "Emma" { await Task.yield() }
    // A method that returned earlier would do so before the request ends in most rounds.
    for round in 1...50 {
      service.answer("book 1", with: .success("Persuasion \(round)"))
      await pane.$book.refresh()
      #expect(store.state.queries[BookByID(id: 1)].data == "Persuasion \(round)")
    }
  }

  @Test("the projected value fetches the next and the previous page")
  func pages() async {
    let pages = ObservedQuery(Pages(), in: stores)
    await settle()
    func answer(_ call: String, with page: String) async {
      service.answer(call, with: .success(page))
      while pages.wrappedValue.data?.contains(page) != true { await Task.yield() }
    }
    await answer("page 2", with: "b")
    // The previous request can still be dispatching its result, so the next request begins later.
    pages.projectedValue.fetchPreviousPage()
    while !store.state.queries[Pages()].isFetchingPreviousPage { await Task.yield() }
    await answer("page 1", with: "a")
    pages.projectedValue.fetchNextPage()
    while !store.state.queries[Pages()].isFetchingNextPage { await Task.yield() }
    await answer("page 3", with: "c")
    #expect(pages.wrappedValue.data?.map(\.self) == ["a", "b", "c"])
  }

  @Test("two projected values are equal if they belong to the same object")
  func equalFetchers() {
    let (first, second) = (Pane(1, in: stores), Pane(1, in: stores))
    #expect(first.$book == first.$book)
    #expect(first.$book != second.$book)
  }

  @Test("in a released store, the state is a failure")
  func storeGone() async {
    func makeStores() -> ProvidedStores {
      let store = Store(
        reducer: ActionHandlers<Shelf> {}, plugins: [QuerySlice(at: \Shelf.queries).plugin], state: Shelf())
      return ProvidedStores().providing(store.proxy)
    }
    let pane = Pane(1, in: makeStores())
    #expect(pane.book.error == QueryFailure(.aborted))
    await settle()
    #expect(pane.book.error == QueryFailure(.aborted))
  }
}
