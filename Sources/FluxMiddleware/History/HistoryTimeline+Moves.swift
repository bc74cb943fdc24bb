import FluxCore

// This file contains the methods that move the position of a timeline, or remove entries from
// it.

extension HistoryTimeline {
  // MARK: The limit

  /// Moves the base to the last excess entry after which the state is kept, if there is such an
  /// entry.
  ///
  /// - Returns: The values that the history no longer keeps, if any.
  mutating func foldToKept() -> Forgotten? {
    let kept = entries.count > limit ? lastKept(upTo: entries.count - limit) : 0
    guard kept > 0, let state = self[kept].state else { return nil }
    return fold(to: kept, base: state, isFixedState: self[kept].isFixed)
  }

  /// The point that must become the base although its state is not kept, or `nil` if fewer than
  /// `stride` entries exceed the limit.
  @inline(__always)
  var pointToFoldTo: Int? {
    let excess = entries.count - limit
    return excess >= stride ? excess : nil
  }

  /// Makes a point the base.
  ///
  /// The point must not be after the current point.
  ///
  /// - Parameters:
  ///   - base: The state of the point.
  ///   - isFixedState: A Boolean value that indicates whether the state belongs to a fixed
  ///     point, and therefore does not include the unrecorded actions after the point.
  ///   - isEviction: A Boolean value that indicates whether the entries are removed because
  ///     there are too many unrecorded actions.
  /// - Returns: The values that the timeline no longer keeps.
  mutating func fold(
    to point: Int, base new: any KeptState, isFixedState: Bool = false, isEviction: Bool = false
  ) -> Forgotten {
    let included = isFixedState ? gap(behind: point).lowerBound : gap(behind: point).upperBound
    var forgotten = Forgotten(base: base.state, entries: entries.takeFirst(point))
    takeNotes(of: &forgotten)
    if included > 0 { forgotten.unrecorded = unrecorded.takeFirst(included) }
    base = Point(state: new, isFixed: true)
    position -= point
    changes += 1
    if isEviction { aside.value.evicted += point }
    if aside.value.oldestFork <= forgotten.entries.last?.id.rawValue ?? 0 {
      forgotten.add(removeUnreachableBranches(includingThoseOfBase: true))
    }
    return forgotten
  }

  // MARK: Moves

  /// A Boolean value that indicates whether there is a step to undo.
  var canUndo: Bool { entries[..<position].last(where: \.hasEffect) != nil }

  /// A Boolean value that indicates whether there is a step to redo.
  var canRedo: Bool { entries[position...].contains(where: \.hasEffect) }

  /// The position to which an undo moves, or `nil` if there is nothing to undo.
  var positionBeforeStep: Int? {
    guard let last = entries[..<position].lastIndex(where: \.hasEffect) else { return nil }
    var first = last
    while first > 0, entries[first - 1].step == entries[last].step { first -= 1 }
    return first
  }

  /// The position to which a redo moves, or `nil` if there is nothing to redo.
  var positionBehindStep: Int? {
    guard let next = entries[position...].firstIndex(where: \.hasEffect) else { return nil }
    return entries[next...].prefix { $0.step == entries[next].step }.endIndex
  }

  /// Returns the position after an entry.
  func position(of id: HistoryEntry.ID) -> Int? {
    let index = entries.firstIndex(from: id)
    return index < entries.count && entries[index].id == id ? index + 1 : nil
  }

  /// Returns the path to a point from the nearest preceding point with a known state, or from
  /// the point itself if its state is known.
  ///
  /// If `usingCurrent` is `true`, the state of the store can also be a known state.
  ///
  /// The method takes O(n) time for a path with n steps.
  ///
  /// - Parameters:
  ///   - usingCurrent: A Boolean value that indicates whether the path can begin at the current
  ///     point, with the state of the store.
  ///   - includingLater: A Boolean value that indicates whether the path includes the unrecorded
  ///     actions that were reduced after the next entry was recorded.
  func path(to target: Int, usingCurrent: Bool, includingLater: Bool = true) -> Path {
    if usingCurrent, position == target { return Path(steps: [], target: target) }
    var start = lastKept(upTo: target)
    let isCurrent = usingCurrent && hasStateOfPoint && (start...target).contains(position)
    if isCurrent { start = position }
    let isBeforeGap = !isCurrent && self[start].isFixed
    var next = isBeforeGap ? gap(behind: start).lowerBound : gap(behind: start).upperBound
    var lastKept = lastKept(upTo: start)
    var steps: [Path.Step] = []
    for point in start..<target {
      let entry = entries[point]
      let end = unrecorded.isEmpty ? 0 : unrecorded.firstIndex(behind: entry.id)
      let isAmended = next < end
      appendUnrecorded(from: &next, to: end, to: &steps)
      let keeps = point > start && (isAmended || point - lastKept >= stride)
      if keeps { lastKept = point }
      steps.append(Path.Step(keptPoint: keeps ? point : nil, action: entry.isLeftOut ? nil : entry.action))
    }
    let end = includingLater ? unrecorded.count : gap(behind: target).upperBound
    appendUnrecorded(from: &next, to: end, to: &steps)
    return Path(state: isCurrent ? nil : self[start].state, steps: steps, target: target)
  }

  private func appendUnrecorded(from next: inout Int, to end: Int, to steps: inout [Path.Step]) {
    guard next < end else { return }
    for index in next..<end {
      if let action = unrecorded[index].action, !(action is UnknownAction) {
        steps.append(Path.Step(action: action))
      }
    }
    next = end
  }

  /// Sets the current point to the end of a path.
  ///
  /// The state of the store must already be the state at the end of the path.
  ///
  /// - Parameter kept: The states to keep, together with their points.
  mutating func arrive(at target: Int, keeping kept: [(point: Int, state: any KeptState)]) {
    for (point, state) in kept { self[point].state = state }
    position = target
    changes += 1
    isStepOpen = false
    if target == entries.count { isLookingBack = false }
  }

  /// Skips or unskips the action of an entry.
  ///
  /// - Returns: The states that are no longer valid, and whether the store's state is one of
  ///   them, or `nil` if nothing changes.
  mutating func setSkipped(
    _ id: HistoryEntry.ID, _ isSkipped: Bool
  ) -> (invalid: [any KeptState], includesCurrent: Bool)? {
    guard let position = position(of: id), entries[position - 1].isSkipped != isSkipped else { return nil }
    let index = position - 1
    entries[index].isSkipped = isSkipped
    aside.value.alterations += 1
    changes += 1
    aside.value.journal.note(.changed(id))
    isStepOpen = false
    let affected = entries[index...].prefix { !$0.point.isFixed }.indices
    return (invalidate(from: position), affected.contains(self.position - 1))
  }

  /// Discards all entries, so that the state of the store becomes the base.
  ///
  /// - Parameter isEviction: A Boolean value that indicates whether the entries are removed
  ///   because there are too many unrecorded actions.
  /// - Returns: The values that the timeline no longer keeps.
  mutating func forget(isEviction: Bool = false) -> Forgotten {
    let forgotten = Forgotten(
      base: base.state, entries: entries.takeAll(from: 0) + aside.value.branches.flatMap(\.entries),
      notes: Array(notes.values), unrecorded: unrecorded.takeFirst(unrecorded.count))
    if isEviction { aside.value.evicted += forgotten.entries.count }
    base = Point(state: nil, isFixed: true)
    position = 0
    changes += 1
    aside.value.journal.noteAll()
    aside.value.notes = [:]
    aside.value.branches = []
    isStepOpen = false
    isLookingBack = false
    return forgotten
  }

  /// Replaces the record with an imported record.
  ///
  /// After the call, the store's state is not yet the state at the imported position.
  ///
  /// - Returns: The values that the timeline no longer keeps.
  mutating func replace(
    base: any KeptState, entries: [Entry], position: Int, unrecorded: [Int: [any Action]]
  ) -> Forgotten {
    let forgotten = forget()
    self.base.state = base
    self.entries = HistoryEntries(entries)
    self.position = position
    isLookingBack = position < entries.count
    for point in unrecorded.keys.sorted() {
      let id = point == 0 ? HistoryEntry.ID(rawValue: 0) : entries[point - 1].id
      for action in unrecorded[point] ?? [] { self.unrecorded.append(action, behind: id) }
    }
    nextID = max(nextID, (entries.last?.id.rawValue ?? 0) + 1)
    return forgotten
  }
}
