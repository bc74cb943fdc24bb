public import Foundation

/// A place where ``Persistence`` keeps files by name: ``FileStorage``, ``InMemoryStorage``, or a type of your
/// own.
///
/// A ``Persistence`` wraps an error that an operation throws in a ``PersistenceError``; the description of the
/// error should say what happened. An operation that throws has changed nothing, or has done all of its work,
/// or, if it is a write, has left a part of the file.
///
/// A ``Persistence`` calls the operations on the threads that load, flush, or release a store, and on a
/// background thread, one at a time. An operation may block. It must not call the persistence.
public protocol StateStorage: Sendable {
  /// Returns the contents of a file, or `nil` if there is no file of that name.
  func read(_ name: String) throws -> Data?

  /// Writes a file, in place of its earlier contents.
  ///
  /// When the method returns, the contents are safe from a loss of power; the name of a new file is safe once
  /// ``rename(_:to:)`` or ``synchronize(_:)`` returns. An interrupted write may leave a part of the file.
  func write(_ data: Data, to name: String) throws

  /// Gives a file another name, in place of a file that has it.
  ///
  /// A rename is atomic: an interrupted rename has happened, or has not. When the method returns, the rename is
  /// safe from a loss of power.
  func rename(_ name: String, to newName: String) throws

  /// Makes the contents and the name of an existing file safe from a loss of power.
  ///
  /// A process that is killed during a write or a rename can leave a file that another process reads and that
  /// the disk does not have yet. The default implementation writes a copy of the file under another name, and
  /// renames the copy.
  func synchronize(_ name: String) throws

  /// Returns the names of all files, in any order.
  func names() throws -> [String]
}

extension StateStorage {
  /// Replaces a file with a copy of itself, which is safe from a loss of power.
  ///
  /// The copy has the name of the file with `.copy` at its end until it is complete.
  public func synchronize(_ name: String) throws {
    guard let data = try read(name) else { return }
    try write(data, to: "\(name).copy")
    try rename("\(name).copy", to: name)
  }
}
