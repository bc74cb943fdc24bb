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
  /// The entries of the queries, in the order in which they were created.
  public internal(set) var entries = OrderedState<QueryEntry>()
  /// The states of the tracked mutations.
  public internal(set) var mutations = OrderedState<MutationEntry>()
  /// The entries whose requests are running, with the tags that were invalidated since the requests
  /// began.
  var fetching: [QueryKey: Set<QueryTag>] = [:]
  /// The state of the app and of the network, as far as the app has reported it.
  public internal(set) var activity = AppActivityState()
  /// The number of times that the cache was emptied.
  var generation = 0
  /// The entries by the tags that they provide.
  var tagIndex = TagIndex()
  /// The edits of entries that the server has not confirmed.
  var overlays: [QueryKey: QueryOverlay] = [:]
  /// The running mutations, with the keys of the entries that they edit, or `nil` for a mutation
  /// that began before the cache was emptied.
  var runningMutations: [RequestID: [QueryKey]?] = [:]

  /// Creates an empty cache.
  public init() {}

  /// The result of a query and the state of its request.
  public subscript<Fetched: Query>(query: Fetched) -> QueryState<Fetched.Value> {
    QueryState(entries[id: QueryKey(query)])
  }

  /// The number of requests of queries and mutations that are running.
  public var pendingRequests: Int { fetching.count + runningMutations.count }

  /// The identities of the entries that a tag matches.
  ///
  /// The entries are in no particular order.
  public func keys(providing tag: QueryTag) -> Set<QueryKey> { tagIndex.keys(matching: tag) }
}

extension QueryCache: Equatable {
  /// Returns a Boolean value that indicates whether two caches have equal entries and mutations.
  public static func == (first: QueryCache, second: QueryCache) -> Bool {
    first.entries == second.entries && first.mutations == second.mutations
      && first.activity == second.activity
  }
}

// MARK: - Requests

extension QueryCache {
  /// Records that a request of a query has begun.
  mutating func began(_ key: QueryKey, _ id: RequestID) {
    fetching[key] = []
    change(key) { entry in
      entry.request = id
      entry.awaitsRefetch = false
    }
  }

  /// Applies the result of a request.
  ///
  /// If a newer request or a newer result has replaced the request, the method has no effect.
  mutating func received(_ answer: QueryAnswer, for key: QueryKey, _ id: RequestID) {
    guard entries[id: key]?.request == id else { return }
    let shown = overlays[key] == nil ? answer.value : answered(key, answer.value, by: id)
    settle(key, providing: answer.tags) { entry in
      entry.show(shown)
      entry.error = nil
      entry.fulfilledAt = answer.time
      entry.isInvalidated = entry.awaitsRefetch
    }
  }

  /// Ends a request that has failed, and keeps the result.
  ///
  /// An aborted request changes neither the error nor the tags. If a newer request or a newer result
  /// has replaced the request, the method has no effect.
  mutating func failed(_ failure: QueryFailure, for key: QueryKey, _ id: RequestID) {
    guard entries[id: key]?.request == id else { return }
    overlays[key]?.requestEnded(id)
    dropOverlayIfEmpty(key)
    guard failure.code != .aborted else { return settle(key, providing: nil) { _ in } }
    settle(key, providing: key.query._tags(for: failure)) { $0.error = failure }
  }

  /// Ends a request or a mutation that is not running, as if it had been aborted.
  mutating func forget(_ request: RunningRequest) {
    if let key = request.key {
      failed(QueryFailure(.aborted), for: key, request.id)
    } else {
      mutationFailed(request.id, invalidating: [])
      for entry in mutations where entry.request == request.id {
        trackedEnded(entry.id, request.id, with: .failure(QueryFailure(.aborted)))
      }
    }
  }

  /// Changes the entry of a request that has ended.
  ///
  /// The server may have produced the outcome before an invalidation that happened during the
  /// request. An invalidation therefore also applies to the tags that only the outcome provides.
  private mutating func settle(
    _ key: QueryKey, providing tags: Set<QueryTag>?, _ body: (inout QueryEntry) -> Void
  ) {
    let isOutdated = fetching[key, default: []].contains { $0.matches(anyOf: tags ?? []) }
    change(key, providing: tags) { entry in
      entry.request = nil
      if isOutdated { entry.invalidate() }
      body(&entry)
    }
  }

  // MARK: Entries

  /// Creates the entry of a query if there is none, and changes it.
  ///
  /// - Parameters:
  ///   - key: The identity of the entry.
  ///   - tags: The tags that the entry provides from now on, or `nil` if its tags do not change.
  ///   - body: A closure that changes the entry.
  mutating func change(
    _ key: QueryKey, providing tags: Set<QueryTag>? = nil, _ body: (inout QueryEntry) -> Void
  ) {
    if !entries.contains(id: key) { entries.append(QueryEntry(id: key)) }
    var (isFetching, replaced) = (false, Set<QueryTag>())
    entries.update(key) { entry in
      body(&entry)
      isFetching = entry.isFetching
      if let tags, tags != entry.tags {
        replaced = entry.tags
        entry.tags = tags
      }
    }
    fetching[key] = isFetching ? fetching[key, default: []] : nil
    if let tags { tagIndex.replace(replaced, by: tags, of: key) }
  }

  /// Stores a result that did not come from a request.
  ///
  /// A running request of the query counts as older than the result, so its answer is dropped.
  mutating func wrote(_ answer: QueryAnswer, to key: QueryKey) {
    overlays[key]?.wrote(answer.value)
    let shown = overlays[key].map { $0.shown } ?? answer.value
    dropOverlayIfEmpty(key)
    change(key, providing: answer.tags) { entry in
      entry.show(shown)
      entry.request = nil
      entry.error = nil
      entry.fulfilledAt = answer.time
      (entry.isInvalidated, entry.awaitsRefetch) = (false, false)
    }
  }

  /// Removes entries, with their tags and edits.
  mutating func remove(_ keys: some Sequence<QueryKey>) {
    for key in keys {
      guard let entry = entries.remove(id: key) else { continue }
      fetching[key] = nil
      tagIndex.replace(entry.tags, by: [], of: key)
      overlays[key] = overlays[key]?.withoutValue
    }
  }

  /// Removes all entries and the states of all mutations.
  ///
  /// Running mutations count as pending until they end, but no longer change the cache.
  mutating func reset() {
    var empty = QueryCache()
    empty.generation = generation + 1
    empty.activity = activity
    empty.runningMutations = runningMutations.mapValues { _ in nil }
    self = empty
  }

  // MARK: Tags

  /// Marks the entries that provide matching tags as out of date.
  ///
  /// The entries change in their order in the cache, which is the order in which they are fetched
  /// again. The order of a set differs from run to run.
  mutating func invalidate(_ tags: Set<QueryTag>) {
    guard !tags.isEmpty else { return }
    var keys = Set<QueryKey>()
    for tag in tags { keys.formUnion(tagIndex.keys(matching: tag)) }
    let positions = keys.compactMap { key in entries.position(of: key).map { (position: $0, key: key) } }
    entries.update(positions.sorted { $0.position < $1.position }.map(\.key)) { $0.invalidate() }
    fetching = fetching.mapValues { $0.union(tags) }
  }
}
