import FluxLog
import Foundation

/// A directory for a journal, which is removed when the object is released.
final class JournalTestFolder: Sendable {
  let url = FileManager.default.temporaryDirectory.appending(path: "journal-\(UUID())")

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
