/// A rule for the actions that a ``History`` reduces and does not record.
///
/// Those are the actions that the filter of the history does not match, and all actions while the history is
/// paused.
public struct UnrecordedActionPolicy: Equatable, Sendable {
  /// How many unrecorded actions a history keeps; `nil` if it keeps none.
  let limit: Int?

  /// Preserves the effects of unrecorded actions, and keeps up to 10,000 of those actions.
  public static let preserved = preserved(limit: 10_000)

  /// Preserves the effects of unrecorded actions.
  ///
  /// Undo, redo, a jump, a skip, and a rollback reduce the unrecorded actions again, in the order in which all
  /// actions came. An undo takes O(n) for n unrecorded actions that came after the undone entry.
  ///
  /// The history keeps the unrecorded actions that came after its oldest entry and changed the state. When
  /// there are more than `limit`, the oldest entries become part of the base, so that they cannot be undone
  /// anymore, and only then does the history release the unrecorded actions before them. If too many
  /// unrecorded actions follow the newest entry, the history forgets all entries. The state of the store stays
  /// the same in each case. ``HistoryRecord/evicted`` counts those entries.
  ///
  /// - Parameter limit: How many unrecorded actions the history keeps; numbers below 1 count as 1.
  public static func preserved(limit: Int) -> UnrecordedActionPolicy {
    UnrecordedActionPolicy(limit: max(1, limit))
  }

  /// Undoes unrecorded actions together with the entry before them.
  ///
  /// The history keeps no unrecorded action. The state behind the entry is amended
  /// (``HistoryEntry/isAmended``): an undo of the entry discards what the unrecorded actions changed, and a
  /// redo restores it.
  public static let undoneWithEntry = UnrecordedActionPolicy(limit: nil)
}
