import FluxCollections

/// The identities of entries by the tags that the entries provide.
///
/// Changing the tags of an entry, and finding the entries of a tag, take time that does not depend
/// on the number of other entries.
struct TagIndex: Sendable {
  /// The entries that provide one tag.
  private struct Provided: Identifiable, Sendable {
    let id: QueryTag
    var keys: Set<QueryKey>
  }

  /// The provided tags by type.
  ///
  /// An app has few types, and possibly many ids of each type.
  private var types: [String: OrderedState<Provided>] = [:]

  /// Replaces the tags of an entry.
  mutating func replace(_ old: Set<QueryTag>, by new: Set<QueryTag>, of key: QueryKey) {
    for tag in old where !new.contains(tag) { remove(key, from: tag) }
    for tag in new where !old.contains(tag) { insert(key, into: tag) }
  }

  /// Returns the entries whose tags a tag matches.
  func keys(matching tag: QueryTag) -> Set<QueryKey> {
    guard let provided = types[tag.type] else { return [] }
    guard tag.isOfWholeType else { return provided[id: tag]?.keys ?? [] }
    return provided.reduce(into: []) { keys, tag in keys.formUnion(tag.keys) }
  }

  private mutating func insert(_ key: QueryKey, into tag: QueryTag) {
    let isKnown = types[tag.type, default: OrderedState()].update(tag) { $0.keys.insert(key) }
    if !isKnown { types[tag.type]?.append(Provided(id: tag, keys: [key])) }
  }

  private mutating func remove(_ key: QueryKey, from tag: QueryTag) {
    var isLast = false
    types[tag.type]?.update(tag) { provided in
      provided.keys.remove(key)
      isLast = provided.keys.isEmpty
    }
    guard isLast else { return }
    types[tag.type]?.remove(id: tag)
    if types[tag.type]?.isEmpty == true { types[tag.type] = nil }
  }
}
