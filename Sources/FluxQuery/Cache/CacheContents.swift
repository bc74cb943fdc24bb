import FluxAsync
public import FluxCollections
import FluxCore

/// The stored properties of a ``QueryCache``, and the rules for their changes.
@usableFromInline
struct CacheContents: Sendable {
  /// A number that identifies this version of the cache, or 0 for a cache that was created empty.
  @usableFromInline var version: UInt64 = 0
  @usableFromInline var entries = OrderedState<QueryEntry>()
  var mutations = OrderedState<MutationEntry>()
  /// The entries whose requests are running, with the tags that were invalidated since the
  /// requests began.
  var fetching: [QueryKey: Set<QueryTag>] = [:]
  var activity = AppActivityState()
  /// The number of times that the cache was emptied.
  var generation = 0
  /// The entries by the tags that they provide.
  var tagIndex = TagIndex()
  /// The edits of entries that the server has not confirmed.
  var overlays: [QueryKey: QueryOverlay] = [:]
  /// The running mutations, with the keys of the entries that they edit, or `nil` for a mutation
  /// that began before the cache was emptied.
  var runningMutations: [RequestID: [QueryKey]?] = [:]

  /// The number of requests of queries and mutations that are running.
  var pendingRequests: Int { fetching.count + runningMutations.count }
}

extension CacheContents {
  // MARK: - Requests

  /// Records that a request of a query has begun.
  ///
  /// A request for a page of an existing result does not fetch the other pages again, so they remain
  /// out of date if they were invalidated.
  mutating func began(_ key: QueryKey, _ id: RequestID, for page: PageDirection? = nil) {
    fetching[key] = []
    change(key) { entry in
      entry.run(id)
      entry.page = entry.value == nil ? nil : page
      if entry.page == nil { entry.awaitsRefetch = false }
    }
  }

  /// Records that an attempt of the running request has failed, and that another attempt follows.
  mutating func attemptFailed(_ key: QueryKey, _ failed: QueryEntry.FailedAttempts) {
    guard entries[id: key]?.isFetching == true else { return }
    change(key) { $0.failedAttempts = failed }
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
      if entry.page == nil { entry.isInvalidated = entry.awaitsRefetch }
      if entry.page == nil || entry.fulfilledAt == nil { entry.fulfilledAt = answer.time }
    }
  }

  /// Ends a request that has failed, and keeps the result.
  ///
  /// An aborted request changes neither the error nor the tags. If a newer request or a newer
  /// result has replaced the request, the method has no effect.
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
    } else if runningMutations[request.id] != nil {
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
    _ key: QueryKey, providing tags: Set<QueryTag>?, _ body: (inout QueryEntry.Contents) -> Void
  ) {
    let invalidated = fetching.removeValue(forKey: key) ?? []
    let isOutdated = tags.map { tags in invalidated.contains { $0.matches(anyOf: tags) } } ?? false
    change(key, providing: tags) { entry in
      entry.run(nil)
      if isOutdated { entry.invalidate() }
      body(&entry)
    }
  }

  /// The last result of the server, without edits that the server has not confirmed.
  func confirmedValue(of key: QueryKey) -> (any Sendable)? {
    overlays[key].map(\.confirmed) ?? entries[id: key]?.value
  }

  // MARK: Entries

  /// Creates the entry of a query if there is none, and changes it.
  ///
  /// - Parameters:
  ///   - key: The identity of the entry.
  ///   - tags: The tags that the entry provides from now on, or `nil` if its tags do not change.
  ///   - body: A closure that changes the entry.
  mutating func change(
    _ key: QueryKey, providing tags: Set<QueryTag>? = nil, _ body: (inout QueryEntry.Contents) -> Void
  ) {
    if !entries.contains(id: key) { entries.append(QueryEntry(id: key)) }
    var replaced: Set<QueryTag>?
    entries.update(key) { entry in
      body(&entry.contents.value)
      if let tags, tags != entry.tags {
        replaced = entry.tags
        entry.contents.value.tags = tags
      }
    }
    if let tags, let replaced { tagIndex.replace(replaced, by: tags, of: key) }
  }

  /// Stores a result that did not come from a request.
  ///
  /// A running request of the query counts as older than the result, so its answer is dropped.
  mutating func wrote(_ answer: QueryAnswer, to key: QueryKey) {
    overlays[key]?.wrote(answer.value)
    let shown = overlays[key].map { $0.shown } ?? answer.value
    dropOverlayIfEmpty(key)
    fetching[key] = nil
    change(key, providing: answer.tags) { entry in
      entry.show(shown)
      entry.run(nil)
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
    var empty = CacheContents()
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
    entries.update(positions.sorted { $0.position < $1.position }.map(\.key)) { entry in
      entry.contents.value.invalidate()
    }
    if !fetching.isEmpty { fetching = fetching.mapValues { $0.union(tags) } }
  }
}
