/// An error of a request to a server.
package struct ServerTrouble: Error, Equatable, CustomStringConvertible {
  package enum Kind: Equatable, Sendable {
    /// The server did not answer.
    case unreachable
    /// The server did not answer within the time limit.
    case timedOut
    /// The answer has a status that does not indicate success.
    case status(Int)
  }

  package let kind: Kind
  /// A description of the error, in one sentence for the user.
  package let description: String

  init(_ kind: Kind, _ description: String) {
    self.kind = kind
    self.description = description
  }
}
