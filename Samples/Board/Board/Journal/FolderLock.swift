package import Foundation

/// The exclusive right of one process to use a folder, for the lifetime of this object.
package final class FolderLock: Sendable {
  private let file: Int32

  /// Locks a folder, and creates it if it does not exist.
  ///
  /// - Throws: ``Taken``, or an error of the system.
  package init(_ folder: URL) throws {
    try JournalFolder.make(folder)
    let path = folder.appending(path: "lock").path
    file = try JournalFolder.open(path, O_WRONLY | O_CREAT)
    // The system releases the lock when the process ends for any reason.
    guard flock(file, LOCK_EX | LOCK_NB) == 0 else { throw Taken(folder: folder.path) }
  }

  deinit {
    close(file)
  }

  /// An error that indicates that another process uses the folder.
  package struct Taken: Error, CustomStringConvertible {
    let folder: String

    package var description: String { "The folder \(folder) is in use by another running board." }
  }
}
