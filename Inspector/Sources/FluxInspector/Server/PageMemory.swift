/// The number of bytes that all pages together keep, in answers that wait to be sent and in
/// incomplete messages.
///
/// A pure counter, which the room keeps behind its lock.
struct PageMemory {
  /// The maximum number of bytes that all pages keep together.
  static let most = 64 << 20

  private(set) var bytes = 0

  /// Counts bytes that a page needs to keep.
  ///
  /// - Returns: A Boolean value that indicates whether the limit permits the bytes. If it does
  ///   not, the bytes are not counted.
  mutating func take(_ count: Int) -> Bool {
    guard count <= Self.most - bytes else { return false }
    bytes += count
    return true
  }

  /// Subtracts bytes that a page no longer keeps.
  mutating func release(_ count: Int) {
    bytes -= count
  }
}
