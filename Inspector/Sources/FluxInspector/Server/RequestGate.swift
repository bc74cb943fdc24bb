import FlyingFox
import Foundation

/// Decides who is let in: those who have the token, come to this machine by its own name, and come from the page itself.
///
/// The token keeps others on this machine out, the check of the host those who make a browser believe that their name is
/// this machine's, and that of the origin other pages in the same browser.
struct RequestGate: Sendable {
  let token: String
  let port: UInt16

  /// What a request is for, without the token; `nil` if it is not let in.
  func path(of request: HTTPRequest) -> String? {
    guard let host = request.headers[.host], hosts.contains(host.lowercased()) else { return nil }
    if let origin = request.headers[HTTPHeader("Origin")] {
      guard hosts.contains(where: { "http://\($0)" == origin.lowercased() }) else { return nil }
    } else if request.headers[.upgrade] != nil {
      return nil
    }
    // As it came, and not as the server makes it read: what is not exactly right is wrong.
    let parts = request.target.path().split(separator: "/", maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count == 3, parts[0].isEmpty, isToken(parts[1]) else { return nil }
    return String(parts[2])
  }

  private var hosts: [String] {
    ["127.0.0.1", "localhost"].map { "\($0):\(port)" }
  }

  /// Compares all of it, so that the time that it takes tells nothing.
  private func isToken(_ text: Substring) -> Bool {
    let (given, right) = (Array(text.utf8), Array(token.utf8))
    guard given.count == right.count else { return false }
    return zip(given, right).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
  }

  /// A new token, which nobody can guess: 128 bits of the system's own chance.
  static func makeToken() -> String {
    var generator = SystemRandomNumberGenerator()
    return (0..<2).map { _ in
      let part = String(generator.next() as UInt64, radix: 16)
      return String(repeating: "0", count: 16 - part.count) + part
    }.joined()
  }
}
