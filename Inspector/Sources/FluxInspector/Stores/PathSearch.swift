/// A search for the entries of a store's history that changed a path, in pieces.
///
/// Each request of the page examines at most a fixed number of entries, and returns a piece of
/// the result. Other requests are answered between two pieces, and the search continues only when
/// the page requests the next piece.
struct PathSearch: Sendable {
  /// The result of one piece of a search.
  struct Found: Sendable, Equatable {
    /// The entries that changed the path, with the newest entry first.
    var entries: [Int] = []
    /// The number of the last entry that was examined; the next piece continues below this
    /// number.
    var through: Int
  }

  /// The maximum number of entries that a piece examines.
  static let most = 20
  /// The maximum number of entry numbers in a piece, including the numbers of removed entries,
  /// which take little time.
  private static let mostNumbers = 1_000

  /// Searches for entries in descending order of their numbers.
  ///
  /// - Parameters:
  ///   - newest: The number of the newest entry to examine.
  ///   - first: The number of the history's first entry.
  ///   - limit: The maximum number of entries to examine.
  ///   - hasChanged: Returns whether an entry changed the path; returns `nil` if there is no
  ///     such entry.
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
