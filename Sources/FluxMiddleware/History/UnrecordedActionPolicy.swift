/// A rule for the actions that a ``History`` reduces but does not record.
///
/// Those are the actions that the filter of the history does not match, and all actions while
/// the history is paused.
public struct UnrecordedActionPolicy: Equatable, Sendable {
  /// The number of unrecorded actions that a history keeps; `nil` if it keeps none.
  let limit: Int?

  /// A policy that preserves the changes of unrecorded actions, and keeps up to 10,000 of those
  /// actions.
  public static let preserved = preserved(limit: 10_000)

  /// Returns a policy that preserves the changes of unrecorded actions.
  ///
  /// Undo, redo, a jump, a skip, and a rollback reduce the unrecorded actions again, in the
  /// order in which all actions arrived. An undo takes O(n) for n unrecorded actions that
  /// followed the undone entry.
  ///
  /// The history keeps the unrecorded actions that followed its oldest entry and changed the
  /// state. When there are more than `limit`, the oldest entries become part of the base, so
  /// that they can no longer be undone. Only then does the history release the unrecorded
  /// actions before them. If too many unrecorded actions follow the newest entry, the history
  /// forgets all entries. In each case, the state of the store stays the same.
  /// ``HistoryStatus/evicted`` counts the entries that were removed.
  ///
  /// - Parameter limit: The number of unrecorded actions that the history keeps; numbers below 1
  ///   count as 1.
  public static func preserved(limit: Int) -> UnrecordedActionPolicy {
    UnrecordedActionPolicy(limit: max(1, limit))
  }

  /// A policy that undoes unrecorded actions together with the entry before them.
  ///
  /// The history keeps no unrecorded action. The state after the entry is amended
  /// (``HistoryEntry/isAmended``): an undo of the entry discards the changes of the unrecorded
  /// actions, and a redo restores them.
  public static let undoneWithEntry = UnrecordedActionPolicy(limit: nil)
}
