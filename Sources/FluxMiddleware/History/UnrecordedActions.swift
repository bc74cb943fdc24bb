import FluxCore

/// The unrecorded actions that a history preserves, in the order in which they arrived.
struct UnrecordedActions: Sendable {
  struct Element: Sendable {
    /// The id of the last entry that was recorded before the action, even if the entry no longer
    /// exists.
    let behind: HistoryEntry.ID
    /// The action, or `nil` if it has been removed.
    fileprivate(set) var action: (any Action)?
  }

  /// The storage of the actions, which begin at index `start`.
  private var places: [Element] = []
  private var start = 0

  var count: Int { places.count - start }
  var isEmpty: Bool { places.count == start }
  var last: Element? { places.last }

  subscript(index: Int) -> Element { places[start + index] }

  /// Returns the index of the first action that followed a given entry or a later entry, in
  /// O(log n) time.
  func firstIndex(behind id: HistoryEntry.ID) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if places[start + middle].behind < id { low = middle + 1 } else { high = middle }
    }
    return low
  }

  mutating func append(_ action: any Action, behind id: HistoryEntry.ID) {
    places.append(Element(behind: id, action: action))
  }

  /// Removes the actions from an index on.
  mutating func removeLast(from index: Int) {
    places.removeLast(count - index)
  }

  /// Removes and returns the given number of oldest actions, in O(1) time on average for each
  /// action.
  mutating func takeFirst(_ count: Int) -> [any Action] {
    if count == self.count {
      defer { self = UnrecordedActions() }
      return places[start...].compactMap(\.action)
    }
    var taken: [any Action] = []
    for _ in 0..<count {
      if let action = places[start].action { taken.append(action) }
      places[start].action = nil
      start += 1
    }
    if start > places.count / 2 {
      places.removeFirst(start)
      start = 0
    }
    return taken
  }
}
