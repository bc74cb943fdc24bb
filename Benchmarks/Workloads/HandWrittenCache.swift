import FluxAsync
import FluxCollections
import FluxCore
import Synchronization

/// A result by id, as an app without queries keeps it in its state.
private struct Entry: Equatable, Identifiable, Sendable {
  let id: Int
  var title: String?
  var isFetching = false
  var fulfilledAt: Duration?
}

/// A request whose result is stored in an entry, and which runs at most once per id at a time.
private struct FetchTitle: AsyncRequest {
  let id: Int

  var policy: WorkPolicy { .leading.keyed(by: id) }

  func isWanted(in state: Entries) -> Bool { state.entries[id: id]?.isFetching != true }

  func perform(in context: RequestContext<Entries>) async throws -> (title: String, time: Duration) {
    ("Playtime", context.time)
  }
}

private struct Entries: FluxState {
  var entries = OrderedState([Entry(id: 7)])
}

private let entries: ActionHandlers<Entries> = combine(
  on(FetchTitle.Pending.self) { state, action in
    state.entries.update(action.request.id) { $0.isFetching = true }
  },
  on(FetchTitle.Fulfilled.self) { state, action in
    state.entries.update(action.request.id) { entry in
      entry.isFetching = false
      if entry.title != action.value.title { entry.title = action.value.title }
      entry.fulfilledAt = action.value.time
    }
  })

/// A cache for one type of result, with the parts that a query also uses: a request with a policy, a
/// list of entries, and an observer of one entry.
///
/// The replacement has no tags, lifetimes, edits, entities, and streams.
let floorOfQueryFetch = Workload(
  "floor-query-fetch", "handwritten: an awaited request that changes an observed entry of a list",
  turns: 2_000
) {
  let store = Store(reducer: entries, state: Entries())
  let heard = Atomic<Int>(0)
  let observers = ElementObservers(of: store) { $0.entries }
  let token = observers.subscribe(to: 7) { _ in heard.add(1, ordering: .relaxed) }
  return waiting { times in
    for _ in 0..<times { _ = await store.request(FetchTitle(id: 7)).result }
    withExtendedLifetime((observers, token)) {}
  }
}
