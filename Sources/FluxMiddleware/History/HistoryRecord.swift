/// The entries and the status of a history at one point in time.
///
/// The record has the properties of its ``status``: `record.position` is `record.status.position`.
@dynamicMemberLookup
public struct HistoryRecord: Sendable {
  /// The entries in order from oldest to newest: the entries that are done, followed by the
  /// entries that are undone.
  public let entries: [HistoryEntry]
  /// The status of the history.
  public let status: HistoryStatus
  /// The outcome of the last import, or `nil` if there was no import.
  public let lastImport: HistoryImport.Outcome?

  init(_ timeline: HistoryTimeline) {
    entries = timeline.entries.indices.map { timeline.entry(before: $0 + 1) }
    status = timeline.status
    lastImport = timeline.lastImport
  }

  /// The number of entries.
  public var count: Int { entries.count }

  /// Returns the value of a property of ``status``.
  public subscript<Value>(dynamicMember property: KeyPath<HistoryStatus, Value>) -> Value {
    status[keyPath: property]
  }
}
