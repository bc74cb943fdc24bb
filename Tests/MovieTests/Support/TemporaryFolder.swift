import Foundation

/// A folder of pages that is removed when the test ends.
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

  /// The path of a page, whether or not the file exists.
  func path(ofPage number: Int) -> String {
    url.appendingPathComponent("page-\(number).json").path
  }

  /// Writes the given text as a page.
  func write(_ text: String, page number: Int) throws {
    try Data(text.utf8).write(to: URL(fileURLWithPath: path(ofPage: number)))
  }

  /// Removes the folder and its contents.
  func remove() throws {
    try FileManager.default.removeItem(at: url)
  }
}
