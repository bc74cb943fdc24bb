import Foundation

/// The files that the page consists of, read from where they lie beside the program.
struct PageFiles: Sendable {
  /// What is read as what; other files are not the page's.
  private static let types = [
    "html": "text/html; charset=utf-8", "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "svg": "image/svg+xml",
  ]

  private let folder: URL?

  /// Finds the files.
  ///
  /// The system's own way, `Bundle.module`, stops a program that was moved without them.
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

  /// Whether there are any.
  var areThere: Bool { folder != nil }

  /// A file's bytes and type; `nil` if there is no such file.
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
