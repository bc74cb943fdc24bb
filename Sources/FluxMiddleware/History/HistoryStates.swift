public import FluxCore

extension History {
  /// The state that an entry leads to, or the base's.
  ///
  /// O(log n) for n entries, and once more for each change of the history that comes in between. The state at
  /// the current position is the state of the store, which contains all preserved unrecorded actions. The
  /// state at another position contains those that came before the next entry, and is available if it is kept.
  ///
  /// - Parameters:
  ///   - entry: The entry; `nil` for the base.
  ///   - store: The store of this history, as seen for its state.
  /// - Returns: The state; `nil` if it is not kept, or the entry or the store has gone.
  public func state(behind entry: HistoryEntry.ID?, in store: StoreProxy<State>) -> State? {
    atOneMoment(with: store) { timeline, state in
      guard let point = entry.map(timeline.position) ?? 0 else { return nil }
      return timeline.state(at: point, current: state)
    } ?? nil
  }

  /// The states before and after the action of an entry.
  ///
  /// As ``state(behind:in:)``, both at one moment.
  ///
  /// - Returns: The states; `nil` if one is not kept, or the entry or the store has gone.
  public func states(
    around entry: HistoryEntry.ID, in store: StoreProxy<State>
  ) -> (before: State, after: State)? {
    atOneMoment(with: store) { timeline, state -> (before: State, after: State)? in
      guard let point = timeline.position(of: entry),
        let before = timeline.state(at: point - 1, current: state),
        let after = timeline.state(at: point, current: state)
      else { return nil }
      return (before, after)
    } ?? nil
  }

  /// Reads the record together with the store's state at that moment; `nil` when the store has gone.
  ///
  /// State and record change together, inside the store's serial order. So when the record is the same before
  /// and after the state was read, the state is that of its position.
  func atOneMoment<Result: Sendable>(
    with store: StoreProxy<State>, _ read: (HistoryTimeline, State) -> Result
  ) -> Result? {
    while true {
      let before = revision
      guard let state = store.state else { return nil }
      let result = timeline.withLock { $0.revision == before ? read($0, state) : nil }
      if let result { return result }
    }
  }
}

extension HistoryTimeline {
  fileprivate func state<State: Sendable>(at point: Int, current: State) -> State? {
    point == position ? current : keptState(at: point)?.state(of: State.self)
  }
}
