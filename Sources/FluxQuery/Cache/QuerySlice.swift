import FluxAsync
import FluxCollections
public import FluxCore

/// The description of a cache of queries in a store: its location in the state, its reducer, and
/// the plug-in that fetches queries.
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
  @usableFromInline let substate: Substate<Root, QueryCache>
  @usableFromInline let reader: PartReader<Root, QueryCache>
  @usableFromInline let timing: InvalidationTiming

  /// Creates the slice of a cache.
  ///
  /// - Parameters:
  ///   - path: The key path of the cache in the state.
  ///   - timing: The time at which invalidated queries are fetched again.
  @inlinable
  public init(
    at path: any WritableKeyPath<Root, QueryCache> & Sendable,
    refetching timing: InvalidationTiming = .whenIdle
  ) {
    substate = .keyPath(path)
    reader = PartReader(path)
    self.timing = timing
  }

  /// The plug-in that reduces the actions of the cache and fetches queries.
  ///
  /// The plug-in reduces the actions before the reducer of the store receives them. For each other
  /// action, the plug-in costs one look-up of the action's type and one comparison of numbers. If
  /// another plug-in of a slice was added to the same store, the program stops with a message.
  @inlinable
  public var plugin: Plugin<Root> {
    let (substate, reader, timing) = (substate, reader, timing)
    let handlers = QueryCache.handlers
    var plugin = Plugin<Root>(wrapReducer: { reducer in
      { state, action in
        if let handler = handlers[action] {
          substate.modify(&state) { cache in handler.reduce(&cache, action) }
        }
        reducer(&state, action)
      }
    })
    plugin.configuresStore = true
    plugin.onStoreProxy = { store in
      let part: @Sendable (Root) -> QueryCache = { state in
        var cache: QueryCache?
        reader(reading: state) { cache = $0.pointee }
        return cache ?? QueryCache()
      }
      let coordinator = QueryCoordinator.connect(
        to: store.proxy(for: part), timing, reading: { store.state.map(part) })
      // While a store is created, code must not dispatch.
      coordinator.observe(
        through: store.subscribe(initial: false) { state in
          reader(reading: state) { cache in coordinator.receive(cache) }
        })
    }
    return plugin
  }
}

/// The time at which queries whose tags were invalidated are fetched again.
public enum InvalidationTiming: Hashable, Sendable {
  /// Fetches the queries when no request of a query or a mutation is running.
  ///
  /// Several mutations that invalidate the same query therefore cause one request. A request that
  /// never ends postpones the refetches of all other queries, so give requests a time limit
  /// with `WorkPolicy.timingOut(after:)`, or use ``immediately``.
  case whenIdle
  /// Fetches the queries immediately.
  case immediately
}
