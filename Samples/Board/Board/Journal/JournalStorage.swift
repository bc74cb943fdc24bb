package import Foundation

/// A storage for the segments of a journal, which are identified by number.
///
/// One journal calls the methods, on one thread at a time except for ``remove(_:)``. The
/// methods can block.
package protocol JournalStorage: Sendable {
  /// Returns the numbers of all segments, in any order, including segments whose writes failed.
  func segments() throws -> [Int]

  /// Returns the contents of a segment.
  ///
  /// The contents can include the data of an interrupted or failed write, which a power loss
  /// might remove. A call of ``replace(_:with:)`` with the same contents makes the data durable.
  func read(_ segment: Int) throws -> Data

  /// Appends bytes to a segment, and creates the segment if necessary.
  ///
  /// When the method returns, neither the bytes nor the segment itself can be lost in a power
  /// loss. After an interrupted call, the segment can contain only some of the bytes.
  func append(_ bytes: Data, to segment: Int) throws

  /// Replaces the contents of a segment.
  ///
  /// When the method returns, neither the bytes nor the segment itself can be lost in a power
  /// loss, even if an earlier write to the segment failed. An interrupted call leaves the segment
  /// unchanged.
  func replace(_ segment: Int, with bytes: Data) throws

  /// Removes a segment.
  ///
  /// A power loss can restore the segment.
  func remove(_ segment: Int) throws
}
