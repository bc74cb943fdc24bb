/// The layout of a journal in a file of fixed size.
///
/// ```
/// offset  bytes
///      0      8  the format
///      8      8  the progress: a ``JournalProgress``
///     16     48  unused
///     64         the first half
///                the second half
/// ```
///
/// Each half begins with a snapshot, which is followed by the actions after the snapshot. When one
/// half is full, a new snapshot begins the other half, and replaces the older contents of that
/// half. Therefore, the file contains at least one complete snapshot at each moment, and all
/// actions after the snapshot. Numbers are in little-endian byte order.
struct JournalLayout: Hashable, Sendable {
  /// The text `FluxJrn1`.
  static let format: UInt64 = 0x316E_724A_7875_6C46
  static let progressOffset = 8
  static let firstHalf = 64
  /// The minimum number of bytes, which leaves room for actions and snapshots without contents.
  static let minimumCount = firstHalf + 2 * 1_024

  /// The number of bytes of each half, which is a multiple of eight.
  let halfCount: Int

  init(count: Int) {
    halfCount = max(0, count - Self.firstHalf) / 16 * 8
  }

  /// The offset of the first byte of each half.
  func start(of half: JournalHalf) -> Int {
    switch half {
    case .first: Self.firstHalf
    case .second: Self.firstHalf + halfCount
    }
  }

  func end(of half: JournalHalf) -> Int { start(of: half) + halfCount }

  /// The maximum number of bytes of a frame with a snapshot.
  var snapshotLimit: Int { halfCount / 4 * 3 }

  /// The maximum number of bytes of a frame with an action.
  ///
  /// Such a frame has room after each snapshot.
  var actionLimit: Int { halfCount / 4 }
}

/// A half of a journal.
enum JournalHalf: Hashable, Sendable, CaseIterable {
  case first, second

  var other: JournalHalf {
    switch self {
    case .first: .second
    case .second: .first
    }
  }
}
