package import Foundation

/// The right to use a folder, which one process at a time has for as long as it keeps this.
package final class FolderLock: Sendable {
  private let file: Int32

  /// Takes a folder, which is made if it is not there.
  ///
  /// - Throws: ``Taken``, or what the system says.
  package init(_ folder: URL) throws {
    try JournalFolder.make(folder)
    let path = folder.appending(path: "lock").path
    file = try JournalFolder.open(path, O_WRONLY | O_CREAT)
    // The system gives it back when the process ends, however it ends.
    guard flock(file, LOCK_EX | LOCK_NB) == 0 else { throw Taken(folder: folder.path) }
  }

  deinit {
    close(file)
  }

  /// Another process uses the folder.
  package struct Taken: Error, CustomStringConvertible {
    let folder: String

    package var description: String { "Another board is kept in \(folder) by a program that is running." }
  }
}
