import FluxCore

/// All of a history that is exported and imported.
struct HistoryContents<State: Sendable>: Sendable {
  /// The state before the first entry.
  let base: State
  /// The entries, with the states behind those that are fixed.
  let entries: [HistoryTimeline.Entry]
  /// How many entries are done.
  let position: Int
  /// The state at the position.
  let state: State

  /// The actions that no registry knew.
  var unknownActions: [UnknownAction] {
    entries.compactMap { $0.action as? UnknownAction }
  }
}

extension HistoryTimeline {
  /// What is recorded, for a store that has a state now.
  ///
  /// O(n) for n entries, all of which it copies: to be asked outside of any lock.
  func contents<State: Sendable>(with state: State) -> HistoryContents<State> {
    var entries = Array(entries)
    if position > 0 { entries[position - 1].point.state = Kept(state) }
    let base = position > 0 ? base.state?.state(of: State.self) : nil
    return HistoryContents(base: base ?? state, entries: entries, position: position, state: state)
  }
}
