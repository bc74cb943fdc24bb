/// What a history has recorded, and where it stands, at one moment.
public struct HistoryRecord: Sendable {
  /// The entries, the oldest first: those that are done, then those that are undone.
  public let entries: [HistoryEntry]
  /// How many entries are done, from 0 to ``count``.
  public let position: Int
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
  ///
  /// See ``UnrecordedActionPolicy/preserved(limit:)`` and ``HistoryBranch``. Entries beyond the limit of the
  /// history do not count.
  public let evicted: Int
  /// What came of the last import; `nil` when there was none.
  public let lastImport: HistoryImport.Outcome?

  /// How many entries there are.
  public var count: Int { entries.count }
}
