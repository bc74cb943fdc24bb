public import FluxCore

/// An action that reports that the server has refused an action of this client.
///
/// When the action is reduced, the effect of the refused action has already disappeared from the
/// shown state. If the program is killed at that moment, the next start reports the refusal again.
public struct ActionRefused: Action {
  /// The action that the server has refused.
  public let action: any Action
  /// The reason that the server states.
  public let reason: String

  /// Creates an action that reports a refusal.
  public init(_ action: any Action, reason: String) {
    self.action = action
    self.reason = reason
  }
}

/// An action that can contain temporary ids, which a server replaces by its own ids.
///
/// A client that creates an element without a connection gives it a temporary id. When the server
/// accepts the action, it can choose another id, as ``ReplicaDecision/change(_:ids:)`` describes.
/// The id is then replaced in the later actions of the client, on the client and on the server.
public protocol TemporaryIDAction: Action {
  /// Returns a copy of the action in which ids are replaced.
  ///
  /// - Parameter ids: The server's ids for temporary ids.
  func replacingTemporaryIDs(_ ids: TemporaryIDs) -> Self
}

extension Action {
  /// Returns a copy of the action in which temporary ids are replaced, if the action can contain
  /// any.
  func replacingTemporaryIDs(_ ids: TemporaryIDs) -> any Action {
    guard !ids.isEmpty, let action = self as? any TemporaryIDAction else { return self }
    return action.replacingTemporaryIDs(ids)
  }
}

/// The identity of a ``ReplicaSync``, by which a store with several replicas finds the replica
/// that an action concerns.
final class ReplicaIdentity: Sendable {}

/// An action that gives entries of the server's log to a replica.
struct ReceiveEntries<Shared: Sendable>: Action {
  let identity: ReplicaIdentity
  let entries: [Replica<Shared>.Rules.Entry]
}

/// An action that replaces a replica that is older than the replica that was shown before.
struct ReplaceReplica<Shared: Sendable>: Action {
  let identity: ReplicaIdentity
  let rules: Replica<Shared>.Rules
}
