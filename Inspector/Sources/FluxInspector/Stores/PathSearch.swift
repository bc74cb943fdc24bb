/// Which entries of a store's history changed a path: some entries at a time.
///
/// Each piece is bounded, so that whatever else is asked is answered in between, and nothing goes on that nobody
/// waits for.
struct PathSearch: Sendable {
  /// What has been found in a piece.
  struct Found: Sendable, Equatable {
    /// The entries that changed the path, the newest first.
    var entries: [Int] = []
    /// The number down to which there is nothing to look for any more; on from the one below.
    var through: Int
  }

  /// The most entries that are looked into at once.
  static let most = 20
  /// The most numbers that are gone through at once: those of entries that are not there any more cost little.
  private static let mostNumbers = 1_000

  /// Looks for entries, from a number downwards.
  ///
  /// - Parameters:
  ///   - newest: The number of the newest entry that is looked into.
  ///   - first: The number of the history's first entry.
  ///   - limit: How many entries are looked into at most.
  ///   - hasChanged: Whether an entry changed the path; `nil` if there is no such entry.
  static func find(
    from newest: Int, first: Int, limit: Int, hasChanged: (_ entry: Int) -> Bool?
  ) -> Found {
    var found = Found(through: newest)
    var left = min(max(limit, 1), most)
    for (count, number) in sequence(first: newest, next: { $0 > first ? $0 - 1 : nil }).enumerated() {
      guard left > 0, count < mostNumbers else { break }
      found.through = number
      guard let isFound = hasChanged(number) else { continue }
      left -= 1
      if isFound { found.entries.append(number) }
    }
    return found
  }
}
