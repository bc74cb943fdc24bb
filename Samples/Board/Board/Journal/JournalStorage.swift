package import Foundation

/// A storage for the segments of a journal, which have numbers.
///
/// One journal calls the methods, on one thread at a time except for ``remove(_:)``. The
/// methods can block.
package protocol JournalStorage: Sendable {
  /// Returns the numbers of all segments, in any order, including a segment of a failed write.
  func segments() throws -> [Int]

  /// Returns the contents of a segment.
  ///
  /// The contents can include an interrupted or failed write, which might not be safe from a
  /// loss of power. ``replace(_:with:)`` makes them safe.
  func read(_ segment: Int) throws -> Data

  /// Appends bytes to a segment, and creates the segment if necessary.
  ///
  /// When the method returns, the bytes and the existence of the segment are safe from a loss
  /// of power. An interrupted call can leave a part of the bytes.
  func append(_ bytes: Data, to segment: Int) throws

  /// Replaces the contents of a segment.
  ///
  /// When the method returns, the bytes and the existence of the segment are safe from a loss
  /// of power, whatever happened to the segment before. An interrupted call leaves the segment
  /// unchanged.
  func replace(_ segment: Int, with bytes: Data) throws

  /// Removes a segment.
  ///
  /// A loss of power can restore the segment.
  func remove(_ segment: Int) throws
}
