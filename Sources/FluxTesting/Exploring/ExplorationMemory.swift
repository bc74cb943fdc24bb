import FluxCore

/// The states that occurred in all orders of an exploration, so that equal states have equal
/// numbers.
final class ExplorationMemory: Sendable {
  private struct Entry: Sendable {
    let state: any Sendable
    let number: Int
  }

  private struct Contents: Sendable {
    /// The states of each store, by their hash.
    var entries: [Int: [Int: [Entry]]] = [:]
    var count = 0
  }

  private let contents = Locked(Contents())

  /// The number of different states that occurred.
  var count: Int { contents.withLock { $0.count } }

  /// Returns the number of a state of a store.
  ///
  /// Equal states have equal numbers.
  ///
  /// The method takes O(1) time for a state that is `Hashable`, and O(n) time for n different
  /// states of any other type.
  func number<State: Equatable & Sendable>(of state: State, inStore store: Int) -> Int {
    let hash = (state as? any Hashable).map { $0.hashValue } ?? 0
    return contents.withLock { contents in
      let known = contents.entries[store, default: [:]][hash, default: []]
      if let entry = known.first(where: { ($0.state as? State) == state }) { return entry.number }
      contents.count += 1
      contents.entries[store, default: [:]][hash, default: []].append(
        Entry(state: state, number: contents.count))
      return contents.count
    }
  }
}
