import FlyingFox
import Foundation

/// The page that shows the board, and its files.
struct Pages {
  private static let kinds = [
    "": ("board.html", "text/html; charset=utf-8"), "board.css": ("board.css", "text/css; charset=utf-8"),
    "board.js": ("board.js", "text/javascript; charset=utf-8"),
  ]

  private var responses: [String: HTTPResponse] = [:]

  /// - Throws: An error if a file cannot be read.
  init() throws {
    for (name, (file, kind)) in Self.kinds {
      guard let url = Bundle.module.url(forResource: file, withExtension: nil, subdirectory: "Pages") else {
        throw CocoaError(.fileNoSuchFile)
      }
      var headers = Answers.headers
      headers[.contentType] = kind
      headers[HTTPHeader("Cache-Control")] = "no-cache"
      headers[HTTPHeader("Content-Security-Policy")] =
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; "
        + "frame-ancestors 'none'"
      responses[name] = HTTPResponse(statusCode: .ok, headers: headers, body: try Data(contentsOf: url))
    }
  }

  subscript(name: String) -> HTTPResponse? { responses[name] }
}
