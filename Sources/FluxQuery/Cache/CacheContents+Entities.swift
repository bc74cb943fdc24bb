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
  ///   - entities: The entities, with their versions in the result.
  ///   - key: The identity of the result's entry.
  ///   - events: The events during the request that returned the result, or `nil` if the result is
  ///     newer than the answers of all running requests.
  ///   - time: The time at which the result arrived, or `nil` if the time is not known.
  mutating func storeEntities(
    _ entities: [(key: QueryKey, value: any Sendable)], of key: QueryKey, after events: RequestEvents?,
    at time: Duration?
  ) {
    for (entity, value) in entities {
      guard let value = currentVersion(of: entity, value, after: events) else { continue }
      storeEntities(entitiesContained(in: value, of: entity), of: entity, after: events, at: time)
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

  /// Returns the version of an entity to store, or `nil` if the cache has a newer version.
  private mutating func currentVersion(
    of entity: QueryKey, _ value: any Sendable, after events: RequestEvents?
  ) -> (any Sendable)? {
    guard let events else {
      // Answers of running requests can be older than this version.
      let edit = QueryEdit(key: entity) { $0 = value }
      noteConfirmed(edit)
      if let request = entries[id: entity]?.request {
        var overlay = overlays[entity] ?? QueryOverlay(confirmed: confirmedValue(of: entity))
        overlay.confirm(edit, during: request)
        overlays[entity] = overlay
      }
      return value
    }
    // The server may have produced the answer before it confirmed changes of the entity.
    guard let edits = events.confirmed[entity] else { return value }
    guard entries[id: entity]?.value == nil else { return nil }
    var edited: (any Sendable)? = value
    for edit in edits { edit.apply(&edited) }
    return edited
  }

  /// Stores the entities that a confirmed change of a result has added or changed.
  mutating func storeChangedEntities(
    of key: QueryKey, from old: (any Sendable)?, to new: (any Sendable)?, at time: Duration?
  ) {
    guard key.query._hasEntities, let new else { return }
    let old = old.map { entitiesContained(in: $0, of: key) } ?? []
    let versions = Dictionary(old.map { ($0.key, $0.value) }) { first, _ in first }
    let changed = entitiesContained(in: new, of: key).filter { entity, value in
      versions[entity].map { !entity.query._areEqual($0, value) } ?? true
    }
    storeEntities(changed, of: key, after: nil, at: time)
  }

  /// Returns a result in which each entity has the version that its own entry contains.
  func showingEntities(in value: (any Sendable)?, of key: QueryKey) -> (any Sendable)? {
    guard let value, key.query._hasEntities else { return value }
    let changed = key.query._replacingEntities(in: value, only: nil) { entity, old in
      guard entity != key, let new = entries[id: entity]?.value else { return nil }
      return entity.query._areEqual(old, new) ? nil : new
    }
    return changed ?? value
  }

  /// Records that the server has confirmed a change of an entry.
  ///
  /// Answers of running requests whose results contain the entry can be older than the change.
  mutating func noteConfirmed(_ edit: QueryEdit) {
    for key in fetching.keys where key.query._hasEntities && key != edit.key {
      fetching[key]?.confirmed[edit.key, default: []].append(edit)
    }
  }

  /// Updates the lists of entities and of containers after the value of an entry has changed, and
  /// shows the new value in the entries that contain it.
  ///
  /// - Parameters:
  ///   - key: The identity of the entry.
  ///   - container: An entry that contains the value and does not change, or `nil`.
  mutating func valueChanged(_ key: QueryKey, except container: QueryKey?) {
    let value = entries[id: key]?.value
    setContainedEntities(value.map { entitiesContained(in: $0, of: key).map(\.key) } ?? [], of: key)
    if value != nil {
      showInContainers(key, except: container.map { [$0] } ?? [])
    } else {
      restoreContainers(of: key)
    }
  }

  /// Replaces the value of an entry in the values that contain it.
  private mutating func showInContainers(_ key: QueryKey, except visited: Set<QueryKey>) {
    guard let entry = entries[id: key], let value = entry.value else { return }
    let containers = entry.contents.value.containers.subtracting(visited)
    guard !containers.isEmpty else { return }
    let visited = visited.union([key])
    for container in inOrder(containers) {
      guard let old = entries[id: container]?.value,
        let new = container.query._replacingEntities(in: old, only: key.query, { _, _ in value })
      else { continue }
      entries.update(container) { $0.contents.value.replaceValue(new) }
      showInContainers(container, except: visited)
    }
  }

  /// Shows the versions that containers have without an entity, after an edit that created the
  /// entity's value was removed.
  private mutating func restoreContainers(of key: QueryKey) {
    for container in inOrder(entries[id: key]?.contents.value.containers ?? []) {
      guard let overlay = overlays[container] else { continue }
      let shown = showingEntities(in: overlay.shown, of: container)
      change(container) { $0.show(shown) }
    }
  }

  /// Replaces the list of the entities that the value of an entry contains.
  mutating func setContainedEntities(_ new: [QueryKey], of key: QueryKey) {
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
