import FluxAsync
import FluxCore
import FluxMiddleware
import FluxQuery
import FluxTesting
import TestSupport
import Testing

@Suite("Queries: rare orders of events", .unlessItHangs)
struct RareOrderTests {
  private let world = World()

  // MARK: Awaiting

  @Test("a caller receives its result while another thread is delivering an older version")
  func fetchDuringDelivery() async throws {
    let (entered, gate) = (Gate(), Gate())
    let (store, isFirst) = (world.store, Shared(true))
    let token = store.subscribe(initial: false) { _ in
      guard isFirst.exchange(false) else { return }
      entered.open()
      gate.wait()
    }
    let worker = Worker { store.dispatch(Count()) }
    await resultOfThread { entered.wait() }
    let task = Task { try await store.fetch(FilmByID(id: 7)) }
    world.service.answer("film 7", with: .success("Playtime"))
    while world.film(7).data == nil { await Task.yield() }
    gate.open()
    worker.join()
    #expect(try await task.value.title == "Playtime")
    withExtendedLifetime(token) {}
  }

  @Test("a caller receives a fresh result in a store that defers actions")
  @MainActor
  func fetchInDeferringStore() async throws {
    let store = Store(
      reducer: appReducer, plugins: [.deferredToMain, QuerySlice(at: \AppState.queries).plugin],
      services: Services().with(world.service), state: AppState())
    world.service.answer("film 7", with: .success("Playtime"))
    #expect(try await store.fetch(FilmByID(id: 7)).title == "Playtime")
    #expect(try await store.fetch(FilmByID(id: 7)).title == "Playtime")
    #expect(world.service.calls.values.count == 1)
  }

  @Test("a sequence ends when the store is released")
  func sequenceEnds() async {
    var iterator: StateStream<QueryState<Film>>.AsyncIterator
    do {
      let world = World()
      iterator = world.store.values(of: FilmByID(id: 7)).makeAsyncIterator()
    }
    while await iterator.next() != nil {}
  }

  @Test("a caller that waits receives a failure when the store is released")
  func fetchEnds() async {
    let task: Task<Film, any Error>
    let service: Service
    do {
      let world = World()
      service = world.service
      let proxy = world.store.proxy
      task = Task { try await proxy.fetch(FilmByID(id: 7)) }
      await service.calls.count(atLeast: 1)
    }
    await #expect(throws: QueryFailure(.aborted)) { try await task.value }
  }

  // MARK: Requests

  @Test("a query can be fetched again after a result was written during its request")
  func fetchAfterWriting() async {
    let (observer, _) = world.observe(7)
    await world.service.calls.count(atLeast: 1)
    world.store.write(Film(id: 7, title: "written"), to: FilmByID(id: 7))
    world.store.dispatch(InvalidateTags(.type("Film", id: 7)))
    #expect(observer.state.isFetching)
    await world.answer("film 7", "Playtime")
    #expect(observer.state.data?.title == "Playtime")
  }

  private struct Prefetching: TaskAction {
    func execute(in context: TaskContext<AppState>) async throws {
      context.dispatch(Count())
      try await context.services(Prefetcher.self).run()
    }
  }

  /// A service that prefetches in the task of an action, and then waits.
  private struct Prefetcher: Sendable {
    let run: @Sendable () async throws -> Void
  }

  @Test("a request that an action prefetches continues when the action is canceled")
  func prefetchOfCancelledAction() async {
    let store = Shared<StoreProxy<AppState>?>(nil)
    let service = world.service
    let prefetcher = Prefetcher {
      store.value?.prefetch(FilmByID(id: 7))
      _ = try await service.call("never")
    }
    let made = Store(
      reducer: appReducer, plugins: [QuerySlice(at: \AppState.queries).plugin],
      services: Services().with(service).with(prefetcher), state: AppState())
    store.value = made.proxy
    made.dispatch(Prefetching())
    await service.calls.count(atLeast: 2)
    let observer = made.observe(FilmByID(id: 7)) { _ in }
    made.dispatch(CancelWork(of: Prefetching.self))
    #expect(observer.state.isFetching)
    service.answer("film 7", with: .success("Playtime"))
    while observer.state.data == nil { await Task.yield() }
    #expect(observer.state.data?.title == "Playtime")
  }

  private struct OtherState: FluxState {}

  private struct QueryOfOtherState: Query {
    func fetch(in context: RequestContext<OtherState>) async throws -> Int { 1 }
  }

  private struct MutationOfOtherState: Mutation {
    func perform(in context: RequestContext<OtherState>) async throws -> Int { 1 }
  }

  @Test("a query and a mutation of another type of state fail with an error that says so")
  func otherState() async {
    await #expect(throws: QueryFailure(.otherState)) { try await world.store.fetch(QueryOfOtherState()) }
    #expect(await world.store.mutate(MutationOfOtherState()).result == .failure(QueryFailure(.otherState)))
  }

  private struct Whole: FluxState {
    var part = AppState()
  }

  @Test("the plug-in can be lifted to a part of the state")
  func lifted() async throws {
    let store = Store(
      reducer: { (_: inout Whole, _: any Action) in },
      plugins: [lift(QuerySlice(at: \AppState.queries).plugin, to: \Whole.part)],
      services: Services().with(world.service), state: Whole())
    world.service.answer("film 7", with: .success("Playtime"))
    await #expect(throws: QueryFailure(.otherState)) { try await store.fetch(FilmByID(id: 7)) }
    let observer = store.observe(QueryOfAnyState()) { _ in }
    while observer.state.data == nil { await Task.yield() }
    #expect(store.state.part.queries[QueryOfAnyState()].data == "any")
  }

  private struct QueryOfAnyState: Query {
    func fetch(in context: RequestContext<any FluxState>) async throws -> String { "any" }
  }

  @Test("an observer that pauses and cancels itself while it is called is called no more")
  func pausesItself() async {
    let query = Custom("words", keptFor: .zero)
    let (observer, calls) = (Shared<QueryObserver<Custom>?>(nil), Recorder<String>())
    let made = world.store.observe(query) { state in
      calls.record(state.data ?? "-")
      guard state.data != nil, state.isSuccess, let known = observer.value, known.query != nil else { return }
      known.query = nil
      known.cancel()
    }
    observer.value = made
    await world.answer("words", "many")
    await world.until { $0.queries.entries.isEmpty }
    world.store.write("more", to: query)
    #expect(calls.values == ["-", "many"])
    #expect(world.store.subscribers(of: query) == 0)
    observer.value = nil
  }

  @Test("an invalidation has an effect after a middleware has dropped the refetch of an earlier one")
  func droppedRefetch() async {
    let isOffline = Shared(false)
    let gate: Middleware<AppState> = { _, _ in
      { next in
        { action in
          if action is FetchQuery, isOffline.value { return }
          next(action)
        }
      }
    }
    let store = Store(
      reducer: appReducer, middleware: [gate], plugins: [QuerySlice(at: \AppState.queries).plugin],
      services: Services().with(world.service), state: AppState())
    let observer = store.observe(FilmByID(id: 7)) { _ in }
    world.service.answer("film 7", with: .success("Playtime"))
    while observer.state.data == nil { await Task.yield() }
    isOffline.value = true
    store.dispatch(InvalidateTags(.type("Film", id: 7)))
    while !observer.state.isInvalidated { await Task.yield() }
    isOffline.value = false
    store.dispatch(InvalidateTags(.type("Film", id: 7)))
    // Without a refetch, the test does not end.
    while !observer.state.isFetching { await Task.yield() }
  }

  @Test("a query whose results a middleware drops is fetched once more, and nothing remains pending")
  func droppedResults() async {
    let gate: Middleware<AppState> = { _, _ in
      { next in { action in if !(action is FetchQuery.Fulfilled) { next(action) } } }
    }
    let world = World(middleware: [gate])
    let (observer, _) = world.observe(7)
    world.service.answer("film 7", with: .success("Playtime"))
    await world.service.calls.count(atLeast: 2)
    await world.answer("film 7", "Playtime")
    #expect(!observer.state.isFetching)
    #expect(observer.state.data == nil)
    #expect(world.service.calls.values == ["film 7", "film 7"])
  }

  @Test("a mutation whose outcome a middleware drops ends as if it had been aborted")
  func droppedMutation() async {
    let gate: Middleware<AppState> = { _, _ in
      { next in { action in if !(action is PerformMutation.Fulfilled) { next(action) } } }
    }
    let world = World(middleware: [gate])
    await world.load(7, "Playtime")
    let mutation = world.store.mutate(Rename(id: 7, title: "Traffic"), as: "rename")
    #expect(world.film(7).data?.title == "Traffic")
    await world.answer("rename 7 to Traffic", "Traffic")
    _ = await mutation.result
    #expect(world.cache.pendingRequests == 0)
    #expect(world.film(7).data?.title == "Playtime")
  }

  @Test("a query whose failures a middleware drops is fetched once more, and has no error")
  func droppedFailures() async {
    let gate: Middleware<AppState> = { _, _ in
      { next in { action in if !(action is FetchQuery.Rejected) { next(action) } } }
    }
    let world = World(middleware: [gate])
    let (observer, _) = world.observe(7)
    world.service.fail("film 7")
    await world.service.calls.count(atLeast: 2)
    await world.fail("film 7")
    #expect(!observer.state.isFetching)
    #expect(observer.state.error == nil)
    #expect(world.service.calls.values.count == 2)
  }

  @Test("a state that a deferring store restores together with a result is fetched again")
  @MainActor
  func restoredInDeferringStore() async {
    let isFirst = Shared(true)
    let restoring: Middleware<AppState> = { dispatch, _ in
      { next in
        { action in
          next(action)
          if action is FetchQuery.Pending, isFirst.exchange(false) { dispatch(Replace(state: AppState())) }
        }
      }
    }
    let store = Store(
      reducer: appReducer, middleware: [restoring],
      plugins: [.deferredToMain, QuerySlice(at: \AppState.queries).plugin],
      services: Services().with(world.service), state: AppState())
    let observer = store.observe(FilmByID(id: 7)) { _ in }
    await world.service.calls.count(atLeast: 1)
    world.service.answer("film 7", with: .success("dropped"))
    await world.service.calls.count(atLeast: 2)
    world.service.answer("film 7", with: .success("Playtime"))
    while observer.state.data == nil { await Task.yield() }
    #expect(observer.state.data?.title == "Playtime")
  }

  // MARK: Restored states

  @Test("a restored result is delivered although both histories have as many changes")
  func restoredResult() async {
    await world.load(7, "Playtime")
    let base = world.store.state
    world.store.edit([.edit(FilmByID(id: 7)) { $0.title = "A" }])
    let first = world.store.state
    world.store.dispatch(Replace(state: base))
    world.store.edit([.edit(FilmByID(id: 7)) { $0.title = "B" }])
    let (observer, _) = world.observe(7)
    world.store.dispatch(Replace(state: first))
    #expect(observer.state.data?.title == "A")
  }

  @Test("an empty cache that replaces the initial cache is delivered")
  func emptyCache() async {
    await world.load(7, "Playtime")
    let other = World(state: world.store.state)
    let (observer, _) = other.observe(7)
    #expect(observer.state.data?.title == "Playtime")
    other.store.dispatch(Replace(state: AppState()))
    #expect(observer.state.data == nil)
  }

  // MARK: Mutations and edits

  @Test("a query whose optimistic result is removed is fetched for its subscribers")
  func removedOptimisticResult() async {
    let undo = world.store.edit([.write(Film(id: 8, title: "new"), to: FilmByID(id: 8))])
    let (observer, _) = world.observe(8)
    #expect(observer.state.data?.title == "new")
    undo.undo()
    #expect(observer.state.isFetching)
    await world.answer("film 8", "Traffic")
    #expect(observer.state.data?.title == "Traffic")
  }

  @Test("a manual edit of a missing result has no effect, and is not kept")
  func editOfMissingResult() async {
    let tracker = LifetimeTracker()
    do {
      let tracked = tracker.make()
      world.store.edit([
        .edit(FilmByID(id: 7)) { film in
          tracked.touch()
          film.title = "edited"
        }
      ])
    }
    #expect(tracker.alive == 0)
    #expect(world.cache.entries.isEmpty)
    await world.load(7, "Playtime")
    #expect(world.film(7).data?.title == "Playtime")
  }

  @Test("a handle waits for its own mutation if a middleware performs another one first")
  func otherMutationFirst() async throws {
    let isFirst = Shared(true)
    let logging: Middleware<AppState> = { dispatch, _ in
      { next in
        { action in
          if action is PerformMutation, isFirst.exchange(false) {
            dispatch(PerformMutation(Change(name: "log")))
          }
          next(action)
        }
      }
    }
    let store = Store(
      reducer: appReducer, middleware: [logging], plugins: [QuerySlice(at: \AppState.queries).plugin],
      services: Services().with(world.service), state: AppState())
    world.service.answer("log")
    world.service.answer("rename 7 to Traffic", with: .success("Traffic"))
    #expect(try await store.mutate(Rename(id: 7, title: "Traffic")).value.title == "Traffic")
  }
}
