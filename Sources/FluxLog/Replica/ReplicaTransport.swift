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
  /// The number of the newest action whose result the client has saved.
  ///
  /// The server no longer keeps the refusals of actions up to this number.
  public var savedNumber: UInt64

  /// Creates a message.
  public init(
    from client: ClientID, firstNumber: UInt64, _ actions: [EncodedAction], savedNumber: UInt64 = 0
  ) {
    self.client = client
    self.firstNumber = firstNumber
    self.actions = actions
    self.savedNumber = savedNumber
  }

  /// Decodes a message, which can lack the saved number.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      from: try container.decode(ClientID.self, forKey: .client),
      firstNumber: try container.decode(UInt64.self, forKey: .firstNumber),
      try container.decode([EncodedAction].self, forKey: .actions),
      savedNumber: try container.decodeIfPresent(UInt64.self, forKey: .savedNumber) ?? 0)
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
  /// An action of the client that the server has refused.
  public struct Refusal: Hashable, Codable, Sendable {
    /// The number of the action among all actions of the client.
    public var number: UInt64
    /// The reason that the server states.
    public var reason: String

    /// Creates a refusal.
    public init(number: UInt64, reason: String) {
      self.number = number
      self.reason = reason
    }
  }

  /// The position of the first entry whose effect the state does not contain.
  public var position: LogPosition
  /// The number of the newest action of the client that is in the entries before the position.
  public var number: UInt64
  /// The server's ids for the temporary ids that the client has given.
  public var ids: [String: String]
  /// The refusals of the client's actions whose results the client has not saved, in the order of
  /// their numbers.
  public var refusals: [Refusal]
  /// The state as JSON.
  public var state: Data

  /// Creates a snapshot.
  public init(
    at position: LogPosition, number: UInt64, ids: [String: String] = [:], refusals: [Refusal] = [],
    state: Data
  ) {
    self.position = position
    self.number = number
    self.ids = ids
    self.refusals = refusals
    self.state = state
  }

  /// Decodes a snapshot, which can lack the refusals.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      at: try container.decode(LogPosition.self, forKey: .position),
      number: try container.decode(UInt64.self, forKey: .number),
      ids: try container.decode([String: String].self, forKey: .ids),
      refusals: try container.decodeIfPresent([Refusal].self, forKey: .refusals) ?? [],
      state: try container.decode(Data.self, forKey: .state))
  }
}
