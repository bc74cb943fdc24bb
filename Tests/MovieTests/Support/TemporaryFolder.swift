import Foundation

/// A folder of pages that is gone when the test is.
final class TemporaryFolder: Sendable {
  let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory
      .appendingPathComponent("movie-tests-\(UUID().uuidString)", isDirectory: true)
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(at: url)
  }

  /// The path of a page, whether it is there or not.
  func path(ofPage number: Int) -> String {
    url.appendingPathComponent("page-\(number).json").path
  }

  /// Writes a page as it is given.
  func write(_ text: String, page number: Int) throws {
    try Data(text.utf8).write(to: URL(fileURLWithPath: path(ofPage: number)))
  }

  /// Takes the folder away, with all that is in it.
  func remove() throws {
    try FileManager.default.removeItem(at: url)
  }
}
