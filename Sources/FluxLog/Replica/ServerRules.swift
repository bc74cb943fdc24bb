public import FluxCore

/// The decision of a server about an action.
public enum ReplicaDecision: Sendable {
  /// The server accepts the action.
  case accept
  /// The server accepts another action instead, for example an action with the server's own id.
  ///
  /// The dictionary contains the server's ids for the temporary ids in the action of the client.
  /// In the later actions of the client, the ids are replaced if the action is a
  /// ``TemporaryIDAction``. The client and the server keep the ids.
  case change(any Action, ids: [String: String])
  /// The server refuses the action, for the given reason.
  case refuse(String)
}

/// The rules by which a server orders the actions of its clients.
///
/// The value has no lock, no task, and no storage. A server decides about actions on a copy,
/// appends the entries to its log, and keeps the copy only if the append succeeds. The copy
/// contains only the clients that have sent the actions, so the cost of an append does not depend
/// on the number of all clients.
struct ServerRules<Shared: Sendable>: Sendable {
  typealias Reduce = (inout Shared, any Action) -> Void

  /// An action with the client that has sent it and the decision of the server.
  struct Entry: Sendable {
    let client: ClientID
    let number: UInt64
    let outcome: Replica<Shared>.Rules.Outcome
    /// The number of the newest action whose result the client had saved when it sent the action.
    var saved: UInt64 = 0
  }

  private(set) var state: Shared
  private(set) var clients: SyncedClients
  /// The ids that replace the temporary ids of each client.
  private(set) var ids: [ClientID: TemporaryIDs]
  /// The reasons for the refusals that each client may not have received, by the number of the
  /// action.
  private(set) var refusals: [ClientID: [UInt64: String]]
  /// The position of the first entry whose effect the state does not contain.
  private(set) var position: LogPosition

  init(
    _ state: Shared, _ clients: SyncedClients = SyncedClients(), ids: [ClientID: TemporaryIDs] = [:],
    refusals: [ClientID: [UInt64: String]] = [:], at position: LogPosition = .start
  ) {
    self.state = state
    self.clients = clients
    self.ids = ids
    self.refusals = refusals
    self.position = position
  }

  /// Returns rules that contain only some of the clients, and the same state.
  func part(of clients: Set<ClientID>) -> ServerRules {
    var part = ServerRules(state, self.clients.part(of: clients), at: position)
    for client in clients {
      part.ids[client] = ids[client]
      part.refusals[client] = refusals[client]
    }
    return part
  }

  /// Takes over the state of a part, and what the part contains about some clients.
  mutating func take(_ part: ServerRules, of clients: Set<ClientID>) {
    self.clients.take(part.clients)
    for client in clients {
      ids[client] = part.ids[client]
      refusals[client] = part.refusals[client]
    }
    state = part.state
    position = part.position
  }

  /// Decides about consecutive actions of a client.
  ///
  /// - Parameters:
  ///   - actions: The actions, or the reason why an action is refused.
  ///   - first: The number of the first action.
  ///   - client: The client that has sent the actions.
  ///   - saved: The number of the newest action whose result the client has saved.
  ///   - decide: A closure that decides about an action in a state.
  ///   - reduce: The reducer.
  /// - Returns: The entries to append. The actions that the server has received before have none.
  mutating func decide(
    about actions: [Replica<Shared>.Rules.Outcome], from first: UInt64, of client: ClientID,
    saved: UInt64 = 0, deciding decide: (Shared, any Action) -> ReplicaDecision, by reduce: Reduce
  ) -> [Entry] {
    guard let last = actions.indices.last else { return [] }
    let (end, isTooLarge) = first.addingReportingOverflow(UInt64(last))
    guard !isTooLarge, let new = clients.receive(first...end, from: client) else { return [] }
    return new.map { number in
      var outcome = actions[Int(number - first)]
      if let action = outcome.change {
        outcome = self.outcome(of: action.replacingTemporaryIDs(ids[client] ?? [:]), by: decide)
      }
      let entry = Entry(client: client, number: number, outcome: outcome, saved: saved)
      apply(entry, by: reduce)
      return entry
    }
  }

  private func outcome(
    of action: any Action, by decide: (Shared, any Action) -> ReplicaDecision
  ) -> Replica<Shared>.Rules.Outcome {
    switch decide(state, action) {
    case .accept: .accepted(action)
    case .change(let action, let ids): .changed(action, ids: ids)
    case .refuse(let reason): .refused(reason)
    }
  }

  private mutating func apply(_ entry: Entry, by reduce: Reduce) {
    if case .changed(_, let new) = entry.outcome, !new.isEmpty {
      ids[entry.client, default: [:]].add(new)
    }
    if entry.saved > 0, let kept = refusals[entry.client]?.filter({ $0.key > entry.saved }) {
      refusals[entry.client] = kept.isEmpty ? nil : kept
    }
    if case .refused(let reason) = entry.outcome {
      refusals[entry.client, default: [:]][entry.number] = reason
    }
    if let action = entry.outcome.change { reduce(&state, action) }
    position = position.advanced(by: 1)
  }

  /// Reduces entries of the log, which begin at the position of the state.
  mutating func receive(_ entries: [Entry], by reduce: Reduce) {
    for entry in entries {
      _ = clients.receive(entry.number...entry.number, from: entry.client)
      apply(entry, by: reduce)
    }
  }
}
