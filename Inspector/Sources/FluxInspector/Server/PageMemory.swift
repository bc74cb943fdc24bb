/// A counter of the bytes that all pages together hold in memory: unsent answers, incomplete
/// messages, and the memory that is reserved for an export that is being made.
///
/// An ``InspectorRoom`` protects the counter with a lock.
package struct PageMemory: Hashable, Sendable {
  /// The maximum number of bytes that all pages together can hold.
  package static let most = 64 << 20

  package private(set) var bytes = 0

  package init() {}

  /// Counts bytes that a page needs to keep.
  ///
  /// - Returns: A Boolean value that indicates whether the limit permits the bytes. If the value
  ///   is `false`, the bytes are not counted.
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
