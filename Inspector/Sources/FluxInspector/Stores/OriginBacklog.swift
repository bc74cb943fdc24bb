/// The entries of a log that were sent to a page before their origins were known.
///
/// A pure state machine, which the session of the page keeps for each store that the page
/// watches. It finds the origins of the newest entries first, because the page shows those first.
/// It keeps at most one number for each entry that the page has, and a bounded number of strings.
package struct OriginBacklog: Hashable, Sendable {
  /// An origin that was found after its entry was sent.
  package struct Found: Hashable, Sendable, Encodable {
    package let id: Int
    package let origin: String
  }

  private enum State: Hashable {
    case idle
    /// The origin of the entry is being found.
    case finding(Int)
  }

  /// The maximum number of origins in a message.
  package static let most = 500

  private var state = State.idle
  /// The entries whose origins have to be found, in the order of their ids.
  private var unresolved: [Int] = []
  /// The origins that have to be sent.
  private var found: [Found] = []

  package init() {}

  /// Adds an entry that was sent without its origin.
  package mutating func add(_ entry: Int) {
    // The origin of the entry arrives anyway.
    guard state != .finding(entry), !found.contains(where: { $0.id == entry }) else { return }
    let index = unresolved.firstIndex(from: entry)
    if index < unresolved.count, unresolved[index] == entry { return }
    unresolved.insert(entry, at: index)
  }

  /// Begins to find the next origin.
  ///
  /// - Returns: The entry whose origin is to be found, and then reported by `finish(_:_:)`. The
  ///   result is `nil` if an origin is being found, or no more can be kept before some are sent.
  package mutating func begin() -> Int? {
    switch state {
    case .finding: return nil
    case .idle:
      guard found.count < Self.most, let entry = unresolved.popLast() else { return nil }
      state = .finding(entry)
      return entry
    }
  }

  /// Ends the search for the origin of an entry.
  ///
  /// - Parameters:
  ///   - entry: The entry. A search that began for an earlier log, or for an entry that the page no
  ///     longer has, has no effect.
  ///   - text: The origin; `nil` if there is none.
  package mutating func finish(_ entry: Int, _ text: String?) {
    guard state == .finding(entry) else { return }
    state = .idle
    if let text { found.append(Found(id: entry, origin: text)) }
  }

  /// Returns the origins that have to be sent, and counts them as sent.
  package mutating func takeFound() -> [Found] {
    defer { found = [] }
    return found
  }

  /// Discards the entries before an entry, which the page no longer has.
  package mutating func forget(before first: Int) {
    unresolved.removeSubrange(..<unresolved.firstIndex(from: first))
    forget { $0 < first }
  }

  /// Discards the entries after an entry, which the page no longer has.
  package mutating func forget(after last: Int) {
    unresolved.removeSubrange(unresolved.firstIndex(from: last + 1)...)
    forget { $0 > last }
  }

  private mutating func forget(_ isGone: (Int) -> Bool) {
    found.removeAll { isGone($0.id) }
    if case .finding(let entry) = state, isGone(entry) { state = .idle }
  }
}

extension [Int] {
  /// The index of the first element of a sorted array that is not below a number: O(log n).
  fileprivate func firstIndex(from number: Int) -> Int {
    var (low, high) = (startIndex, endIndex)
    while low < high {
      let middle = (low + high) / 2
      if self[middle] < number { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
