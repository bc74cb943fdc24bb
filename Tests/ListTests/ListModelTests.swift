import FluxAsync
import FluxCollections
import FluxCore
import FluxLists
import FluxTesting
import Observation
import TestSupport
import Testing

@Suite("A list that loads itself", .unlessItHangs)
struct ListModelTests {
  private let server = BookServer()

  private func makeModel(_ initialData: [Book] = [], _ options: ListOptions<Book> = ListOptions())
    -> ListModel<Book>
  {
    ListModel(from: PagedBooks(server), initialData: initialData, options: options)
  }

  @Test("a reload loads the list, and loading more appends to it")
  func reload() async throws {
    let model = makeModel()
    server.answer(1, 1...3)
    try await model.reload()
    #expect(model.data.ids == [1, 2, 3])
    #expect(model.state == .loaded)
    server.answer(2, 4...4)
    try await model.fetchNext()
    #expect(model.data.ids == [1, 2, 3, 4])
    #expect(model.endState == .reachedEnd)
  }

  @Test("initial data is shown until the list is loaded, and a failed refresh keeps it")
  func initialData() async {
    let model = makeModel([Book(7)])
    #expect(model.data.ids == [7])
    #expect(model.state == .loaded)
    server.fail(1)
    await #expect(throws: ListFailure(.failed, cause: BookServer.Trouble())) { try await model.refresh() }
    #expect(model.data.ids == [7])
    #expect(model.error == ListFailure(BookServer.Trouble()))
  }

  @Test("loading more when there is no more is not an error")
  func noMore() async throws {
    let model = makeModel()
    server.answer(1, [])
    try await model.reload()
    try await model.fetchNext()
    #expect(server.calls.values.count == 1)
  }

  @Test("canceling the waiting task cancels the load, without leaving a loading indicator")
  func cancelledTask() async {
    let model = makeModel([Book(7)])
    let waiting = Task { try await model.refresh() }
    await server.calls.count(atLeast: 1)
    #expect(model.isLoading)
    waiting.cancel()
    await #expect(throws: ListFailure(.cancelled)) { try await waiting.value }
    #expect(!model.isLoading)
    #expect(model.state == .loaded)
    #expect(model.error == nil)
  }

  @Test("a load that another load replaces throws an error to its caller")
  func replaced() async throws {
    let model = makeModel()
    let first = Task { try await model.reload() }
    await server.calls.count(atLeast: 1)
    server.answer(2, 1...3)
    try await model.reload()
    await #expect(throws: ListFailure(.cancelled)) { try await first.value }
    #expect(model.data.ids == [1, 2, 3])
  }

  @Test("showing an item near the end loads more, and showing one far from it does nothing")
  func shown() async throws {
    let actions = Recorder<String>()
    let model = ListModel(
      from: PagedBooks(server), options: ListOptions(prefetchDistance: 1),
      plugins: [Plugin(onTransition: .actions { action, _ in actions.record("\(action)") })])
    server.answer(1, 1...3)
    try await model.reload()
    actions.takeAll()
    model.shown(2)
    #expect(actions.values.isEmpty)
    server.answer(2, 4...6)
    let states = model.states
    model.shown(3)
    for await list in states where !list.isLoading { break }
    #expect(model.data.ids == Array(1...6))
  }

  @Test("a closure is called once for each change")
  func subscribing() async throws {
    let model = makeModel()
    let heard = Recorder<String>()
    let token = model.subscribe { list in heard.record("\(list.loadingState) \(list.ids)") }
    server.answer(1, 1...2)
    try await model.reload()
    #expect(heard.values == ["initialized []", "loading []", "loaded [1, 2]"])
    token.cancel()
    model.flush()
    #expect(heard.count == 3)
  }

  @Test("the asynchronous sequence delivers the present list, then newer lists, and ends with the model")
  func states() async throws {
    var model: ListModel<Book>? = makeModel()
    var states = model?.states.buffering(.unbounded).makeAsyncIterator()
    server.answer(1, 1...2)
    try await model?.reload()
    model = nil
    var heard: [LoadingState] = []
    while let list = await states?.next() { heard.append(list.loadingState) }
    #expect(heard == [.initialized, .loading, .loaded])
  }

  @Test("an observer of a property is notified when that property has changed, and not of others")
  func observing() async throws {
    let model = makeModel([Book(7)])
    let changed = Recorder<String>()
    withObservationTracking {
      _ = model.data
    } onChange: {
      changed.record("data")
    }
    withObservationTracking {
      _ = model.state
    } onChange: {
      changed.record("state")
    }
    withObservationTracking {
      _ = model.error
    } onChange: {
      changed.record("error")
    }
    server.answer(1, 1...2)
    try await model.refresh()
    #expect(changed.values == ["state", "data"])
  }

  @Test("observers do not keep the list or its store alive")
  func lifetime() async {
    let tracker = LifetimeTracker()
    let states: StateStream<ListState<Book>>
    let token: SubscriptionToken
    do {
      let tracked = tracker.make()
      let model = ListModel(
        from: ListRepository<Book> {
          tracked.touch()
          return []
        })
      states = model.states
      token = model.subscribe { _ in }
      #expect(tracker.alive == 1)
    }
    #expect(tracker.alive == 0)
    for await _ in states {}
    token.cancel()
  }

  @Test("a model of a list in an app's store loads the list there, and shows changes by the store's actions")
  func inAppStore() async throws {
    let books = ListSlice("Books", at: \Library.books, from: PagedBooks(server))
    let store = Store(reducer: books.reducer, state: Library())
    let model = ListModel(books, in: store.proxy)
    server.answer(1, 1...3)
    try await model.reload()
    #expect(store.state.books.ids == [1, 2, 3])
    store.dispatch(books.flush)
    #expect(model.data.isEmpty)
    #expect(model.state == .initialized)
  }

  @Test("after the app's store is released its model is empty, and a load is canceled")
  func appStoreGone() async {
    let books = ListSlice("Books", at: \Library.books, from: PagedBooks(server))
    var store: Store<Library>? = Store(
      reducer: books.reducer, state: Library(books: ListState([Book(1)])))
    let model = store.map { ListModel(books, in: $0.proxy) }
    store = nil
    #expect(model?.data.isEmpty == true)
    await #expect(throws: ListFailure(.cancelled)) { try await model?.reload() }
  }

  @Test("any number of threads may load more at the same time, and each page is loaded once")
  func threads() async throws {
    let asked = Recorder<Int>()
    let repository = PaginatedListRepository(LimitOffsetPaginationStrategy(limit: 2)) { position in
      asked.record(position.offset)
      return ListPage((position.offset..<position.offset + 2).map { Book($0) })
    }
    let model = ListModel(from: repository)
    try await model.reload()
    for page in 1...20 {
      await withTaskGroup(of: Void.self) { group in
        for _ in 1...4 { group.addTask { try? await model.fetchNext() } }
      }
      #expect(model.data.count >= 2 * (page + 1))
    }
    #expect(model.data.ids == Array(0..<model.data.count))
    #expect(Set(asked.values).count * 2 == model.data.count)
  }

  @Test("edits are made immediately, and undone if they are refused")
  func change() async throws {
    let model = makeModel([Book(1), Book(2)])
    await #expect(throws: ListFailure(BookServer.Trouble())) {
      try await model.change(.delete(1)) { _ in
        #expect(model.data.ids == [2])
        throw BookServer.Trouble()
      }
    }
    #expect(model.data.ids == [1, 2])
    try await model.change(.delete(99)) { _ in throw BookServer.Trouble() }
  }
}
