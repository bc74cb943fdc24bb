public import FluxCore

/// A part of a client's state that is shared with a server, and shown before the server has
/// confirmed it.
///
/// ```swift
/// struct AppState: FluxState {
///   var list = Replica(ShoppingList())
/// }
/// ```
///
/// The server orders the actions of all clients in a log. The confirmed state contains the effects
/// of the entries of the log that the client has received. The shown state also contains the
/// effects of the client's own actions that are not in these entries. A ``ReplicaSync`` sends the
/// actions, and receives the entries.
///
/// A replica is a value. It changes only through the actions that its ``ReplicaSync`` reduces.
public struct Replica<Shared: Sendable>: Sendable {
  package typealias Rules = ReplicaRules<Shared, any Action>

  /// The states and the pending actions.
  package private(set) var rules: Rules
  /// A number that increases with each change.
  package private(set) var version: UInt64 = 0

  /// Creates a replica that contains no entry of the server's log.
  ///
  /// - Parameter initial: The state before the first entry of the log, which is the same for the
  ///   server and all clients.
  public init(_ initial: Shared) {
    self.init(Rules(of: ClientID(""), Rules.Confirmed(initial)) { _, _ in })
  }

  package init(_ rules: Rules) {
    self.rules = rules
  }

  /// The state to show: the confirmed state with the effects of the pending actions.
  public var shown: Shared { rules.shown }

  /// The state that the server has confirmed.
  public var confirmed: Shared { rules.confirmed.state }

  /// The position of the first entry of the server's log that the confirmed state does not
  /// contain.
  public var position: LogPosition { rules.confirmed.position }

  /// The client's actions that the server has neither confirmed nor refused, in their order.
  public var pending: [any Action] { rules.pending.map(\.change) }

  /// The number of pending actions.
  public var pendingCount: Int { rules.pending.count }

  /// Adds an action of the client.
  ///
  /// Temporary ids that the server has replaced before are replaced in the action.
  package mutating func add(_ action: any Action, by reduce: Rules.Reduce) {
    version += 1
    rules.add(
      Rules.Pending(rules.newest + 1, action.replacingTemporaryIDs(rules.confirmed.ids)), by: reduce)
  }

  /// Receives entries of the server's log, unless they do not continue the confirmed state.
  package mutating func receive(_ entries: [Rules.Entry], by reduce: Rules.Reduce) {
    let refusals = try? rules.receive(
      entries, replacingIDs: { $0.replacingTemporaryIDs($1) }, by: reduce)
    guard refusals != nil else { return }
    version += 1
  }

  /// A Boolean value that indicates whether the replica belongs to no client yet.
  var isBlank: Bool { rules.client == ClientID("") }

  /// Replaces the states, and keeps the pending actions that are newer than those of the new
  /// rules.
  package mutating func replace(by new: Rules, by reduce: Rules.Reduce) {
    let newer = rules.pending.filter { isBlank || $0.number > new.newest }
    version += 1
    rules = new
    for action in newer { add(action.change, by: reduce) }
  }
}

extension Replica: Equatable where Shared: Equatable {
  /// Returns a Boolean value that indicates whether two replicas have equal states and the same
  /// pending actions.
  ///
  /// Pending actions are compared by their numbers.
  public static func == (first: Replica, second: Replica) -> Bool {
    let (first, second) = (first.rules, second.rules)
    return first.client == second.client && first.confirmed == second.confirmed
      && first.pending.map(\.number) == second.pending.map(\.number) && first.shown == second.shown
  }
}
