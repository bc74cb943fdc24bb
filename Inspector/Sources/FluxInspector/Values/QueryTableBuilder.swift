import FluxCore
import FluxMiddleware
import FluxQuery
import Foundation

/// A builder of tables of the entries in query caches, which finds the caches through reflection
/// and applies limits.
///
/// A cache is found if it is the state, a property of the state, or a property of such a property.
/// Elements of collections are not searched.
struct QueryTableBuilder<State: Sendable> {
  /// The maximum number of tags of one row.
  private static var mostTags: Int { 6 }
  /// The maximum number of tags of one entry that are examined.
  private static var mostExaminedTags: Int { 1_000 }

  private let limits: InspectorLimits
  private let redaction: Redaction
  /// The store whose subscribers are counted; `nil` for a state of the past.
  private let store: StoreProxy<State>?
  /// The time at which the store's clock was at zero.
  private let clockStart: Date
  private var budget: TextBudget

  init(
    limits: InspectorLimits, redaction: Redaction, countingSubscribersOf store: StoreProxy<State>?,
    clockStart: Date
  ) {
    self.limits = limits
    self.redaction = redaction
    self.store = store
    self.clockStart = clockStart
    budget = TextBudget(values: limits.nodes)
  }

  /// Returns the section of the table that begins at a position, or the first section if no entry
  /// has that position.
  mutating func table(of state: State, from position: Int) -> QueryTable {
    let caches = caches(in: ValuePart(state, redacting: redaction))
    let entries = caches.map { cache in cache.parts.first { $0.label == "entries" } }
    let count = entries.reduce(0) { $0 + ($1?.parts.count ?? 0) }
    let first = (0..<count).contains(position) ? position : 0
    var rows: [QueryTable.Row] = []
    var skipped = first
    for case (let cache, let entries?) in zip(caches, entries) {
      let parts = entries.parts
      for part in parts.dropFirst(skipped) {
        guard rows.count < limits.breadth, !budget.isSpent else { break }
        var row = row(of: part, in: cache)
        if caches.count > 1 { row.cache = take(cache.path) }
        rows.append(row)
      }
      skipped = max(0, skipped - parts.count)
    }
    return QueryTable(
      caches: caches.count, count: count, first: first, rows: rows,
      isRedacted: entries.contains { $0?.isSecret == true })
  }

  /// Returns the caches in a state, beginning with those that are nearest to the root.
  private func caches(in state: ValuePart) -> [ValuePart] {
    var caches: [ValuePart] = []
    var queue = [(part: state, depth: 0)]
    var next = 0
    while next < min(queue.count, limits.nodes) {
      let (part, depth) = queue[next]
      next += 1
      let parts = part.parts
      switch parts.kind {
      case .properties where part.value is QueryCache: caches.append(part)
      case .properties, .tuple, .payload:
        guard depth < limits.depth else { continue }
        queue += parts.prefix(limits.nodes - next).map { ($0, depth + 1) }
      case .wrapped: queue += parts.map { ($0, depth) }
      case .whole, .elements, .entries: continue
      }
    }
    return caches
  }

  private mutating func row(of part: ValuePart, in cache: ValuePart) -> QueryTable.Row {
    let path = part.path
    var row = QueryTable.Row(
      query: take(part.label), path: path == path.cut(to: limits.characters) ? take(path) : nil)
    guard !part.isSecret, let entry = part.value as? QueryEntry else {
      row.isRedacted = true
      return row
    }
    let fields = Dictionary(part.parts.map { ($0.label, $0) }) { first, _ in first }
    func shown<Value>(_ name: String, _ value: Value?) -> Value? {
      fields[name]?.isSecret == false ? value : nil
    }
    row.type = take("\(type(of: entry.query))")
    row.status = QueryTable.Status(of: entry)
    row.isInvalidated = shown("isInvalidated", entry.isInvalidated)
    row.failedAttempts = shown("failedAttempts", entry.failedAttempts).flatMap { $0 > 0 ? $0 : nil }
    row.subscribers = store?.subscribers(of: entry.query)
    row.fulfilledAt = shown("fulfilledAt", entry.fulfilledAt).map { time in
      (clockStart.timeIntervalSince1970 + time / .seconds(1)) * 1_000
    }
    let pendingEdits = (cache.value as? QueryCache)?.pendingEdits(of: entry.query) ?? 0
    row.pendingEdits = pendingEdits > 0 ? pendingEdits : nil
    row.error = fields[entry.error == nil ? "attemptError" : "error"]?.unwrapped.map { take($0.text) }
    row.tagCount = shown("tags", entry.tags.count)
    row.tags = fields["tags"].map { tags(of: $0) }
    return row
  }

  /// Returns the texts of some tags: those of whole types and of lists first, because they name the
  /// most data.
  private mutating func tags(of part: ValuePart) -> [String] {
    if part.isSecret { return [part.text] }
    var (broad, narrow): ([ValuePart], [ValuePart]) = ([], [])
    for tag in part.parts.prefix(Self.mostExaminedTags) {
      if let value = tag.value as? QueryTag, value == .type(value.type) || value == .list(value.type) {
        broad.append(tag)
      } else if narrow.count < Self.mostTags {
        narrow.append(tag)
      }
    }
    let groups = [broad, narrow].map { tags in
      tags.prefix(Self.mostTags).map(\.text)
        .sorted { $0.compare($1, options: .numeric) == .orderedAscending }
    }
    return groups.joined().prefix(Self.mostTags).map { take($0) }
  }

  private mutating func take(_ text: String) -> String {
    budget.take(text, of: limits.characters)
  }
}

extension QueryTable.Status {
  fileprivate init(of entry: QueryEntry) {
    self =
      switch (entry.isFetching, hasFailed: entry.error != nil, hasResult: entry.value != nil) {
      case (true, false, false): .loading
      case (true, _, _): .fetching
      case (false, true, _): .failed
      case (false, false, true): .success
      case (false, false, false): .uninitialized
      }
  }
}
