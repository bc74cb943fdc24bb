/// A dictionary whose key and value types are not known.
protocol EntryTable {
  var count: Int { get }

  /// Returns whether both dictionaries share their storage, and are therefore equal.
  ///
  /// The method takes O(1) time.
  func isIdentical(to new: Any) -> Bool

  /// Returns the entries that differ between this dictionary and another dictionary.
  ///
  /// The time is proportional to the sizes of both dictionaries. The required memory is
  /// proportional to the number of differing entries.
  ///
  /// - Returns: The differing entries by key, or `nil` if the other dictionary has a different
  ///   type.
  func differing(from new: Any) -> [AnyHashable: EntryPair]?
}

/// The old and the new value for a key that at least one of two dictionaries contains.
struct EntryPair {
  /// The old value, or `nil` if the old dictionary does not contain the key.
  let old: Any?
  /// The new value, or `nil` if the new dictionary does not contain the key.
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
