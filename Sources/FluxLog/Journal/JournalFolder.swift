import FluxMiddleware
import Foundation

/// The files of a journal in a directory.
///
/// The file `journal` belongs to the running program. When the next program starts, it renames the
/// file to `crash`, unless the previous program has ended normally.
struct JournalFolder: Sendable {
  static let current = "journal"
  static let crashed = "crash"
  private static let partial = "journal.partial"
  private static let lockName = "lock"

  private let storage: FileStorage

  init(_ directory: URL) {
    storage = FileStorage(directory: directory)
  }

  /// Locks the directory.
  func lock() throws(LogError) -> FolderLock { try FolderLock(storage, of: "journal") }

  /// Keeps the file of a crashed program under another name, and creates a new file.
  ///
  /// The caller has locked the directory.
  func begin(count: Int) throws(LogError) -> (MappedFile, JournalRing) {
    let directory = storage.directory.path
    if let contents = try read(Self.current) {
      try change("The old journal in \(directory) cannot be renamed") {
        if JournalContents(contents).isClean {
          try storage.remove(Self.current)
        } else {
          try storage.rename(Self.current, to: Self.crashed)
        }
      }
    }
    return try change("The journal in \(directory) cannot be created") {
      let path = storage.directory.appendingPathComponent(Self.partial, isDirectory: false).path
      let file = try MappedFile(creating: path, count: count)
      let ring = JournalRing(in: file, count: count)
      try storage.rename(Self.partial, to: Self.current)
      return (file, ring)
    }
  }

  /// Returns the contents of the file of the newest crash, and its name.
  func newestCrash() throws(LogError) -> (name: String, bytes: [UInt8])? {
    let (names, lock) = try look()
    defer { withExtendedLifetime(lock) {} }
    if lock != nil || !names.contains(Self.lockName), names.contains(Self.current),
      let bytes = try read(Self.current), !JournalContents(bytes).isClean
    {
      return (Self.current, bytes)
    }
    return try read(Self.crashed).map { (Self.crashed, $0) }
  }

  /// Removes the file of the newest crash, and of older crashes.
  func removeCrashes() throws(LogError) {
    let (names, lock) = try look()
    defer { withExtendedLifetime(lock) {} }
    try change("The report in \(storage.directory.path) cannot be removed") {
      if lock != nil, names.contains(Self.current) { try storage.remove(Self.current) }
      if names.contains(Self.crashed) { try storage.remove(Self.crashed) }
    }
  }

  /// Returns the names of the files, and locks the directory if it contains a lock that no other
  /// object holds.
  private func look() throws(LogError) -> (names: [String], lock: FolderLock?) {
    let names: [String]
    do {
      names = try storage.names()
    } catch {
      throw LogError(.unreadable, "The journal in \(storage.directory.path) cannot be found: \(error).")
    }
    guard names.contains(Self.lockName) else { return (names, nil) }
    do throws(LogError) {
      return (names, try lock())
    } catch {
      guard error.code == .inUse else { throw error }
      return (names, nil)
    }
  }

  private func read(_ name: String) throws(LogError) -> [UInt8]? {
    do {
      return try storage.read(name).map { [UInt8]($0) }
    } catch {
      throw LogError(
        .unreadable, "The file \(name) in \(storage.directory.path) cannot be read: \(error).")
    }
  }

  private func change<Result>(_ problem: String, _ body: () throws -> Result) throws(LogError) -> Result {
    do {
      return try body()
    } catch {
      throw LogError(.unwritable, "\(problem): \(error).")
    }
  }
}
