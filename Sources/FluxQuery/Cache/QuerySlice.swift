import FluxAsync
import FluxCollections
public import FluxCore

/// The description of a cache of queries in a store: its location in the state, its reducer, and the
/// plug-in that fetches queries.
///
/// ```swift
/// struct AppState: FluxState {
///   var queries = QueryCache()
/// }
///
/// let queries = QuerySlice(at: \AppState.queries)
/// let store = Store(reducer: appReducer, plugins: [queries.plugin], state: AppState())
/// ```
///
/// A store has at most one cache. A slice is a value that you create once and can use from any
/// thread.
public struct QuerySlice<Root: Sendable>: Sendable {
  private let substate: Substate<Root, QueryCache>
  private let read: @Sendable (Root) -> QueryCache
  private let timing: InvalidationTiming

  /// Creates the slice of a cache.
  ///
  /// - Parameters:
  ///   - path: The key path of the cache in the state.
  ///   - timing: The time at which invalidated queries are fetched again.
  public init(
    at path: any WritableKeyPath<Root, QueryCache> & Sendable,
    refetching timing: InvalidationTiming = .whenIdle
  ) {
    substate = .keyPath(path)
    read = { $0[keyPath: path] }
    self.timing = timing
  }

  /// The plug-in that reduces the actions of the cache and fetches queries.
  ///
  /// The plug-in reduces the actions before the reducer of the store receives them. If another
  /// plug-in of a slice was added to the same store, the program stops with a message.
  public var plugin: Plugin<Root> {
    let handlers = lift(Self.handlers, to: substate)
    let (read, timing) = (read, timing)
    var plugin = Plugin<Root>(wrapReducer: { reducer in
      { state, action in
        handlers(&state, action)
        reducer(&state, action)
      }
    })
    plugin.onStoreProxy = { store in
      store.context.queryCoordinator.connect(to: store.proxy(for: read), timing)
    }
    return plugin
  }

  /// The handlers of all actions that change a cache.
  private static var handlers: ActionHandlers<QueryCache> {
    combine(
      on(FetchQuery.Pending.self) { cache, action in cache.began(action.request.key, action.id) },
      on(FetchQuery.Fulfilled.self) { cache, action in
        cache.received(action.value, for: action.request.key, action.id)
      },
      on(FetchQuery.Rejected.self) { cache, action in
        cache.failed(QueryFailure(of: action.failure), for: action.request.key, action.id)
      },
      on(PerformMutation.Pending.self) { cache, action in
        cache.trackedBegan(action.request.mutation, as: action.request.id, action.id)
        cache.mutationBegan(action.id, action.request.mutation.optimisticEdits())
      },
      on(PerformMutation.Fulfilled.self) { cache, action in
        cache.trackedEnded(action.request.id, action.id, with: .success(action.value.value))
        cache.mutationSucceeded(
          action.id, answering: action.value.edits, invalidating: action.value.invalidatedTags)
      },
      on(PerformMutation.Rejected.self) { cache, action in
        let failure = QueryFailure(of: action.failure)
        cache.trackedEnded(action.request.id, action.id, with: .failure(failure))
        cache.mutationFailed(
          action.id, invalidating: action.request.mutation._invalidatedTags(for: failure))
      },
      on(ResetMutation.self) { cache, action in cache.mutations.remove(id: action.id) },
      on(InvalidateTags.self) { cache, action in cache.invalidate(action.tags) },
      on(RemoveQueries.self) { cache, action in cache.remove(action.keys) },
      on(ForgetRequest.self) { cache, action in cache.forget(action.request) },
      on(ResetQueries.self) { cache, _ in cache.reset() },
      on(WriteQuery.self) { cache, action in cache.wrote(action.answer, to: action.key) },
      on(UpdateQuery.self) { cache, action in cache.updated(action.edit) },
      on(EditQueries.self) { cache, action in cache.edit(action.edits, as: action.id) },
      on(UndoQueryEdits.self) { cache, action in cache.undo(action.keys, of: action.id) },
      on(AppActivity.self) { cache, action in cache.activity.changed(to: action) })
  }
}

/// The time at which queries whose tags were invalidated are fetched again.
public enum InvalidationTiming: Hashable, Sendable {
  /// Fetches the queries when no request of a query or a mutation is running.
  ///
  /// Several mutations that invalidate the same query therefore cause one request.
  case whenIdle
  /// Fetches the queries immediately.
  case immediately
}
