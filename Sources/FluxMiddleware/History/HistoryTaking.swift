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

  /// Calls a closure that passes an action on, with a new record for that action.
  static func follow(_ send: () -> Void) {
    $note.withValue(Note(), operation: send)
  }

  /// Records that a history performs the current action.
  static func took() {
    _ = note?.isTaken.exchange(true)
  }

  /// A Boolean value that indicates whether a history might have performed the current action.
  ///
  /// The value is `true` if there is no record for the action.
  static var mayHaveTaken: Bool { note?.isTaken.withLock { $0 } ?? true }
}
