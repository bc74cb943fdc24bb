/// A dictionary, whatever its keys and values are.
protocol EntryTable {
  var count: Int { get }

  /// Whether this and another dictionary are one in memory, and so the same for sure. O(1).
  func isIdentical(to new: Any) -> Bool

  /// The entries that are not alike here and in a dictionary of the same type; `nil` when that is of another type.
  ///
  /// It takes time in proportion to both, and memory in proportion to what differs.
  func differing(from new: Any) -> [AnyHashable: EntryPair]?
}

/// What stands before and after at a key of which at least one of two dictionaries has an entry.
struct EntryPair {
  /// The value before; `nil` when there was no entry.
  let old: Any?
  /// The value after; `nil` when there is no entry.
  let new: Any?
}

extension Dictionary: EntryTable {
  func isIdentical(to new: Any) -> Bool {
    (new as? Self).map { shareStorage(self, $0) } ?? false
  }

  func differing(from new: Any) -> [AnyHashable: EntryPair]? {
    guard let new = new as? Self else { return nil }
    let areAlike = Likeness<Value>()
    var differing: [AnyHashable: EntryPair] = [:]
    var common = 0
    for (key, old) in self {
      guard let new = new[key] else {
        differing[AnyHashable(key)] = EntryPair(old: .some(old), new: nil)
        continue
      }
      common += 1
      if !areAlike(old, new) { differing[AnyHashable(key)] = EntryPair(old: .some(old), new: .some(new)) }
    }
    guard common < new.count else { return differing }
    for (key, new) in new where self[key] == nil {
      differing[AnyHashable(key)] = EntryPair(old: nil, new: .some(new))
    }
    return differing
  }
}
