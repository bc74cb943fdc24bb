import FluxCore

/// Whether a history has taken an action as its own, for those who want to know what became of one.
///
/// From a middleware to the reducer an action stays on its thread, unless it is held, so a task-local value finds who asks.
enum HistoryTaking {
  private final class Note: Sendable {
    let isTaken = Locked(false)
  }

  @TaskLocal private static var note: Note?

  /// Sends an action on, and lets those on its way ask whether a history has taken it.
  static func follow(_ send: () -> Void) {
    $note.withValue(Note(), operation: send)
  }

  /// A history does what an action says.
  static func took() {
    _ = note?.isTaken.exchange(true)
  }

  /// Whether a history has taken the action that is followed, or none is.
  static var mayHaveTaken: Bool { note?.isTaken.withLock { $0 } ?? true }
}
