import FluxCore
public import Foundation

/// A storage that keeps its files in memory, for tests and previews.
///
/// ```swift
/// let storage = InMemoryStorage()
/// storage.failure = { operation in if case .write = operation { DiskFull() } else { nil } }
/// ```
///
/// It is shared by reference, so that a second persistence on it finds what the first one saved. Safe from
/// any thread.
public final class InMemoryStorage: StateStorage {
  /// What is asked of a storage.
  public enum Operation: Hashable, Sendable {
    /// ``InMemoryStorage/read(_:)``.
    case read(String)
    /// ``InMemoryStorage/write(_:to:)``.
    case write(String)
    /// ``InMemoryStorage/rename(_:to:)``.
    case rename(String, to: String)
    /// ``InMemoryStorage/names()``.
    case names
  }

  /// A rename of a file that is not there.
  public struct MissingFile: Error, CustomStringConvertible {
    /// The name that no file has.
    public let name: String

    /// Says which file is missing.
    public var description: String { "there is no file \(name)" }
  }

  private let kept: Locked<[String: Data]>
  private let failing = Locked<(@Sendable (Operation) -> (any Error)?)?>(nil)

  /// Creates a storage with files.
  public init(files: [String: Data] = [:]) {
    kept = Locked(files)
  }

  /// All files by their names.
  public var files: [String: Data] {
    get { kept.withLock { $0 } }
    set { _ = kept.exchange(newValue) }
  }

  /// Makes operations fail: asked before each one, it gives the error that is thrown instead.
  ///
  /// It is called on the thread of the operation, outside any lock.
  public var failure: (@Sendable (Operation) -> (any Error)?)? {
    get { failing.withLock { $0 } }
    set { _ = failing.exchange(newValue) }
  }

  /// The contents of a file, or `nil` if there is none of that name.
  public func read(_ name: String) throws -> Data? {
    try failIfAsked(.read(name))
    return kept.withLock { $0[name] }
  }

  /// Keeps the contents of a file; O(1).
  public func write(_ data: Data, to name: String) throws {
    try failIfAsked(.write(name))
    kept.withLock { $0[name] = data }
  }

  /// Gives a file another name.
  ///
  /// - Throws: ``MissingFile`` if there is none.
  public func rename(_ name: String, to newName: String) throws {
    try failIfAsked(.rename(name, to: newName))
    try kept.withLock { files throws(MissingFile) in
      guard let data = files.removeValue(forKey: name) else { throw MissingFile(name: name) }
      files[newName] = data
    }
  }

  /// Does nothing: memory has no files that are safe from a loss of power.
  public func synchronize(_ name: String) {}

  /// The names of all files.
  public func names() throws -> [String] {
    try failIfAsked(.names)
    return kept.withLock { Array($0.keys) }
  }

  private func failIfAsked(_ operation: Operation) throws {
    if let error = failure?(operation) { throw error }
  }
}
