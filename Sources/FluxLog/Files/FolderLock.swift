import FluxMiddleware
import Foundation

/// The exclusive right of one object to use a folder, until it is released.
final class FolderLock: Sendable {
  private let descriptor: Int32

  /// Locks a folder, and creates the folder if it does not exist.
  ///
  /// - Parameters:
  ///   - storage: The folder.
  ///   - contents: The contents of the folder, for the messages of errors.
  init(_ storage: FileStorage, of contents: String = "log") throws(LogError) {
    let name = "lock"
    let path = storage.directory.appendingPathComponent(name, isDirectory: false).path
    do {
      if try storage.read(name) == nil { try storage.write(Data(), to: name) }
      descriptor = try openRegularFile(path, O_RDONLY | O_NOFOLLOW, permissions: 0o600)
    } catch {
      throw LogError(.unwritable, "The \(contents) in \(storage.directory.path) cannot be locked: \(error).")
    }
    // The system releases the lock when the process ends for any reason.
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      // The object is complete, so its deinitializer closes the file.
      throw LogError(.inUse, "The \(contents) in \(storage.directory.path) is in use.")
    }
  }

  /// Lets another object use the folder, although this object still exists.
  func release() {
    _ = flock(descriptor, LOCK_UN)
  }

  deinit {
    close(descriptor)
  }
}
