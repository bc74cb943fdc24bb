import FluxLog
import Foundation

/// What the server stores about a log, apart from its entries, and the errors of invalid calls.
///
/// The bounds are those of a `MemoryLog`.
struct LogHead: Hashable, Sendable {
  /// The position of the first entry that the log contains.
  var first: LogPosition
  var end: LogPosition
  /// The position of the newest snapshot, or `nil` if there is none.
  var snapshot: LogPosition?
  /// The object that has the writer role, or `nil` if no object has taken the role yet.
  var writer: UUID?

  /// Throws an error if another object has the writer role.
  func checkWriter(_ object: UUID) throws(CallFailure) {
    guard writer == nil || writer == object else {
      throw .log(
        LogError(.inUse, at: end, "Another process has taken the writer role of the log."))
    }
  }

  /// Throws an error if the log does not contain a position.
  func checkRead(_ position: LogPosition) throws(CallFailure) {
    guard position >= first else {
      throw .log(
        LogError(
          .truncated, at: first,
          "The log begins at position \(first), so the entry at position \(position) is not available."))
    }
    guard position <= end else {
      throw .log(
        LogError(
          .outOfBounds, at: end, "Position \(position) is after the end of the log, which is \(end)."))
    }
  }

  /// Throws an error if a snapshot at a position is older than the newest one, or after the end.
  func checkSave(at position: LogPosition) throws(CallFailure) {
    let oldest = max(first, snapshot ?? first)
    guard position >= oldest, position <= end else {
      throw .log(
        LogError(
          .outOfBounds, at: position,
          "A snapshot at position \(position) is not between positions \(oldest) and \(end)."))
    }
  }

  /// Returns a Boolean value that indicates whether there are entries to remove before a position,
  /// and throws an error if no snapshot contains them.
  func checkTruncate(before position: LogPosition) throws(CallFailure) -> Bool {
    guard position > first else { return false }
    guard let snapshot, position <= snapshot else {
      throw .log(
        LogError(
          .outOfBounds, at: position, "No snapshot contains the entries before position \(position)."))
    }
    return true
  }
}

extension LogPosition {
  /// The position as an integer of the server, which has no larger positions than the result.
  var integer: Int64 { Int64(clamping: offset) }
}
