import FluxCore
import TestSupport

@testable import FluxLog

// The messages between clients and servers, and the log of the servers.

extension ReplicaSimulation {
  mutating func deliver(at index: Int) {
    let letter = letters.remove(at: index)
    let client = letter.client
    guard !clients[client].unreachable.contains(letter.server) else { return }
    switch letter.message {
    case .push(let actions, let call):
      guard receive(actions, from: client, at: letter.server) else { return }
      let received = servers[letter.server].clients.received(from: clients[client].id)
      reply(to: letter, .answer(call: call, received: received))
    case .pull(let position): answerPull(letter, from: position)
    case .answer(let call, let received):
      guard letter.life == clients[client].life else { return }
      do {
        try clients[client].outbox.answered(call, received: received)
        if clients[client].call == call { clients[client].call = nil }
        clients[client].acknowledged = max(clients[client].acknowledged, received)
      } catch {
        finding = "\(clients[client].id): \(error)"
      }
    case .entries(let entries):
      guard letter.life == clients[client].life else { return }
      do {
        // The replica ignores a mismatch, which the client has found before.
        _ = try clients[client].rules.decisions(in: entries)
        clients[client].replica.receive(entries, by: Self.reduce)
        try clients[client].outbox.confirm(through: clients[client].rules.confirmed.number)
      } catch {
        finding = "\(clients[client].id): \(error)"
      }
    case .snapshot(let confirmed):
      guard letter.life == clients[client].life else { return }
      install(confirmed, in: client)
    }
  }

  private mutating func reply(to letter: Letter, _ message: Message) {
    letters.append(
      Letter(client: letter.client, server: letter.server, life: letter.life, message: message))
  }

  // MARK: Entries and snapshots

  private mutating func answerPull(_ letter: Letter, from position: LogPosition) {
    catchUp(letter.server)
    let (id, server) = (clients[letter.client].id, servers[letter.server])
    guard position >= snapshot.position else {
      return reply(
        to: letter,
        .snapshot(
          Rules.Confirmed(
            server.state, at: server.position, number: server.clients.received(from: id),
            ids: server.ids[id] ?? [:])))
    }
    let entries = log.enumerated().dropFirst(Int(position.offset)).map { index, entry in
      Rules.Entry(at: LogPosition(UInt64(index)), from: entry.client, entry.number, entry.outcome)
    }
    reply(to: letter, .entries(Array(entries)))
  }

  /// Replaces the confirmed state of a client, unless it is newer.
  ///
  /// A client asks for a snapshot once, and waits for it. Here, a snapshot can arrive late.
  private mutating func install(_ confirmed: Rules.Confirmed, in client: Int) {
    let old = clients[client].rules.confirmed
    guard confirmed.position >= old.position, confirmed.number >= old.number else { return }
    guard confirmed.number <= clients[client].outbox.written else {
      finding = "\(clients[client].id) does not know action \(confirmed.number)."
      return
    }
    let rules = Rules(of: clients[client].id, confirmed) { _, _ in }
    if mistake == .clientDropsActionsAtSnapshot {
      clients[client].replica = Replica(rules)
    } else {
      clients[client].replica.replace(by: rules, by: Self.reduce)
    }
    // The number was compared with the written actions before.
    try? clients[client].outbox.confirm(through: confirmed.number)
  }

  // MARK: Servers

  static func isRefused(_ action: Add) -> Bool { action.value % 7 == 0 }

  private static func decide(_ state: [Int], _ action: any Action) -> ReplicaDecision {
    guard let action = action as? Add else { return .accept }
    if isRefused(action) { return .refuse("A multiple of seven.") }
    guard action.value < 0 else { return .accept }
    let value = 1_000_000 + state.count
    return .change(Add(value: value), ids: ["\(action.value)": "\(value)"])
  }

  /// Appends the actions of a client that the log does not contain.
  ///
  /// - Returns: `false` if the log has lost its answer, so that the server answers with an error.
  private mutating func receive(_ actions: [Rules.Pending], from client: Int, at server: Int) -> Bool {
    guard let first = actions.first?.number else { return true }
    while true {
      var new = servers[server]
      let entries = new.decide(
        about: actions.map { .accepted($0.change) }, from: first, of: clients[client].id,
        deciding: Self.decide, by: Self.reduce)
      let isAtEnd = servers[server].position == LogPosition(UInt64(log.count))
      if isAtEnd || entries.isEmpty && mistake == .serverAnswersWithoutReading {
        log += entries
        if losesNextAnswer, !entries.isEmpty {
          losesNextAnswer = false
          if mistake == .serverRepeatsAfterLostAnswer { log += entries }
          return false
        }
        servers[server] = new
        return true
      }
      if mistake == .serverKeepsStateAfterConflict { servers[server] = new }
      catchUp(server)
      if servers[server].position > LogPosition(UInt64(log.count)) {
        finding = "Server \(server) has entries that the log does not contain."
        return true
      }
    }
  }

  mutating func catchUp(_ server: Int) {
    if servers[server].position < snapshot.position { servers[server] = snapshot }
    let position = Int(servers[server].position.offset)
    guard position < log.count else { return }
    let entries = Array(log[position...])
    if mistake == .serverForgetsClients {
      var rules = ServerRules<[Int]>([])
      rules.receive(Array(log), by: Self.reduce)
      servers[server] = ServerRules(rules.state, at: rules.position)
    } else {
      servers[server].receive(entries, by: Self.reduce)
    }
  }
}
