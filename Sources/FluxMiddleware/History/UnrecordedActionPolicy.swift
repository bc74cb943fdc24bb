/// A rule for the actions that a ``History`` reduces but does not record.
///
/// A history records only the actions that its filter matches, and records no action while it is
/// paused.
public struct UnrecordedActionPolicy: Equatable, Sendable {
  /// The maximum number of unrecorded actions that a history keeps, or `nil` if the history
  /// keeps no unrecorded actions.
  let limit: Int?

  /// A policy that preserves the changes that unrecorded actions make, and keeps up to 10,000
  /// unrecorded actions.
  public static let preserved = preserved(limit: 10_000)

  /// Returns a policy that preserves the changes that unrecorded actions make.
  ///
  /// The commands undo, redo, jump, skip, and rollback reduce the unrecorded actions again, in
  /// the order in which all actions arrived. An undo takes O(n) time if n unrecorded actions
  /// followed the undone entry.
  ///
  /// The history keeps the unrecorded actions that followed its oldest entry and changed the
  /// state. When there are more than `limit` unrecorded actions, the oldest entries become part
  /// of the base and can no longer be undone. The history also releases the unrecorded actions
  /// that followed entries in the base. If too many unrecorded actions follow the newest entry,
  /// the history discards all entries. Removing entries does not change the state of the store.
  /// ``HistoryStatus/evicted`` counts the entries that were removed.
  ///
  /// - Parameter limit: The maximum number of unrecorded actions that the history keeps. Numbers
  ///   below 1 count as 1.
  public static func preserved(limit: Int) -> UnrecordedActionPolicy {
    UnrecordedActionPolicy(limit: max(1, limit))
  }

  /// A policy that undoes unrecorded actions together with the entry before them.
  ///
  /// The history keeps no unrecorded actions, but marks the preceding entry as amended
  /// (``HistoryEntry/isAmended``). Undoing the entry discards the changes that the unrecorded
  /// actions made, and redoing the entry restores these changes.
  ///
  /// An undo does not attach or detach features. If the restored state had other attached features,
  /// the next action marks the entry at its position as amended.
  public static let undoneWithEntry = UnrecordedActionPolicy(limit: nil)
}
