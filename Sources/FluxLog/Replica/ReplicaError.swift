/// A problem with a replica.
///
/// The error is a structure with a code, like ``LogError``.
public struct ReplicaError: Error, Hashable, Sendable {
  /// A code that identifies a problem.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    private enum Value: String, Sendable {
      case undecodable, unencodable, unwritable, unreachable, mismatch, otherAction, replaced
    }

    private let value: Value

    /// An action or a state cannot be decoded, for example because a newer version of the program
    /// has encoded it.
    ///
    /// The replica receives no further entries until the program starts again.
    public static let undecodable = Code(value: .undecodable)
    /// An action cannot be encoded.
    ///
    /// The server receives an action without contents in its place, and refuses it.
    public static let unencodable = Code(value: .unencodable)
    /// The outbox cannot be read or written.
    ///
    /// Pending actions are shown, but they are not sent, and are lost if the program ends. The
    /// replica tries again after a delay.
    public static let unwritable = Code(value: .unwritable)
    /// The server cannot be reached.
    ///
    /// The replica tries again after a delay.
    public static let unreachable = Code(value: .unreachable)
    /// The client and the server do not know the same actions, for example because one of them was
    /// replaced by a backup.
    ///
    /// The replica sends and receives nothing until the program starts again.
    public static let mismatch = Code(value: .mismatch)
    /// The server has accepted another action instead of an action of this client, which is no
    /// longer pending.
    ///
    /// The shown state contains the action of the server. For example, the outbox was replaced by a
    /// backup, or the server runs an earlier version of the program that lacks a property of the
    /// action.
    public static let otherAction = Code(value: .otherAction)
    /// Other code, such as a history, has replaced the replica in the state by an older one.
    ///
    /// The newer replica was put back.
    public static let replaced = Code(value: .replaced)

    /// The name of the code, such as `unreachable`.
    public var description: String { value.rawValue }
  }

  /// The kind of problem.
  public let code: Code
  /// The explanation of the problem, as a sentence.
  public let message: String

  /// Creates an error.
  public init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }
}

extension ReplicaError: CustomStringConvertible {
  /// The explanation of the problem.
  public var description: String { message }
}
