/// What became of entries of a history, beside what came to its end, for those who have read them before.
///
/// Bounded: who has not read for longer reads all anew.
struct HistoryJournal: Sendable {
  enum Edit: Sendable {
    /// All entries behind one are gone.
    case cut(behind: HistoryEntry.ID)
    /// An entry is another than it was.
    case changed(HistoryEntry.ID)
  }

  private static let most = 1_000

  /// How many edits there were in all.
  private(set) var count = 0
  private var latest: [Edit] = []

  mutating func note(_ edit: Edit) {
    if latest.count == Self.most { latest.removeFirst(Self.most / 2) }
    latest.append(edit)
    count += 1
  }

  /// Everything is another: who has read before has to read all anew.
  mutating func noteAll() {
    latest = []
    count += 1
  }

  /// The edits since there were so many; `nil` if that is too long ago.
  func edits(since count: Int) -> ArraySlice<Edit>? {
    let new = self.count - count
    return (0...latest.count).contains(new) ? latest.suffix(new) : nil
  }
}
