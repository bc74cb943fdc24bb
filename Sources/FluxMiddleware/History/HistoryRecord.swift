/// The entries and the status of a history at one moment.
public struct HistoryRecord: Sendable {
  /// The entries, the oldest first: the entries that are done, followed by those that are
  /// undone.
  public let entries: [HistoryEntry]
  /// The number of entries that are done, from 0 to ``count``.
  public let position: Int
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
  /// The outcome of the last import; `nil` if there was none.
  public let lastImport: HistoryImport.Outcome?

  /// The number of entries.
  public var count: Int { entries.count }
}
