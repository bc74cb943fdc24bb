import FluxCore

// This file contains the steps that a history performs for each action. The store calls a history
// for only one action at a time, so a decision that is made under the timeline's lock is still
// valid after a reducer has run. The lock exists for other threads, which can read the history at
// any time. Reducers and the user's closures run outside the lock, and values that are no longer
// kept are released outside the lock.

extension History {
  /// Reduces an action and records it, or performs an action that addresses this history.
  func reduce(_ state: inout State, _ action: any Action, with reducer: MutatingReducer<State>) {
    if Recomputation.isRunning { return reducer(&state, action) }
    let type = ObjectIdentifier(type(of: action))
    if type == ObjectIdentifier(HistoryAction.self) || type == ObjectIdentifier(HistoryImport.self) {
      return reduceHistoryAction(&state, action, with: reducer)
    }
    let (admission, isAligned) = timeline.withLock { timeline in
      timeline.begin { Kept(state) }
      return (timeline.admit(), timeline.isAligned)
    }
    if isAligned, admission != .refused { amendWithAlignment(&state, with: reducer) }
    switch admission {
    case .refused: return
    case .recorded where !isNeverRecorded(action) && records.matches(action):
      reduceRecorded(&state, action, with: reducer)
    case .recorded, .unrecorded:
      if let runs = runsOfFeatures(changedBy: action) {
        reduceFeatureChange(&state, action, of: runs, with: reducer)
      } else {
        reduceUnrecorded(&state, action, with: reducer)
      }
    }
  }

  /// Returns a Boolean value that indicates whether no filter selects an action for the record.
  ///
  /// An undo must not undo a failed attempt, and must not attach or detach a feature.
  private func isNeverRecorded(_ action: any Action) -> Bool {
    ObjectIdentifier(type(of: action)) == ObjectIdentifier(WorkAttemptFailed.self) || isFeatureChange(action)
  }

  private func reduceRecorded(
    _ state: inout State, _ action: any Action, with reducer: MutatingReducer<State>
  ) {
    let (left, previous) = timeline.withLock { timeline in
      (timeline.leaveForRecording { Kept(state) }, timeline.openAction)
    }
    withExtendedLifetime(left) {}
    let joinsStep = previous.map { grouping.joins($0, action) } ?? false
    var note: KeptNote?
    if noting.isOn {
      note = noting.note(action) { reducer(&state, action) }
    } else {
      reducer(&state, action)
    }
    if timeline.withLock({ $0.alignments != FeatureRuns.alignmentCount }) { alignKeptState(with: reducer) }
    let (undone, forgotten, pointToFoldTo) = timeline.withLock { timeline in
      (
        timeline.record(action, joiningStep: joinsStep, note: note), timeline.foldToKept(),
        timeline.pointToFoldTo
      )
    }
    withExtendedLifetime((undone, forgotten)) {}
    if let pointToFoldTo { fold(to: pointToFoldTo, with: reducer) }
  }

  func reduceUnrecorded(
    _ state: inout State, _ action: any Action, with reducer: MutatingReducer<State>
  ) {
    if policy != .undoneWithEntry {
      return reducePreserved(&state, action, with: reducer)
    }
    // An action that changes nothing must not make the current point a fixed point, because the
    // state of a fixed point can no longer be recomputed. The comparison requires a copy of the
    // state. If the point is already fixed, the comparison is unnecessary, so the state is
    // changed in place without a copy.
    if canCompare, timeline.withLock({ !$0.isCurrentFixed }) {
      let before = state
      reducer(&state, action)
      if areDynamicallyEqual(before, state) == true { return }
      withExtendedLifetime(timeline.withLock { $0.amend() }) {}
    } else {
      withExtendedLifetime(timeline.withLock { $0.amend() }) {}
      reducer(&state, action)
    }
  }

  private func reducePreserved(
    _ state: inout State, _ action: any Action, with reducer: MutatingReducer<State>
  ) {
    let type = ObjectIdentifier(type(of: action))
    let preservation = timeline.withLock { $0.preservation(of: type) }
    // A comparison requires a copy of the state, so the reducer copies each array or dictionary
    // that it changes. To avoid the cost of a copy, an action is kept without a comparison if
    // other unrecorded actions already follow the newest entry and the action's type is known to
    // change the state.
    // The equality of states ignores the number of attachments of a feature.
    if preservation == .ifChanging, canCompare, !isFeatureChange(action) {
      let before = state
      reducer(&state, action)
      if areDynamicallyEqual(before, state) == true { return }
    } else {
      reducer(&state, action)
    }
    let (stale, settlement) = timeline.withLock { ($0.preserve(action, of: type), $0.settlement) }
    withExtendedLifetime(stale) {}
    if let settlement { settle(settlement, with: reducer) }
  }

  @inline(never)
  private func settle(_ settlement: HistoryTimeline.Settlement, with reducer: MutatingReducer<State>) {
    switch settlement {
    case .fold(let point): fold(to: point, isEviction: true, with: reducer)
    case .forget: withExtendedLifetime(timeline.withLock { $0.forget(isEviction: true) }) {}
    }
  }

  // MARK: Features

  /// Reduces an action that attaches or detaches a feature, and keeps the object that attaches the
  /// features if a reducer that follows the history contains them.
  @inline(never)
  private func reduceFeatureChange(
    _ state: inout State, _ action: any Action, of runs: FeatureRuns, with reducer: MutatingReducer<State>
  ) {
    let before = runs.lastChange
    // If the action before has replaced the state, detaching a feature can restore the replacement.
    // The comparison of the states must show the difference.
    attachFeatures(in: &state, for: .lasting, with: reducer)
    reduceUnrecorded(&state, action, with: reducer)
    if runs.lastChange == before { return }
    features.withLock { features in
      if !features.contains(where: { $0 === runs }) { features.append(runs) }
    }
  }

  /// Attaches the features of the store in a state that the history has restored.
  private func alignFeatures(in state: inout State, with reducer: MutatingReducer<State>) {
    let isAligned = ReductionByFeatures.follow { attachFeatures(in: &state, for: .restoring, with: reducer) }
    // If the history preserves unrecorded actions, a replay attaches the features.
    if policy == .undoneWithEntry { timeline.withLock { $0.isAligned = isAligned } }
  }

  /// Amends the current point with the features that were attached or detached in its state, before
  /// another action changes the state.
  @inline(never)
  private func amendWithAlignment(_ state: inout State, with reducer: MutatingReducer<State>) {
    attachFeatures(in: &state, for: .lasting, with: reducer)
    let invalid = timeline.withLock { timeline in
      timeline.isAligned = false
      return timeline.amend()
    }
    withExtendedLifetime(invalid) {}
  }

  /// Attaches features in the kept state of the current point, before the action is recorded that
  /// has attached them.
  ///
  /// The action before it has replaced the state. A replay can start with the kept state, and must
  /// reduce the new action with the same features.
  @inline(never)
  private func alignKeptState(with reducer: MutatingReducer<State>) {
    let unaligned = timeline.withLock { $0.isKeptStateFollowedByUnrecorded ? nil : $0[$0.position].state }
    if var state = unaligned?.state(of: State.self), features.withLock({ !$0.isEmpty }) {
      attachFeatures(in: &state, for: .lasting, with: reducer)
      let aligned = Kept(state)
      timeline.withLock { $0[$0.position].state = aligned }
    }
    timeline.withLock { $0.alignments = FeatureRuns.alignmentCount }
  }

  /// Attaches exactly the features of the store in a state.
  private func attachFeatures(
    in state: inout State, for purpose: FeatureAlignmentPurpose, with reducer: MutatingReducer<State>
  ) {
    let features = features.withLock { $0 }
    if features.isEmpty { return }
    Recomputation.run {
      for runs in features { reducer(&state, FeatureAlignment(runs: runs, purpose: purpose)) }
    }
  }

  // MARK: The history's own actions

  /// Performs a history action if the action addresses this history.
  @inline(never)
  private func reduceHistoryAction(
    _ state: inout State, _ action: any Action, with reducer: MutatingReducer<State>
  ) {
    timeline.withLock { $0.begin { Kept(state) } }
    if let action = action as? HistoryAction, action.history == name {
      ReductionByPlugin.wasMade()
      // The action before can have replaced the state. A replay of that action attaches the
      // features.
      attachFeatures(in: &state, for: .leaving, with: reducer)
      perform(action.command, &state, with: reducer)
    } else if let action = action as? HistoryImport, action.history == name,
      let replay = action.contents as? HistoryReplay<State>
    {
      ReductionByPlugin.wasMade()
      load(replay, &state, with: reducer)
    } else {
      return reduceUnrecorded(&state, action, with: reducer)
    }
    alignFeatures(in: &state, with: reducer)
  }

  private func perform(
    _ command: HistoryAction.Command, _ state: inout State, with reducer: MutatingReducer<State>
  ) {
    switch command {
    case .undo: move(to: { $0.positionBeforeStep }, &state, with: reducer)
    case .redo: move(to: { $0.positionBehindStep }, &state, with: reducer)
    case .jump(let position):
      let target = { (timeline: HistoryTimeline) in
        (0...timeline.entries.count).contains(position) ? position : nil
      }
      move(to: target, isLooking: true, &state, with: reducer)
    case .jumpToEntry(let id): jump(to: id, &state, with: reducer)
    case .skip(let id): setSkipped(id, true, &state, with: reducer)
    case .unskip(let id): setSkipped(id, false, &state, with: reducer)
    case .commit: withExtendedLifetime(timeline.withLock { $0.forget() }) {}
    case .rollback: rollBack(&state, with: reducer)
    case .reset: reset(&state)
    case .pause: timeline.withLock { $0.isPaused = true }
    case .resume: timeline.withLock { $0.isPaused = false }
    case .lock: timeline.withLock { $0.isLocked = true }
    case .unlock: timeline.withLock { $0.isLocked = false }
    }
  }

  func move(
    to target: (HistoryTimeline) -> Int?, isLooking: Bool = false, _ state: inout State,
    with reducer: MutatingReducer<State>
  ) {
    let path = timeline.withLock { timeline -> HistoryTimeline.Path? in
      guard let target = target(timeline) else { return nil }
      timeline.leave { Kept(state) }
      if isLooking { timeline.isLookingBack = true }
      return timeline.path(to: target, usingCurrent: true)
    }
    if let path { follow(path, &state, with: reducer) }
  }

  func jump(
    to id: HistoryEntry.ID, _ state: inout State, with reducer: MutatingReducer<State>
  ) {
    let (forgotten, path) = timeline.withLock {
      timeline -> (HistoryTimeline.Forgotten?, HistoryTimeline.Path?) in
      let isCurrent = timeline.position(of: id) != nil
      guard isCurrent || timeline.setAsideEntry(id) != nil else { return (nil, nil) }
      timeline.leave { Kept(state) }
      timeline.isLookingBack = true
      if isCurrent {
        return (nil, timeline.position(of: id).map { timeline.path(to: $0, usingCurrent: true) })
      }
      guard let (forgotten, stays) = timeline.restoreBranch(of: id) else { return (nil, nil) }
      return (forgotten, timeline.position(of: id).map { timeline.path(to: $0, usingCurrent: stays) })
    }
    withExtendedLifetime(forgotten) {}
    if let path { follow(path, &state, with: reducer) }
  }

  func setSkipped(
    _ id: HistoryEntry.ID, _ isSkipped: Bool, _ state: inout State, with reducer: MutatingReducer<State>
  ) {
    let (invalid, path) = timeline.withLock { timeline -> ([any KeptState], HistoryTimeline.Path?) in
      guard let change = timeline.setSkipped(id, isSkipped) else { return ([], nil) }
      return (
        change.invalid,
        change.includesCurrent ? timeline.path(to: timeline.position, usingCurrent: false) : nil
      )
    }
    withExtendedLifetime(invalid) {}
    if let path { follow(path, &state, with: reducer) }
  }

  func rollBack(_ state: inout State, with reducer: MutatingReducer<State>) {
    let path = timeline.withLock { $0.path(to: 0, usingCurrent: true) }
    if let start = path.state { state = start.state(of: State.self) }
    _ = path.follow(&state, with: reducer)
    withExtendedLifetime(timeline.withLock { $0.forget() }) {}
  }

  func reset(_ state: inout State) {
    let (first, forgotten) = timeline.withLock { ($0.first, $0.forget()) }
    if let first { state = first.state(of: State.self) }
    withExtendedLifetime(forgotten) {}
  }

  /// Replaces the record with an imported record.
  func load(
    _ replay: HistoryReplay<State>, _ state: inout State, with reducer: MutatingReducer<State>
  ) {
    let contents = replay.contents
    let forgotten = timeline.withLock { timeline in
      timeline.replace(
        base: Kept(contents.base), entries: contents.entries, position: contents.position,
        unrecorded: contents.unrecorded)
    }
    withExtendedLifetime(forgotten) {}
    if policy == .undoneWithEntry { fixAmendedPoints(with: reducer) }
    let path = timeline.withLock { $0.path(to: contents.position, usingCurrent: false) }
    follow(path, &state, with: reducer)
    let outcome = HistoryImport.Outcome(
      arrived: replay.isExported(state), unknownActions: contents.unknownActions)
    timeline.withLock { $0.lastImport = outcome }
  }

  /// Computes the states after imported unrecorded actions, for a history that does not keep
  /// such actions.
  func fixAmendedPoints(with reducer: MutatingReducer<State>) {
    while let path = timeline.withLock({ timeline in
      timeline.firstAmendedPoint.map { timeline.path(to: $0, usingCurrent: false, includingLater: false) }
    }) {
      guard var state = path.state?.state(of: State.self) else { return }
      _ = path.follow(&state, with: reducer)
      let kept = Kept(state)
      timeline.withLock { $0.fix(path.target, state: kept) }
    }
  }

  // MARK: Recomputing

  /// Sets the current point to the end of a path, and sets the state to the state at that point.
  func follow(
    _ path: HistoryTimeline.Path, _ state: inout State, with reducer: MutatingReducer<State>
  ) {
    if let start = path.state { state = start.state(of: State.self) }
    let kept = path.follow(&state, with: reducer)
    timeline.withLock { $0.arrive(at: path.target, keeping: kept) }
  }

  /// Computes the state of a point, and makes the point the base.
  @inline(never)
  func fold(to point: Int, isEviction: Bool = false, with reducer: MutatingReducer<State>) {
    let path = timeline.withLock { $0.path(to: point, usingCurrent: false, includingLater: false) }
    guard var state = path.state?.state(of: State.self) else { return }
    _ = path.follow(&state, with: reducer)
    let base = Kept(state)
    withExtendedLifetime(timeline.withLock { $0.fold(to: point, base: base, isEviction: isEviction) }) {}
  }
}

extension HistoryTimeline.Path {
  /// Reduces the actions on the path.
  ///
  /// - Returns: The states on the path that the history must keep.
  fileprivate func follow<State: Sendable>(
    _ state: inout State, with reducer: MutatingReducer<State>
  ) -> [(point: Int, state: any KeptState)] {
    Recomputation.run {
      var kept: [(point: Int, state: any KeptState)] = []
      for step in steps {
        if let point = step.keptPoint { kept.append((point, Kept(state))) }
        if let action = step.action { reducer(&state, action) }
      }
      return kept
    }
  }
}
