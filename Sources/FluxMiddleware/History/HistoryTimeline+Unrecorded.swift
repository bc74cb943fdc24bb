import FluxCore

// This file contains the methods that handle the unrecorded actions that a timeline preserves. As
// in ``HistoryTimeline``, the members that are called for each action, and that only read the
// timeline, are inlined.

extension HistoryTimeline {
  /// A decision about whether to keep an unrecorded action.
  enum Preservation: Sendable {
    /// The action is not kept, because there are no entries and the action changes the base
    /// permanently.
    case unneeded
    /// The action is kept if it changes the state.
    case ifChanging
    /// The action is kept.
    case always
  }

  /// The entries to remove when there are too many unrecorded actions.
  enum Settlement: Sendable {
    /// A given number of the oldest entries become part of the base.
    case fold(to: Int)
    /// All entries become part of the base.
    case forget
  }

  /// Returns the indices of the unrecorded actions between the entry before a point and the next
  /// entry.
  func gap(behind point: Int) -> Range<Int> {
    if unrecorded.isEmpty { return 0..<0 }
    let start = point == 0 ? 0 : unrecorded.firstIndex(behind: entries[point - 1].id)
    return
      start..<(point < entries.count ? unrecorded.firstIndex(behind: entries[point].id) : unrecorded.count)
  }

  /// Returns whether unrecorded actions follow the entry before a point.
  @inline(__always)
  func isAmended(at point: Int) -> Bool {
    !unrecorded.isEmpty && !gap(behind: point).isEmpty
  }

  /// A Boolean value that indicates whether the state of the store is the state of the current
  /// point.
  ///
  /// The value is `false` if unrecorded actions were reduced after the next entry was recorded.
  @inline(__always)
  var hasStateOfPoint: Bool {
    guard position < entries.count, let last = unrecorded.last else { return true }
    return last.behind < entries[position].id
  }

  /// Determines whether to keep an unrecorded action of a given type.
  @inline(__always)
  func preservation(of type: ObjectIdentifier) -> Preservation {
    if entries.isEmpty { return .unneeded }
    return isAmended(at: entries.count) && aside.value.changingTypes.contains(type) ? .always : .ifChanging
  }

  /// Keeps an unrecorded action that has changed the state of the store.
  ///
  /// The method takes O(1) time.
  ///
  /// - Returns: The kept state that is no longer valid, if any.
  mutating func preserve(_ action: any Action, of type: ObjectIdentifier) -> (any KeptState)? {
    changes += 1
    let end = entries.count
    guard end > 0 else { return base.state.take() }
    if !isAmended(at: end) { aside.value.journal.note(.changed(entries[end - 1].id)) }
    if !aside.value.changingTypes.contains(type) { aside.value.changingTypes.insert(type) }
    unrecorded.append(action, behind: HistoryEntry.ID(rawValue: nextID - 1))
    guard !self[end].isFixed, let stale = self[end].state else { return nil }
    self[end].state = nil
    return stale
  }

  /// Keeps the state of the current point before an action is recorded at that point.
  ///
  /// The call moves the unrecorded actions that followed undone entries, so that they follow
  /// the current point.
  ///
  /// - Returns: The values that the timeline no longer keeps.
  mutating func leaveForRecording(_ state: () -> any KeptState) -> Forgotten? {
    if hasStateOfPoint {
      leave(state)
      return nil
    }
    if position > 0, !self[position].isFixed {
      let stale = self[position].state
      self[position].state = state()
      return Forgotten(base: stale)
    }
    // A branch can begin at the base, so the state of the base must not change.
    guard position == 0, !isLookingBack, aside.value.branches.isEmpty else { return nil }
    let stale = base.state
    base.state = state()
    return Forgotten(base: stale, unrecorded: unrecorded.takeFirst(unrecorded.count))
  }

  /// A Boolean value that indicates whether a replay reduces unrecorded actions, starting with the
  /// kept state of the current point, before it reduces the action that is recorded next.
  var isKeptStateFollowedByUnrecorded: Bool {
    guard self[position].isFixed, let last = unrecorded.last else { return false }
    return position == 0 || last.behind >= entries[position - 1].id
  }

  /// The first point that is followed by unrecorded actions.
  var firstAmendedPoint: Int? {
    guard let first = unrecorded.isEmpty ? nil : unrecorded[0].behind else { return nil }
    return entries.firstIndex(from: HistoryEntry.ID(rawValue: first.rawValue + 1))
  }

  /// Makes a point a fixed point, with a state that includes the unrecorded actions before the
  /// next entry.
  mutating func fix(_ point: Int, state: any KeptState) {
    self[point] = Point(state: state, isFixed: true)
    _ = unrecorded.takeFirst(gap(behind: point).upperBound)
  }

  /// The removal that is required because there are too many unrecorded actions, or `nil` if no
  /// removal is required.
  @inline(__always)
  var settlement: Settlement? {
    guard let limit = policy.limit, unrecorded.count > limit else { return nil }
    return settlement(limit: limit)
  }

  private func settlement(limit: Int) -> Settlement {
    // Half of the actions are removed at a time, so that the limit is rarely exceeded.
    let last = unrecorded[unrecorded.count - limit / 2 - 1].behind
    let point = entries.firstIndex(from: HistoryEntry.ID(rawValue: last.rawValue + 1))
    return point < entries.count && point <= position ? .fold(to: point) : .forget
  }
}
