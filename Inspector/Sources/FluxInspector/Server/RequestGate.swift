import FlyingFox
import Foundation

/// A check that accepts a request only if the request contains the token, names this machine as
/// its host, and comes from the page itself.
///
/// The token prevents access by other users of this machine. The check of the host excludes sites
/// whose names resolve to this machine. The check of the origin prevents access by other pages in
/// the same browser.
struct RequestGate: Sendable {
  let token: String
  let port: UInt16

  /// Returns the path of a request, without the token; returns `nil` if the request is refused.
  func path(of request: HTTPRequest) -> String? {
    guard let host = request.headers[.host], hosts.contains(host.lowercased()) else { return nil }
    if let origin = request.headers[HTTPHeader("Origin")] {
      guard hosts.contains(where: { "http://\($0)" == origin.lowercased() }) else { return nil }
    } else if request.headers[.upgrade] != nil {
      return nil
    }
    // The check uses the path as the client sent it, instead of the path that the server decoded,
    // so that only one spelling of a path is accepted.
    let parts = request.target.path().split(separator: "/", maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count == 3, parts[0].isEmpty, isToken(parts[1]) else { return nil }
    return String(parts[2])
  }

  private var hosts: [String] {
    ["127.0.0.1", "localhost"].map { "\($0):\(port)" }
  }

  /// Compares all bytes, so that the duration reveals nothing about the token.
  private func isToken(_ text: Substring) -> Bool {
    let (given, right) = (Array(text.utf8), Array(token.utf8))
    guard given.count == right.count else { return false }
    return zip(given, right).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
  }

  /// Returns a new token that cannot be guessed: 128 bits of the system's random numbers.
  static func makeToken() -> String {
    var generator = SystemRandomNumberGenerator()
    return (0..<2).map { _ in
      let part = String(generator.next() as UInt64, radix: 16)
      return String(repeating: "0", count: 16 - part.count) + part
    }.joined()
  }
}
