package import FluxMiddleware
package import Foundation

/// A storage for the segments of a log, which are files with names.
///
/// A log calls one method at a time. The methods can block.
package protocol SegmentStorage: Sendable {
  /// Returns the names of all files, in any order.
  func names() throws -> [String]

  /// Returns the contents of a file, or `nil` if there is no file with that name.
  ///
  /// The contents can include the data of an interrupted or failed write, which a power loss might
  /// remove.
  func read(_ name: String) throws -> Data?

  /// Writes a file and replaces its previous contents.
  ///
  /// When the method returns, the contents are safe from a power loss.
  func write(_ data: Data, to name: String) throws

  /// Appends bytes to an existing file.
  ///
  /// When the method returns, the bytes are safe from a power loss. After an interrupted or failed
  /// call, the file can contain some of the bytes.
  func append(_ data: Data, to name: String) throws

  /// Renames a file, and replaces any file that already has the new name.
  ///
  /// When the method returns, the new name is safe from a power loss. An interrupted call has
  /// either been completed or has changed nothing.
  func rename(_ name: String, to newName: String) throws

  /// Removes a file.
  ///
  /// When the method returns, a power loss cannot restore the file. A log that continues in an
  /// older segment would otherwise lose the entries that it has appended since.
  func remove(_ name: String) throws
}

extension FileStorage: SegmentStorage {}
