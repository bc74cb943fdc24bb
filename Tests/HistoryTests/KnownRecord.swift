import FluxMiddleware

/// The record as a reader knows it that only reads changes.
struct KnownRecord {
  private(set) var entries: [HistoryEntry] = []
  private(set) var last: HistoryChanges?

  /// Reads the changes, and applies them to the known record.
  mutating func read<State>(_ history: History<State>) {
    let changes = history.changes(since: last?.revision)
    last = changes
    entries.removeAll { entry in
      changes.isWhole || entry.id < changes.first || changes.keptThrough.map { entry.id > $0 } ?? false
    }
    for entry in changes.entries {
      if let index = entries.firstIndex(where: { $0.id == entry.id }) {
        entries[index] = entry
      } else {
        entries.append(entry)
      }
    }
  }

  /// A description of the difference from the actual record; `nil` if there is none.
  func difference<State>(from history: History<State>) -> String? {
    let record = history.record
    if entries.map(\.told) != record.entries.map(\.told) {
      return "known is \(entries.map(\.told)), where there is \(record.entries.map(\.told))"
    }
    guard let status = last?.status else { return "nothing has been read" }
    if status.position != record.position { return "position \(status.position), not \(record.position)" }
    let current = record.entries.first { $0.position == record.position }?.id
    if status.current != current { return "current \(status.current, default: "none")" }
    if status.canUndo != record.canUndo || status.canRedo != record.canRedo { return "other steps" }
    if status.isPaused != record.isPaused || status.isLocked != record.isLocked { return "another mode" }
    return status.refused == record.refused ? nil : "\(status.refused) refused"
  }
}

extension HistoryEntry {
  /// The compared properties of an entry.
  ///
  /// Its position decreases without a notification.
  fileprivate var told: String {
    "\(id) of \(step): \(self)" + (isSkipped ? " skipped" : "") + (isAmended ? " amended" : "")
  }
}
