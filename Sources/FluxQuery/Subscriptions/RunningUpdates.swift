import FluxAsync
import FluxCore

/// The tasks that receive updates for the entries of streaming queries.
///
/// The updates of an entry begin only when no thread is dispatching an update for an earlier entry
/// of the same query.
final class RunningUpdates: Sendable {
  private typealias Run = KeptRun<QueryCache, QueryKey>

  private let lanes = Locked<[QueryKey: KeptWorkRules<Run>]>([:])

  init() {}

  /// Starts the updates of an entry, if its query has updates.
  func start(_ key: QueryKey, in cache: StoreProxy<QueryCache>) {
    guard key.query is any StreamingQuery else { return }
    perform(change(key, to: Run(of: key, in: cache)), key, cache)
  }

  /// Cancels the updates of an entry.
  func stop(_ key: QueryKey, in cache: StoreProxy<QueryCache>) {
    guard key.query is any StreamingQuery else { return }
    perform(change(key, to: nil), key, cache)
  }

  private func change(_ key: QueryKey, to run: Run?) -> KeptWorkRules<Run>.Step {
    lanes.withLock { $0[key, default: KeptWorkRules()].keyChanged(to: run) }
  }

  private func perform(_ step: KeptWorkRules<Run>.Step, _ key: QueryKey, _ cache: StoreProxy<QueryCache>) {
    switch step {
    case .nothing: break
    case .start(let run): start(run)
    case .cancel(let run):
      run.cancel()
      cache.context.scope.start {
        await run.untilDispatched()
        self.dispatchesEnded(key)
      }
    }
  }

  private func dispatchesEnded(_ key: QueryKey) {
    let next = lanes.withLock { lanes in
      let next = lanes[key]?.dispatchesEnded()
      if lanes[key]?.isIdle == true { lanes[key] = nil }
      return next
    }
    if let next { start(next) }
  }

  private func start(_ run: Run) {
    run.start(priority: nil) { key, cache in
      guard let query = key.query as? any StreamingQuery else { return }
      try await query.stream(in: cache)
    }
  }
}
