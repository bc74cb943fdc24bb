/// The clients of a server, with the number of the newest action that the server has received from
/// each client.
///
/// A client repeats a call whose answer was lost. The numbers let the server recognize the actions
/// that it has received before.
package struct SyncedClients: Hashable, Codable, Sendable {
  private var newest: [ClientID: UInt64] = [:]

  package init() {}

  /// Returns the number of the newest action that the server has received from a client, or zero.
  package func received(from client: ClientID) -> UInt64 { newest[client, default: 0] }

  /// Returns a value that contains only some of the clients.
  package func part(of clients: Set<ClientID>) -> SyncedClients {
    var part = SyncedClients()
    for client in clients { part.newest[client] = newest[client] }
    return part
  }

  /// Takes over the numbers of the clients in a part.
  package mutating func take(_ part: SyncedClients) {
    for (client, number) in part.newest { newest[client] = number }
  }

  /// Receives consecutive actions of a client.
  ///
  /// - Returns: The numbers of the actions that are new, or `nil` if there are none. If an earlier
  ///   action is missing, no action is received, so that the order of actions is preserved.
  package mutating func receive(_ numbers: OutboxRules.Numbers, from client: ClientID) -> OutboxRules.Numbers?
  {
    let (next, isTooLarge) = received(from: client).addingReportingOverflow(1)
    guard !isTooLarge, numbers.contains(next) else { return nil }
    newest[client] = numbers.upperBound
    return next...numbers.upperBound
  }
}
