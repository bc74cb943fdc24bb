public import FluxCore

extension History {
  /// Returns the state after an entry, or the state of the base.
  ///
  /// The method takes O(log n) time for n entries, and starts over each time the history changes
  /// during the call. The state at the current position is the state of the store, which includes
  /// all changes that preserved unrecorded actions made. The state at another position is
  /// available only if the history keeps it, and includes the changes that unrecorded actions made
  /// before the next entry.
  ///
  /// - Parameters:
  ///   - entry: The entry, or `nil` for the base.
  ///   - store: The store of this history, as a proxy for the history's state.
  /// - Returns: The state, or `nil` if it is not kept, if the entry no longer exists, or if the
  ///   store has been released.
  public func state(behind entry: HistoryEntry.ID?, in store: StoreProxy<State>) -> State? {
    atOneMoment(with: store) { timeline, state in
      guard let point = entry.map(timeline.position) ?? 0 else { return nil }
      return timeline.state(at: point, current: state)
    } ?? nil
  }

  /// Returns the states before and after the action of an entry, both of which are read from
  /// the same version of the record.
  ///
  /// The method works like ``state(behind:in:)``.
  ///
  /// - Returns: The states, or `nil` if one of them is not kept, if the entry no longer exists,
  ///   or if the store has been released.
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

  /// Reads the record together with the matching state of the store, or returns `nil` if the
  /// store has been released.
  ///
  /// The state and the record change together, inside the store's serial order. If the record
  /// does not change while the state is read, the state is therefore the state at the record's
  /// position.
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

/// A type-erased state that a history keeps.
protocol KeptState: AnyObject, Sendable {}

/// A state that a history keeps.
final class Kept<State: Sendable>: KeptState {
  let state: State

  init(_ state: State) {
    self.state = state
  }
}

extension KeptState {
  /// Returns the state, cast to the state type of its history.
  func state<State: Sendable>(of _: State.Type) -> State {
    guard let kept = self as? Kept<State> else {
      preconditionFailure("A history keeps states of one type.")
    }
    return kept.state
  }
}
