/// The entries that a history set aside because an action was recorded after a jump into the
/// past.
///
/// A jump to one of the entries, by its id, makes the branch current again. The history then
/// sets aside the entries that the branch replaces.
///
/// The branches of a history contain at most as many entries as its limit, but the newest branch
/// is always kept. The history removes the oldest branches first. It also removes a branch when
/// the entry ``fork`` no longer exists. ``HistoryRecord/evicted`` counts the removed entries.
public struct HistoryBranch: Equatable, Identifiable, Sendable {
  /// The entry that the branch follows; `nil` if it follows the base.
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
