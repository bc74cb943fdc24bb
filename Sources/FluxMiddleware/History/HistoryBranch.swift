/// Entries that a history set aside because an action was recorded after a jump into the past.
///
/// A jump to one of the entries, by its id, makes the branch current again. The entries that stood in its
/// place are then set aside in turn.
///
/// A history keeps as many entries in branches as its limit says, and always the newest branch. It removes the
/// oldest branches first, and a branch whose entry ``fork`` is gone. ``HistoryRecord/evicted`` counts the
/// removed entries.
public struct HistoryBranch: Equatable, Identifiable, Sendable {
  /// The entry that the branch follows; `nil` for the base.
  public let fork: HistoryEntry.ID?
  /// The oldest entry of the branch.
  public let first: HistoryEntry.ID
  /// The newest entry of the branch.
  public let last: HistoryEntry.ID
  /// The number of entries in the branch.
  public let count: Int

  /// The oldest entry of the branch.
  public var id: HistoryEntry.ID { first }
}
