package import FluxCore

/// A change to a history, as a result that another copy of the history can take over.
///
/// An event contains what an action has done and not why: an undo contains the entry at which it
/// arrived, and a recorded action contains its step and the entries that became part of the base.
/// A replay therefore makes the same history even if the limit, the filter, or the grouping rule
/// of the history has changed.
package struct HistoryEvent<State: Sendable>: Sendable {
  /// An action that was reduced.
  package enum Reduction: Sendable {
    /// An action that can be encoded, so that a replay can reduce it.
    case action(any Action)
    /// The state after an action that cannot be encoded, or that attached features have reduced.
    case result(State, of: UnknownAction)
  }

  package enum Change: Sendable {
    /// An action was recorded as an entry, which belongs to a step.
    case recorded(Reduction, as: HistoryEntry.ID, step: HistoryEntry.ID)
    case unrecorded(Reduction)
    /// The position after an entry, or the base if the id is 0, became the current position.
    case moved(to: HistoryEntry.ID, isJump: Bool)
    case skipped(HistoryEntry.ID, Bool)
    case committed
    case rolledBack
    case reset
    case paused(Bool)
    case locked(Bool)
    /// An import replaced the record.
    case replaced(by: HistoryImport)
  }

  /// The entries that the history no longer contains because it has a limit.
  package struct Removal: Equatable, Sendable {
    /// The oldest entry that remains, or the id of the next entry if no entry remains.
    let oldest: HistoryEntry.ID
    /// The first entries of the branches that remain.
    let branches: [HistoryEntry.ID]
    /// The total number of entries that the history has removed, as in ``HistoryStatus/evicted``.
    let evicted: Int
  }

  package let change: Change
  package let removal: Removal?

  package init(_ change: Change, removal: Removal? = nil) {
    self.change = change
    self.removal = removal
  }
}

extension History {
  /// Reduces an action, and returns the change to the history, or `nil` if nothing changed.
  ///
  /// - Parameters:
  ///   - reducer: The reducer that the history uses.
  ///   - registry: The actions that can be encoded.
  package func reduceReporting(
    _ state: inout State, _ action: any Action, with reducer: MutatingReducer<State>,
    registry: ActionRegistry
  ) -> HistoryEvent<State>? {
    if Recomputation.isRunning {
      reducer(&state, action)
      return nil
    }
    // A comparison requires a copy of the state, so only actions that cannot be encoded are
    // compared.
    let isRegistered = registry.name(of: type(of: action)) != nil
    let old = isRegistered ? nil : state
    let before = timeline.withLock { Marks($0) }
    let isByFeatures =
      ReductionByFeatures.follow { reduce(&state, action, with: reducer) }
      && FeatureStates.areStored(in: state)
    let (after, removed) = timeline.withLock { timeline in
      let after = Marks(timeline)
      return (after, after.removal(since: before, in: timeline, as: HistoryEvent<State>.Removal.init))
    }
    guard after.changes != before.changes, after.refused == before.refused else { return nil }
    if let action = action as? HistoryImport, action.history == name,
      action.contents is HistoryReplay<State>
    {
      return HistoryEvent(.replaced(by: action))
    }
    if let action = action as? HistoryAction, action.history == name {
      return HistoryEvent(change(of: action.command, arrivedAt: after.current))
    }
    let reduction: HistoryEvent<State>.Reduction =
      isRegistered && !isByFeatures ? .action(action) : .result(state, of: UnknownAction(action))
    guard after.nextID == before.nextID else {
      let change = HistoryEvent<State>.Change.recorded(
        reduction, as: HistoryEntry.ID(rawValue: before.nextID), step: after.step)
      return HistoryEvent(change, removal: removed)
    }
    if let old, removed == nil, areDynamicallyEqual(old, state) == true { return nil }
    return HistoryEvent(.unrecorded(reduction), removal: removed)
  }

  private func change(
    of command: HistoryAction.Command, arrivedAt current: HistoryEntry.ID
  ) -> HistoryEvent<State>.Change {
    switch command {
    case .undo, .redo: .moved(to: current, isJump: false)
    case .jump, .jumpToEntry: .moved(to: current, isJump: true)
    case .skip(let id): .skipped(id, true)
    case .unskip(let id): .skipped(id, false)
    case .commit: .committed
    case .rollback: .rolledBack
    case .reset: .reset
    case .pause: .paused(true)
    case .resume: .paused(false)
    case .lock: .locked(true)
    case .unlock: .locked(false)
    }
  }
}

/// The numbers of a timeline that show what an action has changed.
private struct Marks: Sendable {
  let changes: Int
  let refused: Int
  let nextID: Int
  let evicted: Int
  let count: Int
  /// The oldest entry, or the id of the next entry.
  let oldest: HistoryEntry.ID
  /// The entry before the current position, or 0.
  let current: HistoryEntry.ID
  /// The step of the newest entry, or 0.
  let step: HistoryEntry.ID

  init(_ timeline: borrowing HistoryTimeline) {
    changes = timeline.changes
    refused = timeline.refused
    nextID = timeline.nextID
    evicted = timeline.evicted
    count = timeline.entries.count
    oldest = timeline.oldest
    let position = timeline.position
    current = position == 0 ? .none : timeline.entries[position - 1].id
    step = count == 0 ? .none : timeline.entries[count - 1].step
  }

  /// Returns the entries that a limit has removed since earlier marks, if any.
  func removal<Removal>(
    since before: Marks, in timeline: borrowing HistoryTimeline,
    as make: (HistoryEntry.ID, [HistoryEntry.ID], Int) -> Removal
  ) -> Removal? {
    guard evicted != before.evicted || before.count > 0 && oldest > before.oldest else { return nil }
    return make(oldest, timeline.aside.value.branches.compactMap(\.entries.first?.id), evicted)
  }
}

extension HistoryTimeline {
  /// The oldest entry, or the id of the next entry if there is no entry.
  var oldest: HistoryEntry.ID {
    entries.isEmpty ? HistoryEntry.ID(rawValue: nextID) : entries[0].id
  }
}

extension UnknownAction {
  /// Describes an action whose type is not registered.
  init(_ action: any Action) {
    if let action = action as? UnknownAction {
      self = action
    } else {
      self.init(name: "\(type(of: action))", payload: nil, description: "\(action)")
    }
  }
}
