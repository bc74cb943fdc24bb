/// A journal of all changes to a history's entries except additions.
///
/// The journal contains only a limited number of edits. A reader that needs an edit that the
/// journal no longer contains must read all entries again.
struct HistoryJournal: Sendable {
  enum Edit: Sendable {
    /// All entries after the given entry were removed.
    case cut(behind: HistoryEntry.ID)
    /// An entry changed.
    case changed(HistoryEntry.ID)
  }

  private static let most = 1_000

  /// The total number of edits.
  private(set) var count = 0
  private var latest: [Edit] = []

  mutating func note(_ edit: Edit) {
    if latest.count == Self.most { latest.removeFirst(Self.most / 2) }
    latest.append(edit)
    count += 1
  }

  /// Records that all entries changed, so that every reader must read all entries again.
  mutating func noteAll() {
    latest = []
    count += 1
  }

  /// Returns the edits that followed the first `count` edits, or `nil` if the journal no longer
  /// contains all of them.
  func edits(since count: Int) -> ArraySlice<Edit>? {
    let new = self.count - count
    return (0...latest.count).contains(new) ? latest.suffix(new) : nil
  }
}
