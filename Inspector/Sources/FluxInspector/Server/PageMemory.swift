/// Counts the bytes that all pages together keep: answers that are not sent, messages that are not
/// complete, and the room for an export that is being made.
///
/// A pure counter, which the room keeps behind its lock.
package struct PageMemory: Hashable, Sendable {
  /// The most bytes that pages keep together.
  package static let most = 64 << 20

  package private(set) var bytes = 0

  package init() {}

  /// Counts bytes that a page needs to keep.
  ///
  /// - Returns: A Boolean value that indicates whether there is room for them. If there is none,
  ///   they do not count.
  package mutating func take(_ count: Int) -> Bool {
    guard count <= Self.most - bytes else { return false }
    bytes += count
    return true
  }

  /// Counts bytes that a page no longer keeps.
  package mutating func release(_ count: Int) {
    bytes -= count
  }
}
