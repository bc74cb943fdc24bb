import Synchronization

/// A task-local record of whether a plug-in has reduced an action that the plug-in handles itself.
///
/// The development checks use the record, so that they do not report such an action as unhandled.
/// The record is task-local because an action stays on the same thread from a middleware to the
/// reducer, unless a middleware passes the action on later.
@usableFromInline
package enum ReductionByPlugin {
  private final class Note: Sendable {
    let isMade = Locked(false)
  }

  @TaskLocal private static var note: Note?

  private static let hasRecords = Atomic<Bool>(false)

  /// A Boolean value that indicates whether a record was ever created.
  ///
  /// A program without development checks does not look up the task-local value for each action.
  package static var isFollowed: Bool { hasRecords.load(ordering: .relaxed) }

  /// Creates a record for an action, and calls a closure that passes the action on.
  package static func follow(_ send: () -> Void) {
    hasRecords.store(true, ordering: .relaxed)
    $note.withValue(Note(), operation: send)
  }

  /// Records that a plug-in has reduced the current action.
  @usableFromInline
  package static func wasMade() {
    if isFollowed { _ = note?.isMade.exchange(true) }
  }

  /// A Boolean value that indicates whether a plug-in has reduced the current action, and a record
  /// was created for the action.
  package static var isMade: Bool { note?.isMade.withLock { $0 } ?? false }
}
