import FluxAsync
public import FluxCollections
public import FluxCore

/// The results of queries and the states of mutations, as a part of an app's state.
///
/// ```swift
/// struct AppState: FluxState {
///   var queries = QueryCache()
/// }
///
/// let film = store.state.queries[FilmByID(id: 7)].data
/// ```
///
/// The plug-in of a ``QuerySlice`` changes the cache with ordinary actions. The cache therefore
/// appears in logs, in histories, and in the inspector. The cache does not contain the subscribers
/// of queries, because subscribers are not part of the state.
///
/// A copy of a cache shares its storage with the original. Reading an entry is O(1), and changing
/// an entry is O(log n) for n entries.
public struct QueryCache: FluxState {
  @usableFromInline var contents: CopyOnWrite<CacheContents>

  private static let empty = CopyOnWrite(CacheContents())

  /// Creates an empty cache.
  public init() {
    contents = QueryCache.empty
  }

  /// The entries of the queries, in the order in which they were created.
  @inlinable public var entries: OrderedState<QueryEntry> { contents.value.entries }

  /// The states of the tracked mutations.
  public var mutations: OrderedState<MutationEntry> { contents.value.mutations }

  /// The state of the app and of the network, as far as the app has reported it.
  public var activity: AppActivityState { contents.value.activity }

  /// The number of requests of queries and mutations that are running.
  public var pendingRequests: Int { contents.value.pendingRequests }

  /// The result of a query and the state of its request.
  @inlinable
  public subscript<Fetched: Query>(query: Fetched) -> QueryState<Fetched.Value> {
    let entry = contents.value.entries.element(withIDHash: QueryKey.hash(of: query)) { $0.isKey(of: query) }
    return QueryState(entry, after: nil)
  }

  /// Returns the queries of a type that the cache contains, in the order in which their entries
  /// were created.
  ///
  /// ```swift
  /// let films = cache.queries(of: FilmByID.self).compactMap { cache[$0].data }
  /// ```
  ///
  /// The method takes O(n) time for n entries of all types. The idea comes from RTK Query's
  /// `selectCachedArgsForQuery`.
  public func queries<Cached: Query>(of type: Cached.Type) -> [Cached] {
    entries.compactMap { $0.query as? Cached }
  }

  /// The identities of the entries that a tag matches.
  ///
  /// The entries are in no particular order.
  public func keys(providing tag: QueryTag) -> Set<QueryKey> { contents.value.tagIndex.keys(matching: tag) }

  /// Returns the number of edits that the result of a query shows, and that the server has not
  /// confirmed.
  ///
  /// ```swift
  /// let isSaving = cache.pendingEdits(of: FilmByID(id: 7)) > 0
  /// ```
  ///
  /// The number includes the optimistic edits of running mutations, and manual edits that were
  /// neither undone nor replaced by a newer result. If an entity is edited, the edit counts for the
  /// query of the entity, and not for other queries whose results contain the entity.
  public func pendingEdits(of query: some Query) -> Int {
    let overlays = contents.value.overlays
    return overlays.isEmpty ? 0 : overlays[QueryKey(query)]?.pendingEdits ?? 0
  }
}

extension QueryCache: Equatable {
  /// Returns a Boolean value that indicates whether two caches have equal entries and mutations.
  public static func == (first: QueryCache, second: QueryCache) -> Bool {
    first.entries == second.entries && first.mutations == second.mutations
      && first.activity == second.activity
  }
}

extension QueryCache: CustomReflectable {
  /// The entries and the mutations, for logs.
  public var customMirror: Mirror {
    Mirror(
      self, children: ["entries": entries as Any, "mutations": mutations, "activity": activity],
      displayStyle: .struct)
  }
}
