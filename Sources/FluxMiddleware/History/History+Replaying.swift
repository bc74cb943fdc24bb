package import FluxCore

// This file contains the steps by which a copy of a history takes over the events of the original.
// A copy has no limit, because each event contains the entries that a limit has removed.

extension History {
  /// Creates an empty copy, which takes over the events of a history.
  package func makeReplica() -> History {
    History(
      named: name, limit: .max, keepingEvery: timeline.withLock { $0.stride },
      unrecorded: policy == .undoneWithEntry ? .undoneWithEntry : .preserved(limit: .max))
  }

  /// Takes over the record of a copy.
  ///
  /// This history must not have a store yet.
  package func adopt(_ replica: History) {
    var copy = replica.timeline.withLock { $0 }
    let old = timeline.withLock { timeline in
      (copy.limit, copy.stride, copy.policy) = (timeline.limit, timeline.stride, timeline.policy)
      let old = timeline
      timeline = copy
      return old
    }
    withExtendedLifetime(old) {}
  }

  /// Makes the change that an event describes.
  ///
  /// - Throws: An error if the event does not follow the earlier events of this copy. The copy
  ///   must then be discarded.
  package func replay(
    _ event: HistoryEvent<State>, _ state: inout State, with reducer: MutatingReducer<State>
  ) throws(HistoryError) {
    timeline.withLock { $0.begin { Kept(state) } }
    switch event.change {
    case .recorded(let reduction, let id, let step):
      try replay(reduction, as: id, step: step, &state, with: reducer)
    case .unrecorded(.action(let action)): reduceUnrecorded(&state, action, with: reducer)
    case .unrecorded(.result(let result, _)):
      state = result
      let kept = Kept(result)
      withExtendedLifetime(timeline.withLock { $0.amend(with: kept) }) {}
    case .moved(let id, let isJump): try move(to: id, isJump: isJump, &state, with: reducer)
    case .skipped(let id, let isSkipped):
      guard timeline.withLock({ $0.position(of: id) != nil }) else { throw .missing(id) }
      setSkipped(id, isSkipped, &state, with: reducer)
    case .committed: withExtendedLifetime(timeline.withLock { $0.forget() }) {}
    case .rolledBack: rollBack(&state, with: reducer)
    case .reset: reset(&state)
    case .paused(let isPaused): timeline.withLock { $0.isPaused = isPaused }
    case .locked(let isLocked): timeline.withLock { $0.isLocked = isLocked }
    case .replaced(let action):
      guard let replay = action.contents as? HistoryReplay<State> else {
        throw HistoryError(.invalidEntry, "The imported history has states of another type.")
      }
      load(replay, &state, with: reducer)
    }
    if let removal = event.removal { try replay(removal, with: reducer) }
  }

  private func replay(
    _ reduction: HistoryEvent<State>.Reduction, as id: HistoryEntry.ID, step: HistoryEntry.ID,
    _ state: inout State, with reducer: MutatingReducer<State>
  ) throws(HistoryError) {
    let (nextID, open) = timeline.withLock { timeline in
      (timeline.nextID, timeline.position == timeline.entries.count ? timeline.entries.last?.step : nil)
    }
    guard id.rawValue == nextID else {
      throw HistoryError(.invalidID, "Entry \(id) was recorded, but the next entry is \(nextID).")
    }
    guard step == id || step == open else {
      throw HistoryError(
        .invalidEntry, "Entry \(id) belongs to step \(step), which is not the step of the previous entry.")
    }
    withExtendedLifetime(timeline.withLock { $0.leaveForRecording { Kept(state) } }) {}
    let (recorded, isFixed): (any Action, Bool) =
      switch reduction {
      case .action(let action): (action, false)
      case .result(_, let action): (action, true)
      }
    switch reduction {
    case .action(let action): reducer(&state, action)
    case .result(let result, _): state = result
    }
    let kept = isFixed ? Kept(state) : nil
    let undone = timeline.withLock { timeline in
      let undone = timeline.record(recorded, joiningStep: step != id)
      if let kept { timeline[timeline.position] = HistoryTimeline.Point(state: kept, isFixed: true) }
      return undone
    }
    withExtendedLifetime(undone) {}
  }

  private func move(
    to id: HistoryEntry.ID, isJump: Bool, _ state: inout State, with reducer: MutatingReducer<State>
  ) throws(HistoryError) {
    let isKnown = timeline.withLock { timeline in
      id == .none || timeline.position(of: id) != nil || isJump && timeline.setAsideEntry(id) != nil
    }
    guard isKnown else { throw .missing(id) }
    if isJump, id != .none {
      jump(to: id, &state, with: reducer)
    } else {
      let target = { (timeline: HistoryTimeline) in id == .none ? 0 : timeline.position(of: id) }
      move(to: target, isLooking: isJump, &state, with: reducer)
    }
  }

  /// Removes the entries that the limit of the original has removed.
  private func replay(
    _ removal: HistoryEvent<State>.Removal, with reducer: MutatingReducer<State>
  ) throws(HistoryError) {
    let (point, count, position) = timeline.withLock { timeline in
      (timeline.entries.firstIndex(from: removal.oldest), timeline.entries.count, timeline.position)
    }
    guard removal.evicted >= 0, removal.evicted < 1 << 53 else {
      throw HistoryError(.invalidEntry, "The number of removed entries is \(removal.evicted).")
    }
    if point == count, count > 0 {
      withExtendedLifetime(timeline.withLock { $0.forget(isEviction: true) }) {}
    } else if point > 0 {
      guard point <= position else { throw .missing(removal.oldest) }
      fold(to: point, with: reducer)
    }
    let forgotten = timeline.withLock { timeline in
      timeline.aside.value.evicted = removal.evicted
      return timeline.keepBranches(removal.branches)
    }
    withExtendedLifetime(forgotten) {}
  }
}

extension HistoryError {
  fileprivate static func missing(_ id: HistoryEntry.ID) -> HistoryError {
    HistoryError(.invalidEntry, "The history has no entry \(id) at this point.")
  }
}

extension HistoryTimeline {
  /// Replaces the state of the current point by the result of an unrecorded action that cannot be
  /// reduced again.
  ///
  /// A timeline that preserves unrecorded actions discards the undone entries, because their
  /// states cannot include the result.
  ///
  /// - Returns: The values that the timeline no longer keeps.
  fileprivate mutating func amend(with result: any KeptState) -> Forgotten {
    if policy == .undoneWithEntry { return Forgotten(states: amend()) }
    var forgotten = Forgotten(states: amend())
    forgotten.entries = entries.takeAll(from: position)
    takeNotes(of: &forgotten)
    self[position].state = result
    unrecorded.removeLast(from: gap(behind: position).lowerBound)
    isStepOpen = isStepOpen && forgotten.entries.isEmpty
    isLookingBack = false
    forgotten.add(removeUnreachableBranches())
    return forgotten
  }

  fileprivate mutating func keepBranches(_ first: [HistoryEntry.ID]) -> Forgotten {
    let lost = aside.value.branches.filter { $0.entries.first.map { !first.contains($0.id) } ?? true }
    guard !lost.isEmpty else { return Forgotten() }
    aside.value.branches.removeAll { $0.entries.first.map { !first.contains($0.id) } ?? true }
    var forgotten = Forgotten(entries: lost.flatMap(\.entries))
    takeNotes(of: &forgotten)
    return forgotten
  }
}
