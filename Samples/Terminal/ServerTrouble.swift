/// Why a server did not do what it was asked for.
package struct ServerTrouble: Error, Equatable, CustomStringConvertible {
  package enum Kind: Equatable, Sendable {
    /// There is no answer to be had.
    case unreachable
    /// There was no answer in the time there is.
    case timedOut
    /// The answer has a status that is none of success.
    case status(Int)
  }

  package let kind: Kind
  /// What happened, in one sentence for the user.
  package let description: String

  init(_ kind: Kind, _ description: String) {
    self.kind = kind
    self.description = description
  }
}
