import FluxCore

// This file contains the branches of a timeline: the entries that it sets aside so that a jump
// can return to them.

extension HistoryTimeline {
  /// Entries that were set aside, and that are no longer between the base and the last entry.
  struct Branch: Sendable {
    /// The entry that the branch follows, which can belong to another branch, or `nil` if the
    /// branch follows the base.
    let fork: HistoryEntry.ID?
    var entries: [Entry]
    /// The value of `alterations` in the timeline when the entries were set aside.
    let alterations: Int

    /// Removes and returns the states that can be recomputed from the entry that the branch
    /// follows.
    mutating func invalidate() -> [any KeptState] {
      let stale = entries.prefix { !$0.point.isFixed }.indices
      return stale.compactMap { index in entries[index].point.state.take() }
    }

    func index(of id: HistoryEntry.ID) -> Int? { entries.firstIndex { $0.id == id } }
  }

  var evicted: Int { aside.value.evicted }

  var branches: [HistoryBranch] {
    aside.value.branches.compactMap { branch in
      guard let first = branch.entries.first, let last = branch.entries.last else { return nil }
      return HistoryBranch(fork: branch.fork, first: first.id, last: last.id, count: branch.entries.count)
    }
  }

  /// Returns an entry of a branch, and the position that the entry will have if the branch
  /// becomes current.
  func setAsideEntry(_ id: HistoryEntry.ID) -> (entry: Entry, position: Int)? {
    for branch in aside.value.branches {
      guard let index = branch.index(of: id) else { continue }
      let start = branch.fork.flatMap { position(of: $0) ?? setAsideEntry($0)?.position } ?? 0
      return (branch.entries[index], start + index + 1)
    }
    return nil
  }

  /// Keeps removed entries as a branch.
  ///
  /// - Returns: The entries of the branches that were removed to make room for the new branch.
  mutating func setAside(_ taken: [Entry], behind fork: HistoryEntry.ID?) -> Forgotten {
    appendBranch(taken, behind: fork)
    return removeExcessBranches()
  }

  private mutating func appendBranch(_ taken: [Entry], behind fork: HistoryEntry.ID?) {
    aside.value.branches.append(
      Branch(fork: fork, entries: taken, alterations: aside.value.alterations))
  }

  /// Makes the branch that contains an entry current, and sets aside the entries that the
  /// branch replaces.
  ///
  /// If the current position is after the fork of the branch, the position becomes the position
  /// of the fork.
  ///
  /// - Returns: The values that the history no longer keeps, and whether the position stays the
  ///   same, or `nil` if there is no such branch.
  mutating func restoreBranch(of id: HistoryEntry.ID) -> (forgotten: Forgotten, staysAtPosition: Bool)? {
    guard var branch = aside.value.branches.first(where: { $0.index(of: id) != nil }) else { return nil }
    var (forgotten, stays) = (Forgotten(), true)
    if let fork = branch.fork, position(of: fork) == nil {
      guard let outer = restoreBranch(of: fork) else { return nil }
      (forgotten, stays) = outer
    }
    let forkPoint = branch.fork.flatMap(position) ?? 0
    aside.value.branches.removeAll { $0.index(of: id) != nil }
    let replaced = entries.takeAll(from: forkPoint)
    if !replaced.isEmpty { appendBranch(replaced, behind: branch.fork) }
    if branch.alterations != aside.value.alterations { forgotten.states += branch.invalidate() }
    for entry in branch.entries { entries.append(entry) }
    // After the branch becomes current, different unrecorded actions follow the fork and the last
    // entry.
    for point in [forkPoint, entries.count] where !self[point].isFixed {
      guard let state = self[point].state, isFollowedByUnrecorded(entries[point - 1].id) else { continue }
      forgotten.states.append(state)
      self[point].state = nil
    }
    stays = stays && position <= forkPoint
    position = min(position, forkPoint)
    isStepOpen = false
    changes += 1
    aside.value.journal.noteAll()
    return (forgotten, stays)
  }

  private func isFollowedByUnrecorded(_ id: HistoryEntry.ID) -> Bool {
    unrecorded.last.map { $0.behind >= id } ?? false
  }

  /// Removes the oldest branches until the number of entries in the branches no longer exceeds
  /// the limit.
  ///
  /// The newest branch is never removed.
  mutating func removeExcessBranches() -> Forgotten {
    var count = aside.value.branches.reduce(0) { $0 + $1.entries.count }
    var forgotten = Forgotten()
    while count > limit, aside.value.branches.count > 1 {
      let oldest = aside.value.branches.removeFirst()
      count -= oldest.entries.count
      forgotten.entries += oldest.entries
    }
    aside.value.evicted += forgotten.entries.count
    takeNotes(of: &forgotten)
    forgotten.add(removeUnreachableBranches())
    return forgotten
  }

  /// Removes the branches whose forks cannot be reached from the entries of the timeline.
  ///
  /// - Parameter includingThoseOfBase: A Boolean value that indicates whether the base has
  ///   changed, so that the branches that begin at the old base are also removed.
  mutating func removeUnreachableBranches(includingThoseOfBase: Bool = false) -> Forgotten {
    var lost = Forgotten()
    if aside.value.branches.isEmpty { return lost }
    var isComplete = false
    while !isComplete {
      let branches = aside.value.branches
      let kept = branches.filter { branch in
        guard let fork = branch.fork else { return !includingThoseOfBase }
        return position(of: fork) != nil || branches.contains { $0.index(of: fork) != nil }
      }
      isComplete = kept.count == branches.count
      if isComplete { break }
      let ids = Set(kept.map(\.entries.first?.id))
      for branch in branches where !ids.contains(branch.entries.first?.id) { lost.entries += branch.entries }
      aside.value.branches = kept
    }
    aside.value.evicted += lost.entries.count
    takeNotes(of: &lost)
    return lost
  }
}

/// A group of entries that a history set aside because an action was recorded after a jump into
/// the past.
///
/// A jump to an entry of the branch makes the branch current again, and sets aside the entries
/// that the branch replaces.
///
/// If the branches contain more entries in total than the limit of the history, the history
/// removes the oldest branches, but always keeps the newest branch. The history also removes a
/// branch when its ``fork`` entry no longer exists. ``HistoryStatus/evicted`` counts the removed
/// entries.
public struct HistoryBranch: Equatable, Identifiable, Sendable {
  /// The entry that the branch follows, or `nil` if the branch follows the base.
  public let fork: HistoryEntry.ID?
  /// The oldest entry of the branch.
  public let first: HistoryEntry.ID
  /// The newest entry of the branch.
  public let last: HistoryEntry.ID
  /// The number of entries in the branch.
  public let count: Int

  /// The oldest entry of the branch.
  public var id: HistoryEntry.ID { first }
}
