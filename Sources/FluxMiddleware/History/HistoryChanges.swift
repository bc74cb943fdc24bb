import FluxCore

/// The changes of a history's record since an earlier reading: ``History/changes(since:)``.
///
/// To update a copy of the entries, apply these steps in order. If ``isWhole`` is `true`, remove
/// all entries. Remove the entries before ``first``. If ``keptThrough`` is not `nil`, remove the
/// entries after it. Then insert each of ``entries``: it replaces the entry with its id, or is
/// appended.
public struct HistoryChanges: Sendable {
  /// A Boolean value that indicates whether ``entries`` contains all entries, and not only
  /// changed ones.
  public let isWhole: Bool
  /// The entries that were added, skipped, unskipped, or amended, in ascending order of their
  /// ids.
  public let entries: [HistoryEntry]
  /// The id of the oldest entry; if there is no entry, the id of the next one.
  public let first: HistoryEntry.ID
  /// The last known entry that remains: 0 if none does, `nil` if none was removed at the end.
  public let keptThrough: HistoryEntry.ID?
  /// The position of the history, and the rest of its status.
  public let status: HistoryStatus
  /// The revision to pass to the next call.
  public let revision: HistoryRevision
}

/// A revision of a history's record.
///
/// Two revisions are equal if the record has not changed between them. Revisions of two
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
  /// The entry before the current position; `nil` at the base.
  public let current: HistoryEntry.ID?
  /// A Boolean value that indicates whether there is a step to undo.
  public let canUndo: Bool
  /// A Boolean value that indicates whether there is a step to redo.
  public let canRedo: Bool
  /// A Boolean value that indicates whether actions are reduced without being recorded.
  public let isPaused: Bool
  /// A Boolean value that indicates whether only a history's actions can change the state.
  public let isLocked: Bool
  /// The total number of actions that the history refused because it was locked.
  public let refused: Int
  /// The branches that remain from jumps into the past, the oldest first.
  public let branches: [HistoryBranch]
  /// The number of entries that the history removed to limit unrecorded actions and branches.
  ///
  /// See ``UnrecordedActionPolicy/preserved(limit:)`` and ``HistoryBranch``. Entries beyond the
  /// limit of the history do not count.
  public let evicted: Int
}

extension History {
  /// The status of the history, without its entries.
  ///
  /// O(1) for each branch. In addition, skipped entries cost as much as for ``canUndo`` and
  /// ``canRedo``.
  public var status: HistoryStatus {
    timeline.withLock { $0.status }
  }

  /// The current revision of the record.
  ///
  /// O(1).
  public var revision: HistoryRevision {
    timeline.withLock { $0.revision }
  }

  /// Returns the changes of the record since a revision, for code that displays the record while
  /// it grows.
  ///
  /// ```swift
  /// var known: HistoryRevision?
  /// let changes = history.changes(since: known)
  /// known = changes.revision
  /// ```
  ///
  /// O(k log n) for k added or changed entries, of n. The result contains all entries, in O(n),
  /// if there is no revision, or if the revision belongs to another history. The same applies if
  /// a commit, a rollback, a reset, an import, a return to a branch, or many hundreds of changes
  /// to entries have followed the revision.
  ///
  /// If there are at most 100 changes, or at most a quarter of n if that is more, actions wait
  /// while the method reads them. Otherwise, the method reads the record outside of any lock, as
  /// ``History`` explains at *Reading*.
  public func changes(since revision: HistoryRevision?) -> HistoryChanges {
    // For a few entries, sharing the record costs more than it saves: the next action might copy
    // all of it.
    let few = timeline.withLock { $0.hasFewChanges(since: revision) ? $0.changes(since: revision) : nil }
    return few ?? timeline.withLock { $0 }.changes(since: revision)
  }

  /// Returns an entry by its id, or `nil` if the entry no longer exists.
  ///
  /// An entry of a ``HistoryBranch`` has the position that it takes when a jump returns to the
  /// branch.
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

  /// Returns the edits since a revision; `nil` if they are unknown, or if another history made
  /// the revision.
  private func edits(since revision: HistoryRevision) -> ArraySlice<HistoryJournal.Edit>? {
    revision.timeline == identity ? journal.edits(since: revision.edits) : nil
  }

  /// Returns whether so little has changed that reading it takes less time than copying all
  /// entries.
  fileprivate func hasFewChanges(since revision: HistoryRevision?) -> Bool {
    guard let revision, let edits = edits(since: revision) else { return false }
    return nextID - revision.nextID + edits.count <= max(100, entries.count / 4)
  }

  /// Returns the entry that leads to a point.
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
