import FlyingFox
import Foundation

/// The page that shows the board, and its files.
struct Pages {
  /// The files, by the path of the request.
  private static let files = [
    "": "board.html", "board.css": "board.css", "board.js": "board.js", "outbox.js": "outbox.js",
    "replica.js": "replica.js", "sender.js": "sender.js", "worker.js": "worker.js",
  ]
  private static let kinds = ["html": "text/html", "css": "text/css", "js": "text/javascript"]

  private var responses: [String: HTTPResponse] = [:]

  /// - Throws: An error if a file cannot be read.
  init() throws {
    for (name, file) in Self.files {
      guard let url = Bundle.module.url(forResource: file, withExtension: nil, subdirectory: "Pages"),
        let kind = Self.kinds[url.pathExtension]
      else {
        throw CocoaError(.fileNoSuchFile)
      }
      var headers = Answers.headers
      headers[.contentType] = "\(kind); charset=utf-8"
      headers[HTTPHeader("Cache-Control")] = "no-cache"
      headers[HTTPHeader("Content-Security-Policy")] =
        "default-src 'none'; script-src 'self'; worker-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; "
        + "form-action 'none'; base-uri 'none'; frame-ancestors 'none'"
      responses[name] = HTTPResponse(statusCode: .ok, headers: headers, body: try Data(contentsOf: url))
    }
  }

  subscript(name: String) -> HTTPResponse? { responses[name] }
}
