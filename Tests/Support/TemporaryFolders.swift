package import Foundation

/// Folders that are removed when the test program ends.
///
/// Use them in tests that cannot remove a folder themselves, because an object that a test returns
/// still uses the folder.
package enum TemporaryFolders {
  private static let parent: URL = {
    let parent = FileManager.default.temporaryDirectory.appending(path: "tests-\(UUID())")
    _ = atexit { try? FileManager.default.removeItem(at: TemporaryFolders.parent) }
    return parent
  }()

  /// Returns the location of a new folder, which does not exist yet.
  package static func newLocation() -> URL { parent.appending(path: UUID().uuidString) }
}
