public import Foundation

/// A type that stores the files of a ``Persistence`` object under their names.
///
/// Use ``FileStorage``, ``InMemoryStorage``, or your own type.
///
/// If an operation throws an error, a ``Persistence`` object wraps it in a ``PersistenceError``.
/// The description of the error should therefore explain the cause. An operation that throws an
/// error must either have changed nothing or have completed. A write that throws an error can
/// also leave an incomplete file.
///
/// A ``Persistence`` object calls one operation at a time, on a background thread or on the
/// thread that loads, flushes, or releases a store. An operation can block the thread, but must
/// not call the `Persistence` object.
public protocol StateStorage: Sendable {
  /// Returns the contents of a file, or `nil` if there is no file with that name.
  func read(_ name: String) throws -> Data?

  /// Writes a file and replaces its previous contents.
  ///
  /// When the method returns, the contents are safe from a power loss. The name of a new file
  /// is safe from a power loss when ``rename(_:to:)`` or ``synchronize(_:)`` returns. An
  /// interrupted write can leave an incomplete file.
  func write(_ data: Data, to name: String) throws

  /// Renames a file and replaces any file that already has the new name.
  ///
  /// A rename is atomic. An interrupted rename has either been completed or has changed
  /// nothing. When the method returns, the new name is safe from a power loss.
  func rename(_ name: String, to newName: String) throws

  /// Makes the contents and the name of an existing file safe from a power loss.
  ///
  /// A process that is killed during a write or a rename can leave a file that another process
  /// can read, although the file is not yet on disk. The default implementation writes a copy of
  /// the file under another name, and renames the copy.
  func synchronize(_ name: String) throws

  /// Returns the names of all files, in any order.
  func names() throws -> [String]
}

extension StateStorage {
  /// Replaces a file with a copy that is safe from a power loss.
  ///
  /// Until the copy is complete, the name of the copy is the name of the file followed by
  /// `.copy`.
  public func synchronize(_ name: String) throws {
    guard let data = try read(name) else { return }
    try write(data, to: "\(name).copy")
    try rename("\(name).copy", to: name)
  }
}
