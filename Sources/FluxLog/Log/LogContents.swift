import Foundation

/// The rules of a log: the entries and the snapshot that it contains, and the errors of invalid
/// calls.
///
/// The value has no lock and no storage.
struct LogContents: Hashable, Sendable {
  /// The position of the first entry that the log contains.
  private(set) var first = LogPosition.start
  private(set) var entries: [Data] = []
  private(set) var snapshot: LogSnapshot?

  /// Creates the contents of an empty log.
  init() {}

  /// Creates the contents of a log.
  init(first: LogPosition, entries: [Data], snapshot: LogSnapshot?) {
    self.first = first
    self.entries = entries
    self.snapshot = snapshot
  }

  var end: LogPosition { first.advanced(by: entries.count) }

  /// Appends entries, and returns the new end.
  mutating func append(_ new: [Data], at expected: LogPosition) throws(LogError) -> LogPosition {
    guard expected == end else { throw .conflict(at: expected, end: end) }
    entries += new
    return end
  }

  func entries(from position: LogPosition, limit: Int) throws(LogError) -> [ActionLogEntry] {
    guard position >= first else { throw .truncated(position, first: first) }
    guard position <= end else {
      throw LogError(
        .outOfBounds, at: end, "Position \(position) is after the end of the log, which is \(end).")
    }
    let index = first.distance(to: position)
    return entries[index...].prefix(max(0, limit)).enumerated().map { number, data in
      ActionLogEntry(position: position.advanced(by: number), data: data)
    }
  }

  mutating func save(_ new: LogSnapshot) throws(LogError) {
    let oldest = max(first, snapshot?.position ?? first)
    guard (oldest...end).contains(new.position) else {
      throw LogError(
        .outOfBounds, at: new.position,
        "A snapshot at position \(new.position) is not between positions \(oldest) and \(end).")
    }
    snapshot = new
  }

  /// Removes entries before a position, and returns a Boolean value that indicates whether there
  /// were any.
  mutating func truncate(before position: LogPosition) throws(LogError) -> Bool {
    guard position > first else { return false }
    guard let snapshot, position <= snapshot.position else {
      throw LogError(
        .outOfBounds, at: position, "No snapshot contains the entries before position \(position).")
    }
    entries.removeFirst(first.distance(to: position))
    first = position
    return true
  }
}
