import FluxLog
import Foundation

/// A directory for a journal, which is removed when the object is released.
final class JournalTestFolder: Sendable {
  let url: URL

  /// Creates a directory.
  ///
  /// - Parameter name: A name by which an exit test can find the directory of its parent process.
  init(named name: String = UUID().uuidString, of process: pid_t = getpid()) {
    url = FileManager.default.temporaryDirectory.appending(path: "journal-\(process)-\(name)")
  }

  /// Returns a copy of the files, as a crash at this moment would leave them.
  func copy() throws -> JournalTestFolder {
    let copy = JournalTestFolder()
    try FileManager.default.copyItem(at: url, to: copy.url)
    return copy
  }

  func report() throws(LogError) -> CrashReport? { try CrashReport.load(from: url) }

  deinit {
    try? FileManager.default.removeItem(at: url)
  }
}
