public import Foundation

/// The connection of a replica to its server.
///
/// A program implements the protocol with the network library that it uses. The messages are
/// `Codable`. A ``ReplicaServer`` is also a transport, for tests and for programs that contain
/// both sides.
public protocol ReplicaTransport: Sendable {
  /// Sends actions to the server, and returns the number of the newest action of this client that
  /// the server has received.
  ///
  /// The server has stored the actions when the call returns. If the call throws an error, the
  /// actions are sent again. The server recognizes them by their numbers.
  func push(_ actions: PushedActions) async throws -> UInt64

  /// Returns the entries of the server's log from a position on, including entries that arrive
  /// later.
  ///
  /// The entries are consecutive and in their order. If the sequence ends or throws an error, the
  /// replica asks for the following entries again.
  ///
  /// - Throws: A ``LogError`` with the code ``LogError/Code/truncated`` from the iterator, if the
  ///   log no longer contains the entries. The replica then asks for a snapshot.
  func entries(from position: LogPosition) -> any AsyncSequence<[ReplicaEntry], any Error> & Sendable

  /// Returns the newest state of the server.
  func snapshot(for client: ClientID) async throws -> ReplicaSnapshot
}

/// An action as JSON, with the name under which its type is registered.
public struct EncodedAction: Hashable, Codable, Sendable {
  /// The name of the action's type in an `ActionRegistry`.
  public var name: String
  /// The action as JSON.
  public var json: String

  /// Creates an encoded action.
  public init(name: String, json: String) {
    self.name = name
    self.json = json
  }
}

/// Consecutive actions that a client sends to its server.
public struct PushedActions: Hashable, Codable, Sendable {
  /// The client that sends the actions.
  public var client: ClientID
  /// The number of the first action among all actions of the client, beginning with one.
  public var firstNumber: UInt64
  /// The actions in their order.
  public var actions: [EncodedAction]

  /// Creates a message.
  public init(from client: ClientID, firstNumber: UInt64, _ actions: [EncodedAction]) {
    self.client = client
    self.firstNumber = firstNumber
    self.actions = actions
  }
}

/// An entry of a server's log, as clients receive it.
public struct ReplicaEntry: Hashable, Codable, Sendable {
  /// The result of an action.
  public enum Outcome: Hashable, Codable, Sendable {
    /// The server has accepted the action.
    case accepted(EncodedAction)
    /// The server has accepted another action instead, with its own ids for temporary ids.
    case changed(EncodedAction, ids: [String: String])
    /// The server has refused the action.
    case refused(reason: String)
  }

  /// The position of the entry.
  public var position: LogPosition
  /// The client that has sent the action.
  public var client: ClientID
  /// The number of the action among all actions of the client.
  public var number: UInt64
  /// The result of the action.
  public var outcome: Outcome

  /// Creates an entry.
  public init(at position: LogPosition, from client: ClientID, number: UInt64, _ outcome: Outcome) {
    self.position = position
    self.client = client
    self.number = number
    self.outcome = outcome
  }
}

/// A state of a server, as clients receive it.
public struct ReplicaSnapshot: Hashable, Codable, Sendable {
  /// The position of the first entry whose effect the state does not contain.
  public var position: LogPosition
  /// The number of the newest action of the client that is in the entries before the position.
  public var number: UInt64
  /// The server's ids for the temporary ids that the client has given.
  public var ids: [String: String]
  /// The state as JSON.
  public var state: Data

  /// Creates a snapshot.
  public init(at position: LogPosition, number: UInt64, ids: [String: String] = [:], state: Data) {
    self.position = position
    self.number = number
    self.ids = ids
    self.state = state
  }
}
