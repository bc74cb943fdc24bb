package import FluxCore

// A checkpoint:
//
//     {
//       "format": "flux-checkpoint", "version": 1,
//       "history": …, "initial": …, "next": 5, "evicted": 0,
//       "branches": [ { "fork": 1, "entries": [ … ] } ],
//       "unrecorded": [ { "behind": 4, "action": "Receive", "payload": { … } } ],
//       "unknown": [ "Shuffle" ], "flags": [ "paused" ]
//     }
//
// "history" is an exported history without unrecorded actions. "initial" is the state to which a
// reset returns. "unknown" contains the names of actions that the history keeps but does not
// reduce, so that an action whose registration was removed is not mistaken for one of them.

/// A property of a history that its entries do not show.
enum HistoryFlag: String, Codable, CaseIterable {
  case paused, locked
  /// The position is in the past because of a jump.
  case looking
  /// The next action can belong to the step of the last entry.
  case open
}

/// Everything that determines the effects of later actions on a history.
///
/// In contrast to an export, a checkpoint contains the branches, the state to which a reset
/// returns, and whether the history is paused or locked.
package struct HistoryCheckpoint<State: Codable & Sendable>: Sendable {
  let contents: HistoryContents<State>
  let initial: State?
  let nextID: Int
  let evicted: Int
  let branches: [HistoryTimeline.Branch]
  /// The unrecorded actions, each with the last entry that was recorded before the action.
  let unrecorded: [(behind: HistoryEntry.ID, action: any Action)]
  let flags: Set<HistoryFlag>
}

extension History where State: Codable {
  /// Returns a checkpoint of the history, for a store whose current state is `state`.
  package func checkpoint(with state: State) -> HistoryCheckpoint<State> {
    let timeline = timeline.withLock { $0 }
    var contents = timeline.contents(with: state)
    contents.unrecorded = [:]
    return HistoryCheckpoint(
      contents: contents, initial: timeline.first?.state(of: State.self), nextID: timeline.nextID,
      evicted: timeline.evicted, branches: timeline.aside.value.branches,
      unrecorded: (0..<timeline.unrecorded.count).compactMap { index in
        let element = timeline.unrecorded[index]
        return element.action.map { (element.behind, $0) }
      }, flags: timeline.flags)
  }

  /// Replaces the record by a checkpoint, and returns the state at its position.
  package func restore(
    _ checkpoint: HistoryCheckpoint<State>, with reducer: MutatingReducer<State>
  ) -> State {
    let contents = checkpoint.contents
    let (base, initial) = (Kept(contents.base), checkpoint.initial.map { Kept($0) })
    let forgotten = timeline.withLock { timeline in
      let forgotten = timeline.replace(
        base: base, entries: contents.entries, position: contents.position, unrecorded: [:])
      timeline.first = initial
      timeline.nextID = checkpoint.nextID
      timeline.aside.value.branches = checkpoint.branches
      timeline.aside.value.evicted = checkpoint.evicted
      for (behind, action) in checkpoint.unrecorded { timeline.unrecorded.append(action, behind: behind) }
      return forgotten
    }
    withExtendedLifetime(forgotten) {}
    if policy == .undoneWithEntry { fixAmendedPoints(with: reducer) }
    var state = contents.state
    let path = timeline.withLock { $0.path(to: contents.position, usingCurrent: false) }
    follow(path, &state, with: reducer)
    timeline.withLock { $0.flags = checkpoint.flags }
    return state
  }
}

extension HistoryTimeline {
  fileprivate var flags: Set<HistoryFlag> {
    get {
      let all: [(HistoryFlag, Bool)] = [
        (.paused, isPaused), (.locked, isLocked), (.looking, isLookingBack), (.open, isStepOpen),
      ]
      return Set(all.filter(\.1).map(\.0))
    }
    set {
      isPaused = newValue.contains(.paused)
      isLocked = newValue.contains(.locked)
      isLookingBack = newValue.contains(.looking)
      isStepOpen = newValue.contains(.open)
    }
  }
}
