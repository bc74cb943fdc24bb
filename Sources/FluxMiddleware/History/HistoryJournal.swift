/// A journal of the changes to a history's entries, except for appended entries.
///
/// It is bounded: after too many edits, a reader must read all entries again.
struct HistoryJournal: Sendable {
  enum Edit: Sendable {
    /// All entries after the given one were removed.
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

  /// Notes that everything changed, so that a reader must read all entries again.
  mutating func noteAll() {
    latest = []
    count += 1
  }

  /// Returns the edits since the total was `count`; `nil` if the journal does not contain all of
  /// them.
  func edits(since count: Int) -> ArraySlice<Edit>? {
    let new = self.count - count
    return (0...latest.count).contains(new) ? latest.suffix(new) : nil
  }
}
