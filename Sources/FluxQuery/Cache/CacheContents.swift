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
  /// The entries whose requests are running, with the events since the requests began.
  var fetching: [QueryKey: RequestEvents] = [:]
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
  /// A request for a page of an existing result does not fetch the other pages again, so they
  /// remain out of date if they were invalidated.
  mutating func began(_ key: QueryKey, _ id: RequestID, for page: PageDirection? = nil) {
    // Comparing the key of the entry with itself is quicker than comparing two equal queries.
    let key = entries[id: key]?.id ?? key
    fetching[key] = RequestEvents()
    change(key) { $0.began(id, for: page) }
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
    guard let entry = entries[id: key], entry.request == id else { return }
    let key = entry.id
    if key.query._hasEntities {
      let fetched = key.query._fetchedPart(of: answer.value, entry.contents.value.page)
      storeEntities(
        entitiesContained(in: fetched, of: key), of: key, after: fetching[key], at: answer.time)
    }
    let value = overlays[key] == nil ? answer.value : answered(key, answer.value, by: id)
    let shown = showingEntities(in: value, of: key)
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
    let invalidated = fetching.removeValue(forKey: key)?.invalidated ?? []
    let isOutdated = tags.map { tags in invalidated.contains { $0.matches(anyOf: tags) } } ?? false
    change(key, providing: tags) { entry in
      entry.run(nil)
      entry.lastEnd = CacheContents.nextVersion()
      if isOutdated { entry.invalidate() }
      body(&entry)
    }
  }

  /// Returns the last result of the server, without edits that the server has not confirmed.
  func confirmedValue(of key: QueryKey, containing visited: Set<QueryKey> = []) -> (any Sendable)? {
    guard !overlays.isEmpty else { return entries[id: key]?.value }
    let value = if let overlay = overlays[key] { overlay.confirmed } else { entries[id: key]?.value }
    // An entity can indirectly contain itself.
    let visited = visited.union([key])
    guard let value else { return nil }
    let confirmed = key.query._replacingEntities(in: value, only: nil) { entity, _ in
      visited.contains(entity) ? nil : confirmedValue(of: entity, containing: visited)
    }
    return confirmed ?? value
  }

  /// Returns the result that an entry shows: the last result of the server with all edits.
  func shownValue(of key: QueryKey, over confirmed: (any Sendable)?) -> (any Sendable)? {
    if let overlay = overlays[key] { overlay.shown } else { confirmed }
  }

  // MARK: Entries

  /// Creates the entry of a query if there is none, and changes it.
  ///
  /// - Parameters:
  ///   - key: The identity of the entry.
  ///   - container: An entry that contains the value and does not change, or `nil`.
  ///   - tags: The tags that the entry provides from now on, or `nil` if its tags do not change.
  ///   - body: A closure that changes the entry.
  mutating func change(
    _ key: QueryKey, containedIn container: QueryKey? = nil, providing tags: Set<QueryTag>? = nil,
    _ body: (inout QueryEntry.Contents) -> Void
  ) {
    if !entries.contains(id: key) { entries.append(QueryEntry(id: key)) }
    var replaced: Set<QueryTag>?
    var isShared = false
    entries.update(key) { entry in
      let revision = entry.contents.value.revision
      body(&entry.contents.value)
      isShared = entry.contents.value.revision != revision && entry.contents.value.isShared
      if let tags { replaced = entry.contents.value.replaceTags(by: tags) }
    }
    if let tags, let replaced { tagIndex.replace(replaced, by: tags, of: key) }
    if isShared { valueChanged(key, except: container) }
  }

  /// Stores a result that did not come from a request.
  ///
  /// A running request of the query counts as older than the result, so its answer is dropped.
  mutating func wrote(_ answer: QueryAnswer, to key: QueryKey) {
    storeEntities(entitiesContained(in: answer.value, of: key), of: key, after: nil, at: answer.time)
    if !fetching.isEmpty { noteConfirmed(QueryEdit(key: key) { $0 = answer.value }) }
    overlays[key]?.wrote(answer.value)
    let shown = showingEntities(in: shownValue(of: key, over: answer.value), of: key)
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
  ///
  /// If a remaining entry contains a removed entity, the entity keeps its value, which is marked as
  /// out of date.
  mutating func remove(_ keys: [QueryKey]) {
    let remaining = remaining(of: keys)
    for key in keys where !remaining.contains(key) { setContainedEntities([], of: key) }
    for key in keys {
      guard let entry = entries.remove(id: key) else { continue }
      fetching[key] = nil
      tagIndex.replace(entry.tags, by: [], of: key)
      if remaining.contains(key) {
        replace(entry)
      } else {
        overlays[key] = overlays[key]?.withoutValue
      }
    }
  }

  /// Returns the entries that cannot be removed with others, because remaining entries contain
  /// them.
  private func remaining(of keys: [QueryKey]) -> Set<QueryKey> {
    var removed = Set(keys)
    while true {
      let kept = removed.filter { key in
        entries[id: key]?.contents.value.containers.contains { !removed.contains($0) } ?? false
      }
      if kept.isEmpty { return Set(keys).subtracting(removed) }
      removed.subtract(kept)
    }
  }

  /// Replaces a removed entry by an entry with the same value, which is out of date.
  private mutating func replace(_ entry: QueryEntry) {
    if let confirmed = overlays[entry.id]?.confirmed { overlays[entry.id]?.wrote(confirmed) }
    let shown = shownValue(of: entry.id, over: entry.value)
    dropOverlayIfEmpty(entry.id)
    change(entry.id, providing: entry.tags) { new in
      new.containers = entry.contents.value.containers
      new.containedEntities = entry.contents.value.containedEntities
      new.show(shown)
      new.isInvalidated = true
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
    entries.update(inOrder(keys)) { $0.contents.value.invalidate() }
    for key in fetching.keys { fetching[key]?.invalidated.formUnion(tags) }
  }

  /// Returns the identities of entries in the order of the cache.
  func inOrder(_ keys: Set<QueryKey>) -> [QueryKey] {
    keys.compactMap { key in entries.position(of: key).map { (position: $0, key: key) } }
      .sorted { $0.position < $1.position }.map(\.key)
  }
}

/// The events during a request that can be newer than the answer of the request.
struct RequestEvents: Sendable {
  /// The tags that were invalidated.
  var invalidated: Set<QueryTag> = []
  /// The changes of other entries that the server has confirmed.
  var confirmed: [QueryKey: [QueryEdit]] = [:]
}
