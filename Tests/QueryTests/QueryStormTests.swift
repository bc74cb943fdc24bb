import FluxAsync
import FluxCore
import FluxQuery
import FluxTesting
import TestSupport
import Testing

@Suite("Queries on many threads", .unlessItHangs)
struct QueryStormTests {
  /// A query whose result is a number that the server counts up with each request.
  private struct Count: Query {
    let id: Int
    let isKept: Bool

    var lifetimeWithoutSubscribers: Duration? { isKept ? nil : .zero }

    func fetch(in context: RequestContext<AppState>) async throws -> Int {
      let server = try context.services(Server.self)
      let (number, isBusy) = server.begin(self)
      // The canceled request of a removed entry can overlap the request of the next entry.
      if isKept { #expect(!isBusy, "two requests of one query run at the same time") }
      await Task.yield()
      server.end(self)
      if number.isMultiple(of: 7) { throw Service.Trouble() }
      return number
    }

    func tags(for result: Result<Int, QueryFailure>) -> Set<QueryTag> { [.type("Count", id: id)] }
  }

  private final class Server: Sendable {
    private let running = Shared<[Count: Int]>([:])
    private let numbers = Shared(0)

    func begin(_ query: Count) -> (number: Int, isBusy: Bool) {
      let before = running.change { running in
        running[query, default: 0] += 1
        return running[query, default: 0]
      }
      return (numbers.increment(), before > 1)
    }

    func end(_ query: Count) {
      running.change { $0[query, default: 0] -= 1 }
    }
  }

  @Test(
    "after a storm of observers, invalidations, and edits, no request remains, and observers agree with the cache",
    arguments: [1, 2, 3])
  func storm(seed: UInt64) async {
    let store = Store(
      reducer: appReducer, plugins: [QuerySlice(at: \AppState.queries).plugin],
      services: Services().with(Server()), state: AppState())
    let kept = (0..<3).map { Count(id: $0, isKept: true) }
    let observers = kept.map { query in store.observe(query) { _ in } }
    await resultOfThread {
      onThreads(6) { thread in
        var generator = SeededGenerator(seed: seed &* 100 &+ UInt64(thread))
        var held: [QueryObserver<Count>] = []
        for _ in 0..<200 {
          let query = Count(id: .random(in: 0..<6, using: &generator), isKept: .random(using: &generator))
          switch Int.random(in: 0..<8, using: &generator) {
          case 0, 1: held.append(store.observe(query) { _ in })
          case 2 where !held.isEmpty: held.removeFirst().cancel()
          case 3: store.dispatch(InvalidateTags(.type("Count", id: query.id)))
          case 4: store.prefetch(query, .always)
          case 5: held.last?.query = query
          case 6: store.edit([.edit(query) { $0 += 1 }]).undo()
          default: store.dispatch(RemoveQueries(Count(id: query.id, isKept: false)))
          }
        }
      }
    }
    // After the last request of the storm, the entries that were invalidated during it are fetched
    // again.
    func isSettled(_ state: QueryState<Int>) -> Bool {
      !state.isFetching && (!state.isInvalidated || state.error != nil)
    }
    for (observer, query) in zip(observers, kept) {
      while !isSettled(observer.state) || observer.state != store.state.queries[query] { await Task.yield() }
      #expect(observer.state.data != nil || observer.state.error != nil)
    }
    while store.state.queries.pendingRequests > 0 { await Task.yield() }
    // Entries without subscribers that are not kept are removed at once.
    while store.state.queries.entries.contains(where: { !($0.query as? Count ?? kept[0]).isKept }) {
      await Task.yield()
    }
  }
}
