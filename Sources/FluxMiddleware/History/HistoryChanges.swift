import FluxCore

/// The changes to a history's record since an earlier revision, as returned by
/// ``History/changes(since:)``.
///
/// To update a copy of the entries, follow these steps:
///
/// 1. If ``isWhole`` is `true`, remove all entries from the copy.
/// 2. Remove the entries before ``first``.
/// 3. If ``keptThrough`` is not `nil`, remove the entries after that entry.
/// 4. For each entry of ``entries``, replace the entry that has the same id. If the copy contains
///    no entry with that id, append the entry.
public struct HistoryChanges: Sendable {
  /// A Boolean value that indicates whether ``entries`` contains all entries instead of only the
  /// changed entries.
  public let isWhole: Bool
  /// The entries that were added, skipped, unskipped, or amended, in ascending order of their
  /// ids.
  public let entries: [HistoryEntry]
  /// The id of the oldest entry, or the id that the next entry will receive if there is no
  /// entry.
  public let first: HistoryEntry.ID
  /// The last remaining entry from the earlier revision, if entries were removed at the end.
  ///
  /// The value is 0 if no entry remains, and `nil` if no entry was removed at the end.
  public let keptThrough: HistoryEntry.ID?
  /// The status of the history, including its position.
  public let status: HistoryStatus
  /// The revision to pass to the next call of ``History/changes(since:)``.
  public let revision: HistoryRevision
}

/// A revision of a history's record.
///
/// Two revisions are equal if the record has not changed between them. Revisions of different
/// histories are never equal.
public struct HistoryRevision: Hashable, Sendable {
  fileprivate let timeline: HistoryTimeline.Identity
  fileprivate let changes: Int
  fileprivate let edits: Int
  fileprivate let nextID: Int
}

/// The status of a history, without its entries.
public struct HistoryStatus: Sendable {
  /// The number of entries that are done, from 0 to the number of entries.
  public let position: Int
  /// The entry before the current position, or `nil` at the base.
  public let current: HistoryEntry.ID?
  /// A Boolean value that indicates whether there is a step to undo.
  public let canUndo: Bool
  /// A Boolean value that indicates whether there is a step to redo.
  public let canRedo: Bool
  /// A Boolean value that indicates whether actions are reduced without being recorded.
  public let isPaused: Bool
  /// A Boolean value that indicates whether the history is locked, so that only history actions
  /// can change the state.
  public let isLocked: Bool
  /// The total number of actions that the history refused because it was locked.
  public let refused: Int
  /// The branches that remain from jumps into the past, in order from oldest to newest.
  public let branches: [HistoryBranch]
  /// The number of entries that the history removed because there were too many unrecorded
  /// actions or too many entries in branches.
  public let evicted: Int
}

extension History {
  /// The status of the history, without its entries.
  ///
  /// The property takes O(1) time for each branch, in addition to the cost of ``canUndo`` and
  /// ``canRedo``.
  public var status: HistoryStatus {
    timeline.withLock { $0.status }
  }

  /// The current revision of the record.
  ///
  /// The property takes O(1) time.
  public var revision: HistoryRevision {
    timeline.withLock { $0.revision }
  }

  /// Returns the changes to the record since a revision, for code that displays a record while the
  /// record grows.
  ///
  /// ```swift
  /// var known: HistoryRevision?
  /// let changes = history.changes(since: known)
  /// known = changes.revision
  /// ```
  ///
  /// The method takes O(k log n) time if k of n entries were added or changed. The method
  /// returns all entries, in O(n) time, if the revision is `nil` or belongs to another history.
  /// The method also returns all entries if a commit, a rollback, a reset, an import, a return
  /// to a branch, or many hundreds of changes to entries have occurred since the revision.
  ///
  /// If there are at most 100 changes, or at most n / 4 changes, dispatched actions wait while
  /// the method reads the changes. A larger number of changes is read outside of any lock, as
  /// ``History`` explains under *Reading*.
  public func changes(since revision: HistoryRevision?) -> HistoryChanges {
    // For a few entries, sharing the record would cost more than it saves, because the next
    // action might copy the whole record.
    let few = timeline.withLock { $0.hasFewChanges(since: revision) ? $0.changes(since: revision) : nil }
    return few ?? timeline.withLock { $0 }.changes(since: revision)
  }

  /// Returns an entry by its id, or `nil` if the entry no longer exists.
  ///
  /// The position of an entry in a ``HistoryBranch`` is the position that the entry will have
  /// after a jump to the branch.
  ///
  /// The method takes O(log n) time for n entries, or O(n) time if the entry belongs to a
  /// branch.
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

  /// Returns the edits since a revision, or `nil` if the edits are unknown or the revision
  /// belongs to another history.
  private func edits(since revision: HistoryRevision) -> ArraySlice<HistoryJournal.Edit>? {
    revision.timeline == identity ? journal.edits(since: revision.edits) : nil
  }

  /// Returns whether reading the changes since a revision takes less time than copying all
  /// entries.
  fileprivate func hasFewChanges(since revision: HistoryRevision?) -> Bool {
    guard let revision, let edits = edits(since: revision) else { return false }
    return nextID - revision.nextID + edits.count <= max(100, entries.count / 4)
  }

  /// Returns the entry that immediately precedes a point.
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
