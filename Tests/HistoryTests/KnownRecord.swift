import FluxMiddleware

/// What somebody knows of a history who is told only what has changed.
struct KnownRecord {
  private(set) var entries: [HistoryEntry] = []
  private(set) var last: HistoryChanges?

  /// Asks what has changed, and brings what is known up to date.
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

  /// What is known otherwise than it is, in words; `nil` when all is right.
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
  /// What is compared of an entry: its position sinks without anybody being told.
  fileprivate var told: String {
    "\(id) of \(step): \(self)" + (isSkipped ? " skipped" : "") + (isAmended ? " amended" : "")
  }
}
