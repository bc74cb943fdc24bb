import FluxCollections

/// The identities of entries by the tags that the entries provide.
///
/// Changing the tags of an entry, and finding the entries of a tag, take time that does not depend
/// on the number of other entries.
struct TagIndex: Sendable {
  /// The entries that provide one tag.
  private struct Provided: Identifiable, Sendable {
    let id: QueryTag
    var keys = SharedKeys()
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
    guard tag.isOfWholeType else { return provided[id: tag]?.keys.all ?? [] }
    return provided.reduce(into: []) { keys, tag in keys.formUnion(tag.keys.all) }
  }

  private mutating func insert(_ key: QueryKey, into tag: QueryTag) {
    let isKnown = types[tag.type, default: OrderedState()].update(tag) { $0.keys.insert(key) }
    guard !isKnown else { return }
    var provided = Provided(id: tag)
    provided.keys.insert(key)
    types[tag.type]?.append(provided)
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

/// The identities of the entries that provide one tag.
///
/// Most tags have few entries, which a set contains. A change of a set copies the set if another
/// version of the cache contains it, so many entries are kept in a list, whose versions share
/// storage.
struct SharedKeys: Sendable {
  private struct Member: Identifiable, Sendable {
    let id: QueryKey
  }

  /// The number of entries from which a list is used.
  static let many = 32

  private var few: Set<QueryKey> = []
  private var list: OrderedState<Member>?

  var isEmpty: Bool { few.isEmpty && list == nil }

  /// All identities, in no particular order.
  var all: Set<QueryKey> { list.map { Set($0.ids) } ?? few }

  mutating func insert(_ key: QueryKey) {
    if list != nil {
      if list?.contains(id: key) == false { list?.append(Member(id: key)) }
      return
    }
    few.insert(key)
    guard few.count >= SharedKeys.many else { return }
    list = OrderedState(few.map { Member(id: $0) })
    few = []
  }

  mutating func remove(_ key: QueryKey) {
    few.remove(key)
    list?.remove(id: key)
    // The lower limit keeps two entries from being moved back and forth.
    if let list, list.count < SharedKeys.many / 4 {
      few = Set(list.ids)
      self.list = nil
    }
  }
}
