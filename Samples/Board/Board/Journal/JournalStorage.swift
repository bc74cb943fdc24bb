package import Foundation

/// A place for the segments of a journal, which are known by their numbers.
///
/// Called by one journal, by one thread at a time but for ``remove(_:)``. The calls may block.
package protocol JournalStorage: Sendable {
  /// The numbers of the segments there are, in any order, also of one that a write has left that failed.
  func segments() throws -> [Int]

  /// What stands in a segment.
  ///
  /// A write that was killed, or that failed, may be there all the same, and not be safe from a loss of
  /// power: ``replace(_:with:)`` makes it so.
  func read(_ segment: Int) throws -> Data

  /// Adds bytes to the end of a segment, which is made if need be.
  ///
  /// When it returns, they are safe from a loss of power, and so is it that there is the segment. Interrupted,
  /// it may leave a part of them.
  func append(_ bytes: Data, to segment: Int) throws

  /// Puts bytes in place of what stands in a segment.
  ///
  /// When it returns, they are safe from a loss of power, whatever has become of the segment before, and so is
  /// it that there is the segment. Interrupted, it leaves the segment as it was.
  func replace(_ segment: Int, with bytes: Data) throws

  /// Removes a segment, which a loss of power may bring back.
  func remove(_ segment: Int) throws
}
