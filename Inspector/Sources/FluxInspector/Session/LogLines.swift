import FluxMiddleware
import Foundation

/// A message with lines of a store's log.
struct LogLines: Sendable {
  /// The maximum number of lines of a message.
  static let most = 500

  let store: Int
  let isWhole: Bool
  let keptThrough: Int?
  let first: Int
  let status: HistoryStatus
  let hasQueries: Bool
  let entries: [EntryLine]
}

extension LogLines: Encodable {
  private enum Key: String, CodingKey {
    case type, store, isWhole, keepThrough, first, position, current, isPaused, isLocked, canUndo, canRedo,
      refused, branches, evicted, hasQueries, entries
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode("log", forKey: .type)
    try container.encode(store, forKey: .store)
    try container.encode(isWhole, forKey: .isWhole)
    try container.encode(keptThrough, forKey: .keepThrough)
    try container.encode(first, forKey: .first)
    try container.encode(status.position, forKey: .position)
    try container.encode(status.current?.rawValue ?? 0, forKey: .current)
    try container.encode(status.isPaused, forKey: .isPaused)
    try container.encode(status.isLocked, forKey: .isLocked)
    try container.encode(status.canUndo, forKey: .canUndo)
    try container.encode(status.canRedo, forKey: .canRedo)
    try container.encode(status.refused, forKey: .refused)
    try container.encode(status.branches.map(BranchLine.init), forKey: .branches)
    try container.encode(status.evicted, forKey: .evicted)
    try container.encode(hasQueries, forKey: .hasQueries)
    try container.encode(entries, forKey: .entries)
  }
}

/// A branch of a store's log.
private struct BranchLine: Encodable {
  /// The entry that the branch follows; 0 is the base.
  let fork: Int
  let first: Int
  let last: Int
  let count: Int

  init(_ branch: HistoryBranch) {
    fork = branch.fork?.rawValue ?? 0
    first = branch.first.rawValue
    last = branch.last.rawValue
    count = branch.count
  }
}

/// A line of a store's log.
struct EntryLine: Encodable, Sendable {
  /// The maximum number of characters of an action's text.
  static let characters = 300

  let id: Int
  let step: Int
  let name: String
  let text: String
  /// Milliseconds since 1970.
  let time: Double?
  /// Microseconds.
  let duration: Double?
  /// The origin; an unknown one is sent later, in another message.
  let origin: OriginText
  let isSkipped: Bool
  let isAmended: Bool

  private enum Key: String, CodingKey {
    case id, step, name, text, time, duration, origin, isSkipped, isAmended
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(id, forKey: .id)
    try container.encode(step, forKey: .step)
    try container.encode(name, forKey: .name)
    try container.encode(text, forKey: .text)
    try container.encode(time, forKey: .time)
    try container.encode(duration, forKey: .duration)
    switch origin {
    case .known(let text): try container.encode(text, forKey: .origin)
    case .unresolved: try container.encodeNil(forKey: .origin)
    }
    try container.encode(isSkipped, forKey: .isSkipped)
    try container.encode(isAmended, forKey: .isAmended)
  }
}
