/// Counts the bytes that all pages together keep: answers that wait to be sent, and messages that are not complete.
///
/// A pure counter, which the room keeps behind its lock.
struct PageMemory {
  /// The most bytes that pages keep together.
  static let most = 64 << 20

  private(set) var bytes = 0

  /// Counts bytes that a page wants to keep.
  ///
  /// - Returns: A Boolean value that indicates whether there is room for them. If there is none, they do not count.
  mutating func take(_ count: Int) -> Bool {
    guard count <= Self.most - bytes else { return false }
    bytes += count
    return true
  }

  /// Counts bytes that a page no longer keeps.
  mutating func release(_ count: Int) {
    bytes -= count
  }
}
