import FluxMiddleware

/// A store that a page watches, and how much of its record the page has.
struct StoreWatch {
  private struct Rest {
    let changes: HistoryChanges
    var sent = 0
  }

  let store: any InspectedStore
  /// The revision of the record up to which the page has it.
  private var known: HistoryRevision?
  /// The part of the record that was read and not yet sent.
  private var rest: Rest?
  /// The entries that were sent without their origins.
  private var backlog = OriginBacklog()

  init(_ store: any InspectedStore) {
    self.store = store
  }

  // MARK: Lines

  /// Returns the first piece of the part of the record that the page does not have.
  mutating func news() -> LogLines? {
    guard known != store.revision else { return nil }
    let changes = store.changes(since: known)
    known = changes.revision
    rest = Rest(changes: changes)
    return nextLines()
  }

  /// Returns the next piece of the part of the record that was read.
  mutating func nextLines() -> LogLines? {
    guard var rest else { return nil }
    let changes = rest.changes
    let isFirst = rest.sent == 0
    let entries = changes.entries[rest.sent...].prefix(LogLines.most)
    rest.sent += entries.count
    self.rest = rest.sent < changes.entries.count ? rest : nil
    let lines = LogLines(
      store: store.line.id, isWhole: isFirst && changes.isWhole,
      keptThrough: isFirst ? changes.keptThrough?.rawValue : nil, first: changes.first.rawValue,
      status: changes.status, hasQueries: store.hasQueries, entries: entries.map(store.line))
    noteOrigins(of: lines)
    return lines
  }

  // MARK: Origins

  private mutating func noteOrigins(of lines: LogLines) {
    if lines.isWhole { backlog = OriginBacklog() }
    backlog.forget(before: lines.first)
    if let last = lines.keptThrough { backlog.forget(after: last) }
    for line in lines.entries {
      if case .unresolved = line.origin { backlog.add(line.id) }
    }
  }

  /// Begins the search for the next origin that is unknown.
  ///
  /// - Returns: The entry and its call stack; `nil` if there is nothing to search for now.
  mutating func beginSearch() -> (entry: Int, stack: CallStack)? {
    while let entry = backlog.begin() {
      switch store.origin(of: HistoryEntry.ID(rawValue: entry)) {
      // Another search has found the same origin meanwhile.
      case .known(let text): backlog.finish(entry, text)
      case .unresolved(let stack): return (entry, stack)
      }
    }
    return nil
  }

  mutating func finishSearch(_ entry: Int, _ text: String?) {
    backlog.finish(entry, text)
  }

  /// Returns the origins that were found and that the page does not have.
  mutating func takeFoundOrigins() -> [OriginBacklog.Found] {
    backlog.takeFound()
  }
}
