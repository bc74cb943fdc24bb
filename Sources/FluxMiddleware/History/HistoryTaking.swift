import FluxCore

/// A task-local record of whether a history has performed an action that addresses the history.
///
/// The record is task-local because an action stays on the same thread from a middleware to the
/// reducer, unless a middleware passes the action on later.
enum HistoryTaking {
  private final class Note: Sendable {
    let isTaken = Locked(false)
  }

  @TaskLocal private static var note: Note?

  /// Creates a record for an action, and calls a closure that passes the action on.
  static func follow(_ send: () -> Void) {
    $note.withValue(Note(), operation: send)
  }

  /// Records that a history performs the current action.
  static func took() {
    _ = note?.isTaken.exchange(true)
  }

  /// A Boolean value that indicates whether a history might have performed the current action.
  ///
  /// The value is also `true` if no record was created for the action.
  static var mayHaveTaken: Bool { note?.isTaken.withLock { $0 } ?? true }
}
