public import Foundation

/// A place where files are kept by name, for ``Persistence``: ``FileStorage`` and ``InMemoryStorage``, or one
/// of your own.
///
/// The four operations are what is needed to never lose a state: a save writes aside and then renames, and
/// what cannot be used is renamed. What an operation throws is wrapped in a ``PersistenceError``; its
/// description should say what happened. An operation that throws has changed nothing, or has done what it
/// was asked, or, if it is a write, has left a part.
///
/// They are called on the threads that load, flush, or release a store, and on a background thread; by one
/// persistence, one at a time. They may block, and must not call the persistence.
public protocol StateStorage: Sendable {
  /// The contents of a file, or `nil` if there is none of that name.
  func read(_ name: String) throws -> Data?

  /// Writes a file, in place of what it was.
  ///
  /// When it returns, the contents are safe from a loss of power. Interrupted, it may leave a part.
  func write(_ data: Data, to name: String) throws

  /// Gives a file another name, in place of a file that has it.
  ///
  /// It is atomic: whenever it is interrupted, it has happened or not. When it returns, it is safe from a
  /// loss of power.
  func rename(_ name: String, to newName: String) throws

  /// The names of all files, in any order.
  func names() throws -> [String]
}
