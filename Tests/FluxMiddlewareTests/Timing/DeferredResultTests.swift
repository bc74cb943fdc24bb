import Dispatch
import FluxAsync
import FluxCollections
import FluxCore
import FluxLists
import FluxMiddleware
import TestSupport
import Testing

/// A request that returns twice its number.
private struct Double: AsyncRequest, Equatable {
  var number: Int

  func perform(in context: RequestContext<Tally>) async throws(Trouble) -> Int { number * 2 }

  struct Trouble: Error, Equatable {}
}

/// A request that ends when it is canceled.
private struct Endless: AsyncRequest {
  func perform(in context: RequestContext<Tally>) async {
    for await _ in AsyncStream<Never>.makeStream().stream {}
  }
}

private struct Book: Hashable, Identifiable, Sendable {
  var id: Int
}

private struct SavedTally: Codable, Equatable, FluxState {
  var sum = 0
}

@Suite("Results of actions that are deferred to the main queue", .unlessItHangs)
struct DeferredResultTests {
  private let events = Recorder<String>()

  private func makeStore(_ middleware: [Middleware<Tally>] = []) -> Store<Tally> {
    let events = events
    return Store(
      reducer: { (_: inout Tally, action: any Action) in
        switch action {
        case is Double: events.record("request")
        case is Double.Pending: events.record("pending")
        case is Double.Fulfilled: events.record("fulfilled")
        case is Double.Rejected: events.record("rejected")
        default: break
        }
      }, middleware: middleware, plugins: [.deferredToMain], state: Tally())
  }

  @Test("A request returns its value")
  func value() async throws {
    let store = makeStore()
    let request = store.request(Double(number: 3))
    #expect(try await request.value == 6)
    #expect(request.id != nil)
    #expect(events.values == ["request", "pending", "fulfilled"])
  }

  @Test("A request has no identity while its action is in the queue")
  @MainActor
  func identity() async {
    let store = makeStore()
    let request = store.request(Double(number: 3))
    #expect(request.id == nil)
    _ = await request.result
    #expect(request.id != nil)
  }

  @Test("Each of several requests returns its own value")
  func several() async throws {
    let store = makeStore()
    let requests = (0..<20).map { store.request(Double(number: $0)) }
    for (number, request) in requests.enumerated() { #expect(try await request.value == number * 2) }
  }

  @Test("A request that a middleware holds is not started")
  func held() async {
    let holding: Middleware<Tally> = { _, _ in { next in { if !($0 is Double) { next($0) } } } }
    let store = makeStore([holding])
    #expect(await store.request(Double(number: 3)).result == .failure(.notStarted))
    #expect(events.values == [])
  }

  @Test("A request that a middleware replaces by an equal one returns the value of that one")
  func sentAgain() async throws {
    let again: Middleware<Tally> = { dispatch, _ in
      { next in
        { action in
          guard let request = action as? Double, request.number < 0 else { return next(action) }
          dispatch(Double(number: -request.number))
        }
      }
    }
    let twice: Middleware<Tally> = { dispatch, _ in
      let sent = Shared(false)
      return { next in
        { action in
          guard action is Double, !sent.exchange(true) else { return next(action) }
          dispatch(action)
        }
      }
    }
    let (first, second) = (makeStore([twice]), makeStore([again]))
    #expect(try await first.request(Double(number: 3)).value == 6)
    #expect(await second.request(Double(number: -3)).result == .failure(.notStarted))
  }

  @Test("A request that is aborted while its action is in the queue is reduced, and never pending")
  @MainActor
  func aborted() async {
    let store = makeStore()
    let request = store.request(Double(number: 3))
    request.abort("too late")
    #expect(await request.result == .failure(.aborted(reason: "too late")))
    await drainMainQueue()
    #expect(events.values == ["request"])
  }

  @Test("A task that is canceled while its request is in the queue aborts the request")
  @MainActor
  func canceled() async {
    let store = makeStore()
    let request = store.request(Endless())
    let task = Task { await request.result }
    task.cancel()
    guard case .failure(.aborted) = await task.value else {
      Issue.record("The request was not aborted.")
      return
    }
  }

  @Test("A request whose store is released while its action is in the queue is not started")
  @MainActor
  func released() async {
    var store: Store<Tally>? = makeStore()
    let request = store?.request(Double(number: 3))
    store = nil
    #expect(await request?.result == .failure(.notStarted))
  }

  @Test("A view model of a list loads its list")
  @MainActor
  func viewModel() async throws {
    let model = ListViewModel(
      repository: ListRepository { [Book(id: 1), Book(id: 2)] }, plugins: [.deferredToMain])
    #expect(try await model.request().get() == [Book(id: 1), Book(id: 2)])
    #expect(model.data.ids == [1, 2])
    try await model.reload()
    #expect(!model.isLoading)
  }

  @Test("restore() returns once the saved state is in place")
  func restore() async throws {
    let persistence = Persistence<SavedTally, SavedTally>(in: try await savedStorage(sum: 5))
    let store = Store(
      reducer: { (_: inout SavedTally, _: any Action) in }, plugins: [persistence.plugin, .deferredToMain],
      state: SavedTally())
    #expect(await persistence.restore() == .restored)
    #expect(store.state.sum == 5)
  }

  @Test("restore() reports that the saved state was not reduced if a middleware held it")
  func heldRestore() async throws {
    let persistence = Persistence<SavedTally, SavedTally>(in: try await savedStorage(sum: 5))
    let holding: Middleware<SavedTally> = { _, _ in { _ in { _ in } } }
    let store = Store(
      reducer: { (_: inout SavedTally, _: any Action) in }, middleware: [holding],
      plugins: [persistence.plugin, .deferredToMain], state: SavedTally())
    #expect(await persistence.restore() == .notReduced)
    #expect(store.state.sum == 0)
  }

  /// Returns a storage with a saved state.
  private func savedStorage(sum: Int) async throws -> InMemoryStorage {
    let storage = InMemoryStorage()
    let writer = Persistence<SavedTally, SavedTally>(in: storage)
    let store = Store(
      reducer: { (state: inout SavedTally, action: any Action) in
        if let add = action as? Add { state.sum += add.amount }
      }, plugins: [writer.plugin], state: SavedTally())
    store.dispatch(Add(amount: sum))
    try await writer.flush()
    return storage
  }

  private func drainMainQueue() async {
    for _ in 0..<4 {
      await withCheckedContinuation { continuation in DispatchQueue.main.async { continuation.resume() } }
    }
  }
}
