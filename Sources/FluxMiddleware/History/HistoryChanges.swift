import FluxCore

/// What has changed in a history's record since it was read last: ``History/changes(since:)``.
///
/// To bring what is known of the entries up to date: with ``isWhole`` forget all of them; forget those before
/// ``first``; forget those behind ``keptThrough``, if that is not `nil`; then take in ``entries``, each in the
/// place of the one with its id or at the end.
public struct HistoryChanges: Sendable {
  /// Whether ``entries`` are all that there are, and not only what has changed.
  public let isWhole: Bool
  /// The entries that came, and those that were skipped, put back or amended, in ascending order of their ids.
  public let entries: [HistoryEntry]
  /// The oldest entry that there is; when there is none, the id that the next one gets.
  public let first: HistoryEntry.ID
  /// The last of the known entries that is still there; 0 when none is, `nil` when none behind was lost.
  public let keptThrough: HistoryEntry.ID?
  /// Where the history stands.
  public let status: HistoryStatus
  /// To ask the next time with.
  public let revision: HistoryRevision
}

/// A moment of a history's record.
///
/// Equal when nothing has happened to the record in between. Those of two histories are never equal.
public struct HistoryRevision: Hashable, Sendable {
  fileprivate let timeline: HistoryTimeline.Identity
  fileprivate let changes: Int
  fileprivate let edits: Int
  fileprivate let nextID: Int
}

/// Where a history stands, without its entries.
public struct HistoryStatus: Sendable {
  /// How many entries are done.
  public let position: Int
  /// The entry that the state stands behind; `nil` at the base.
  public let current: HistoryEntry.ID?
  /// Whether there is a step to be undone.
  public let canUndo: Bool
  /// Whether there is a step to be redone.
  public let canRedo: Bool
  /// Whether actions are reduced without being recorded.
  public let isPaused: Bool
  /// Whether only a history's actions can change the state.
  public let isLocked: Bool
  /// How many actions were turned away because the history was locked, in all.
  public let refused: Int
  /// The branches that jumps into the past have left, the oldest first.
  public let branches: [HistoryBranch]
  /// The number of entries that the history removed to hold the bounds on unrecorded actions and branches.
  public let evicted: Int
}

extension History {
  /// Where the history stands.
  ///
  /// O(1) for each branch, but for entries that are skipped: as ``canUndo`` and ``canRedo``.
  public var status: HistoryStatus {
    timeline.withLock { $0.status }
  }

  /// The moment of the record as it is now.
  ///
  /// O(1).
  public var revision: HistoryRevision {
    timeline.withLock { $0.revision }
  }

  /// What has changed in the record since a revision, for those who show it while it grows.
  ///
  /// ```swift
  /// var known: HistoryRevision?
  /// let changes = history.changes(since: known)
  /// known = changes.revision
  /// ```
  ///
  /// O(k log n) for k entries that have come or changed, of n. Without a revision, or with one of another
  /// history, or before a commit, a rollback, a reset, an import or many hundreds of changes to entries, all
  /// entries are told: O(n).
  ///
  /// Actions wait while it reads up to a hundred changes, or a quarter of n if that is more. Of more changes,
  /// and of all entries, it reads outside of any lock, as ``History`` explains at *Reading*.
  public func changes(since revision: HistoryRevision?) -> HistoryChanges {
    // To share the record for a few entries costs more than it saves: the next action might copy it all.
    let few = timeline.withLock { $0.hasFewChanges(since: revision) ? $0.changes(since: revision) : nil }
    return few ?? timeline.withLock { $0 }.changes(since: revision)
  }

  /// Returns an entry by its id, or `nil` if it is not there anymore.
  ///
  /// An entry of a ``HistoryBranch`` has the position that it takes when a jump returns to the branch.
  ///
  /// O(log n) for n entries, and O(n) for an entry of a branch.
  public func entry(_ id: HistoryEntry.ID) -> HistoryEntry? {
    timeline.withLock { timeline in
      if let position = timeline.position(of: id) { return timeline.entry(before: position) }
      return timeline.setAsideEntry(id).map { timeline.entry($0.entry, at: $0.position, isAmended: false) }
    }
  }
}

extension HistoryTimeline {
  var status: HistoryStatus {
    HistoryStatus(
      position: position, current: position == 0 ? nil : entries[position - 1].id,
      canUndo: canUndo, canRedo: canRedo, isPaused: isPaused, isLocked: isLocked, refused: refused,
      branches: branches, evicted: evicted)
  }

  var revision: HistoryRevision {
    HistoryRevision(timeline: identity, changes: changes, edits: journal.count, nextID: nextID)
  }

  /// What has become of entries since a revision; `nil` if that is not known, or it is another history's.
  private func edits(since revision: HistoryRevision) -> ArraySlice<HistoryJournal.Edit>? {
    revision.timeline == identity ? journal.edits(since: revision.edits) : nil
  }

  /// Whether so little has changed that it is read sooner than all entries are copied.
  fileprivate func hasFewChanges(since revision: HistoryRevision?) -> Bool {
    guard let revision, let edits = edits(since: revision) else { return false }
    return nextID - revision.nextID + edits.count <= max(100, entries.count / 4)
  }

  /// The entry that leads to a point.
  func entry(before point: Int) -> HistoryEntry {
    entry(entries[point - 1], at: point, isAmended: isAmended(at: point))
  }

  fileprivate func entry(_ entry: Entry, at point: Int, isAmended: Bool) -> HistoryEntry {
    HistoryEntry(
      id: entry.id, action: entry.action, position: point, isSkipped: entry.isSkipped,
      isAmended: isAmended || entry.point.isFixed, step: entry.step, note: notes[entry.id]?.note)
  }

  fileprivate func changes(since revision: HistoryRevision?) -> HistoryChanges {
    guard let revision, let edits = edits(since: revision) else {
      return changes(isWhole: true, entries: entries.indices.map { entry(before: $0 + 1) }, keptThrough: nil)
    }
    var keptThrough: HistoryEntry.ID?
    var changed: Set<HistoryEntry.ID> = []
    for edit in edits {
      switch edit {
      case .cut(let id) where id.rawValue < revision.nextID - 1: keptThrough = min(id, keptThrough ?? id)
      case .cut: continue
      case .changed(let id): changed.insert(id)
      }
    }
    let known = changed.filter { $0.rawValue < revision.nextID }.sorted().compactMap(position)
    let new = entries.firstIndex(from: HistoryEntry.ID(rawValue: revision.nextID))
    return changes(
      isWhole: false, entries: (known + (new..<entries.count).map { $0 + 1 }).map(entry),
      keptThrough: keptThrough)
  }

  private func changes(
    isWhole: Bool, entries: [HistoryEntry], keptThrough: HistoryEntry.ID?
  ) -> HistoryChanges {
    HistoryChanges(
      isWhole: isWhole, entries: entries, first: self.entries.first?.id ?? HistoryEntry.ID(rawValue: nextID),
      keptThrough: keptThrough, status: status, revision: revision)
  }
}
