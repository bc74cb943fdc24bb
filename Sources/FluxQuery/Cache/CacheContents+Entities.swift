import FluxAsync
import FluxCollections
import FluxCore

/// The rules for entities: values that are results of their own queries, and that other results
/// contain.
///
/// An entry whose value contains entities lists them, and the entry of each entity lists the
/// entries that contain it. A change of an entity therefore visits only the entries that contain
/// it.
extension CacheContents {
  /// Stores each entity of a confirmed result as the result of the entity's own query.
  ///
  /// - Parameters:
  ///   - value: The result.
  ///   - key: The identity of the result's entry.
  ///   - events: The events during the request that returned the result, or `nil` if the result is
  ///     newer than all answers of running requests.
  ///   - time: The time at which the result arrived, or `nil` if the time is not known.
  mutating func storeEntities(
    in value: any Sendable, of key: QueryKey, after events: RequestEvents?, at time: Duration?
  ) {
    for (entity, value) in entitiesContained(in: value, of: key) {
      // The server may have produced the answer before it confirmed a change of the entity.
      if events?.confirmed.contains(entity) == true, entries[id: entity]?.value != nil { continue }
      storeEntities(in: value, of: entity, after: events, at: time)
      if events == nil { confirmed(entity) }
      overlays[entity]?.arrivedInAnotherResult(value)
      let shown = showingEntities(in: shownValue(of: entity, over: value), of: entity)
      dropOverlayIfEmpty(entity)
      let tags = entity.query._tags(for: value)
      let isOutdated = events?.invalidated.contains { $0.matches(anyOf: tags) } ?? false
      change(entity, containedIn: key, providing: tags) { entry in
        entry.show(shown)
        entry.error = nil
        entry.fulfilledAt = time ?? entry.fulfilledAt
        (entry.isInvalidated, entry.awaitsRefetch) = (false, false)
        if isOutdated { entry.invalidate() }
      }
    }
  }

  /// Returns a result in which each entity has the version that its own entry contains.
  func showingEntities(in value: (any Sendable)?, of key: QueryKey) -> (any Sendable)? {
    guard let value, key.query._hasEntities else { return value }
    let changed = key.query._replacingEntities(in: value, only: nil) { entity, old in
      guard let new = entries[id: entity]?.value, !entity.query._areEqual(old, new) else { return nil }
      return new
    }
    return changed ?? value
  }

  /// Records that the server has confirmed a change of an entity.
  ///
  /// The answers of running requests can be older than the change.
  mutating func confirmed(_ key: QueryKey) {
    for other in fetching.keys where other != key { fetching[other]?.confirmed.insert(key) }
  }

  /// Updates the lists of entities and of containers after the value of an entry has changed, and
  /// shows the new value in the entries that contain it.
  ///
  /// - Parameters:
  ///   - key: The identity of the entry.
  ///   - visited: The entries that do not change. An entity can indirectly contain itself.
  mutating func valueChanged(_ key: QueryKey, except visited: Set<QueryKey>) {
    guard let entry = entries[id: key] else { return }
    list(entry.value.map { entitiesContained(in: $0, of: key).map(\.key) } ?? [], in: key)
    guard let value = entry.value, !entry.contents.value.containers.isEmpty else { return }
    let visited = visited.union([key])
    for container in inOrder(entry.contents.value.containers.subtracting(visited)) {
      guard let old = entries[id: container]?.value,
        let new = container.query._replacingEntities(in: old, only: key.query, { _, _ in value })
      else { continue }
      entries.update(container) { $0.contents.value.replaceValue(new) }
      valueChanged(container, except: visited)
    }
  }

  /// Replaces the list of the entities that the value of an entry contains.
  mutating func list(_ new: [QueryKey], in key: QueryKey) {
    let old = entries[id: key]?.contents.value.containedEntities ?? []
    guard new != old else { return }
    let (isOld, isNew) = (Set(old), Set(new))
    entries.update(old.filter { !isNew.contains($0) }) { $0.contents.value.containers.remove(key) }
    for entity in new where !isOld.contains(entity) {
      if !entries.contains(id: entity) { entries.append(QueryEntry(id: entity)) }
      entries.update(entity) { $0.contents.value.containers.insert(key) }
    }
    entries.update(key) { $0.contents.value.containedEntities = new }
  }

  /// Returns the entities that a value contains, in the order in which they occur, and without
  /// duplicates.
  func entitiesContained(
    in value: any Sendable, of key: QueryKey
  ) -> [(key: QueryKey, value: any Sendable)] {
    var found: [(key: QueryKey, value: any Sendable)] = []
    var known = Set<QueryKey>()
    _ = key.query._replacingEntities(in: value, only: nil) { entity, value in
      if entity != key, known.insert(entity).inserted { found.append((entity, value)) }
      return nil
    }
    return found
  }
}

/// The events during a request that can be newer than the answer of the request.
struct RequestEvents: Sendable {
  /// The tags that were invalidated.
  var invalidated: Set<QueryTag> = []
  /// The identities of the entries whose changes the server has confirmed.
  var confirmed: Set<QueryKey> = []
}
