/// The entries and the status of a history at one moment.
///
/// The record has the properties of its ``status``: `record.position` is `record.status.position`.
@dynamicMemberLookup
public struct HistoryRecord: Sendable {
  /// The entries in order from oldest to newest: the entries that are done, followed by the
  /// entries that are undone.
  public let entries: [HistoryEntry]
  /// The number of entries that are done, from 0 to ``count``.
  public let position: Int
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
  ///
  /// ``UnrecordedActionPolicy/preserved(limit:)`` and ``HistoryBranch`` describe these removals.
  /// The number does not include the entries that the history removed because of the limit on
  /// entries.
  public let evicted: Int
  /// The outcome of the last import, or `nil` if there was no import.
  public let lastImport: HistoryImport.Outcome?

  init(_ timeline: HistoryTimeline) {
    entries = timeline.entries.indices.map { timeline.entry(before: $0 + 1) }
    status = timeline.status
    lastImport = timeline.lastImport
  }

  /// The number of entries.
  public var count: Int { entries.count }

  /// Returns a property of the status.
  public subscript<Value>(dynamicMember property: KeyPath<HistoryStatus, Value>) -> Value {
    status[keyPath: property]
  }
}
