import FluxCore

/// A task-local note of whether a history has performed an action as its own.
///
/// An action stays on its thread from a middleware to the reducer, unless a middleware holds it,
/// so a task-local value carries the note.
enum HistoryTaking {
  private final class Note: Sendable {
    let isTaken = Locked(false)
  }

  @TaskLocal private static var note: Note?

  /// Sends an action on with a new note, which the code that handles the action can read.
  static func follow(_ send: () -> Void) {
    $note.withValue(Note(), operation: send)
  }

  /// Notes that a history performs the current action.
  static func took() {
    _ = note?.isTaken.exchange(true)
  }

  /// A Boolean value that indicates whether a history has performed the followed action, or no
  /// action is followed.
  static var mayHaveTaken: Bool { note?.isTaken.withLock { $0 } ?? true }
}
