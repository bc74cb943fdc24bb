import FluxCore
public import Foundation

/// A storage that keeps its files in memory, for tests and previews.
///
/// ```swift
/// let storage = InMemoryStorage()
/// storage.failure = { operation in if case .write = operation { DiskFull() } else { nil } }
/// ```
///
/// The storage is a reference type, so that a second `Persistence` object can load the files that
/// the first object saved. You can use the storage from any thread.
public final class InMemoryStorage: StateStorage {
  /// A call to a method of the storage.
  public enum Operation: Hashable, Sendable {
    /// A call to ``InMemoryStorage/read(_:)``.
    case read(String)
    /// A call to ``InMemoryStorage/write(_:to:)``.
    case write(String)
    /// A call to ``InMemoryStorage/rename(_:to:)``.
    case rename(String, to: String)
    /// A call to ``InMemoryStorage/names()``.
    case names
  }

  /// An error that is thrown when the file to rename does not exist.
  public struct MissingFile: Error, CustomStringConvertible {
    /// The name of the missing file.
    public let name: String

    /// A description with the name of the missing file.
    public var description: String { "the file \(name) does not exist" }
  }

  private let kept: Locked<[String: Data]>
  private let failing = Locked<(@Sendable (Operation) -> (any Error)?)?>(nil)

  /// Creates a storage that contains the given files.
  public init(files: [String: Data] = [:]) {
    kept = Locked(files)
  }

  /// The contents of all files, by name.
  public var files: [String: Data] {
    get { kept.withLock { $0 } }
    set { _ = kept.exchange(newValue) }
  }

  /// A closure that can make operations fail.
  ///
  /// The closure is called before each operation, on the same thread and outside any lock. If
  /// the closure returns an error, the operation throws that error and does nothing else.
  public var failure: (@Sendable (Operation) -> (any Error)?)? {
    get { failing.withLock { $0 } }
    set { _ = failing.exchange(newValue) }
  }

  /// Returns the contents of a file, or `nil` if there is no file with that name.
  public func read(_ name: String) throws -> Data? {
    try failIfAsked(.read(name))
    return kept.withLock { $0[name] }
  }

  /// Stores the contents of a file.
  ///
  /// The method takes O(1) time.
  public func write(_ data: Data, to name: String) throws {
    try failIfAsked(.write(name))
    kept.withLock { $0[name] = data }
  }

  /// Renames a file.
  ///
  /// - Throws: ``MissingFile`` if there is no file with that name.
  public func rename(_ name: String, to newName: String) throws {
    try failIfAsked(.rename(name, to: newName))
    try kept.withLock { files throws(MissingFile) in
      guard let data = files.removeValue(forKey: name) else { throw MissingFile(name: name) }
      files[newName] = data
    }
  }

  /// Does nothing, because files in memory are never safe from a power loss.
  public func synchronize(_ name: String) {}

  /// Returns the names of all files.
  public func names() throws -> [String] {
    try failIfAsked(.names)
    return kept.withLock { Array($0.keys) }
  }

  private func failIfAsked(_ operation: Operation) throws {
    if let error = failure?(operation) { throw error }
  }
}
