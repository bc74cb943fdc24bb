/// A search for the entries of a store's history that changed a path, in pieces.
///
/// Each piece is bounded. Other requests are therefore answered between two pieces, and no
/// search continues without a request.
struct PathSearch: Sendable {
  /// The result of a piece.
  struct Found: Sendable, Equatable {
    /// The entries that changed the path, the newest first.
    var entries: [Int] = []
    /// The number of the last entry that was examined; the next piece continues below this
    /// number.
    var through: Int
  }

  /// The maximum number of entries that a piece examines.
  static let most = 20
  /// The maximum number of entry numbers that a piece passes: numbers of removed entries cost
  /// little.
  private static let mostNumbers = 1_000

  /// Searches for entries, from a number downward.
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
