import FluxCore

/// The contents of a history for an export or an import.
struct HistoryContents<State: Sendable>: Sendable {
  /// The state before the first entry.
  let base: State
  /// The entries, which contain the states of fixed points.
  let entries: [HistoryTimeline.Entry]
  /// The number of entries that are done.
  let position: Int
  /// The state at the position.
  let state: State
  /// A dictionary that maps a point to the unrecorded actions between the entry before the point
  /// and the next entry.
  var unrecorded: [Int: [any Action]] = [:]

  /// The actions whose names the registry does not contain.
  var unknownActions: [UnknownAction] {
    (unrecorded[0] ?? []).compactMap { $0 as? UnknownAction }
      + entries.indices.flatMap { index in
        ([entries[index].action] + (unrecorded[index + 1] ?? [])).compactMap { $0 as? UnknownAction }
      }
  }
}

extension HistoryTimeline {
  /// Returns the contents of the record, for a store whose current state is `state`.
  ///
  /// The method takes O(n) time for n entries, because it copies all entries. Call the method
  /// outside of any lock.
  func contents<State: Sendable>(with state: State) -> HistoryContents<State> {
    var entries = Array(entries)
    if position > 0, hasStateOfPoint, !self[position].isFixed || self[position].state == nil {
      entries[position - 1].point.state = Kept(state)
    }
    let points = unrecorded.isEmpty ? 0..<0 : 0..<entries.count + 1
    // Another program attaches its features itself.
    let amended = points.map { point in
      (point, gap(behind: point).compactMap { unrecorded[$0].action }.filter { !isFeatureChange($0) })
    }
    return HistoryContents(
      base: base.state?.state(of: State.self) ?? state, entries: entries, position: position, state: state,
      unrecorded: Dictionary(uniqueKeysWithValues: amended.filter { !$0.1.isEmpty }))
  }
}
