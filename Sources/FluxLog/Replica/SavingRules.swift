/// The rules for when a replica saves its confirmed state.
///
/// A save encodes the whole state. The state is saved after 100 entries, and after entries that
/// take as many bytes as the saved state. Therefore, the cost of the saves is proportional to the
/// received entries, and not to the size of the state.
///
/// The value has no lock, no task, and no storage.
struct SavingRules: Hashable, Sendable {
  static let minimumEntries = 100

  /// The position of the saved state.
  private var saved: LogPosition
  /// The number of bytes of the saved state.
  private var savedCount: Int
  /// The number of bytes of the entries that were received since the last save began.
  private var receivedCount = 0
  /// The position of the state that is being saved, or `nil`.
  private var saving: LogPosition?

  init(saved: LogPosition, count: Int) {
    self.saved = saved
    savedCount = count
  }

  /// Records that entries were received.
  mutating func received(_ count: Int) {
    receivedCount += count
  }

  /// Returns a Boolean value that indicates whether the state at a position is to be saved.
  func isDue(at position: LogPosition) -> Bool {
    saving == nil && receivedCount >= savedCount && saved.distance(to: position) >= Self.minimumEntries
  }

  /// Records that a save begins.
  ///
  /// - Returns: `false` if the state is already saved, or is being saved.
  mutating func begin(at position: LogPosition) -> Bool {
    guard saving == nil, saved < position else { return false }
    saving = position
    receivedCount = 0
    return true
  }

  /// Records that a save has ended.
  ///
  /// After a failure, the next save happens after as many entries.
  ///
  /// - Parameter count: The number of bytes of the saved state, or `nil` if the save has failed.
  mutating func ended(count: Int?) {
    saved = saving.take() ?? saved
    if let count { savedCount = count }
  }
}
