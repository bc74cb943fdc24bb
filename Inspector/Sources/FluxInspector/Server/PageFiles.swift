import Foundation

/// The files of the page, read from their folder next to the program.
struct PageFiles: Sendable {
  /// The content type of each file extension; other files do not belong to the page.
  private static let types = [
    "html": "text/html; charset=utf-8", "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "svg": "image/svg+xml",
  ]

  private let folder: URL?

  /// Finds the folder of the files.
  ///
  /// The standard property `Bundle.module` is not used, because it stops the program if the
  /// program was moved without the files.
  init() {
    let name = "FluxInspector_FluxInspector"
    let places = [Bundle.main.resourceURL, Bundle.main.bundleURL].compactMap(\.self).flatMap { place in
      ["resources", "bundle", "bundle/Contents/Resources"].map { place.appending(path: "\(name).\($0)") }
    }
    let source = URL(filePath: #filePath).deletingLastPathComponent()
    folder = (places + [source]).map { $0.appending(path: "Page") }.first {
      FileManager.default.fileExists(atPath: $0.appending(path: "index.html").path)
    }
  }

  /// A Boolean value that indicates whether the files were found.
  var areThere: Bool { folder != nil }

  /// Returns a file's bytes and type; returns `nil` if no such file exists.
  func file(_ path: String) -> (bytes: Data, type: String)? {
    let name = path.isEmpty ? "index.html" : path
    guard let folder, let end = name.split(separator: ".").last, let type = Self.types[String(end)],
      name.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || "-_.".contains($0)) }),
      !name.hasPrefix("."),
      let bytes = FileManager.default.contents(atPath: folder.appending(path: name).path)
    else { return nil }
    return (bytes, type)
  }
}
