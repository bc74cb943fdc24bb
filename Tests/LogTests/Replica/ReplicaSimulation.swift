import FluxCore
import Foundation
import TestSupport

@testable import FluxLog

/// Clients and servers on one log, with a network that loses, repeats, and reorders messages, is
/// interrupted, and with kills of clients and servers at any step.
///
/// A generator chooses each step, so a seed repeats a simulation.
struct ReplicaSimulation {
  typealias Rules = Replica<[Int]>.Rules

  /// A mistake in a client or in a server.
  enum Mistake: CaseIterable {
    case serverForgetsClients, serverKeepsStateAfterConflict, clientReusesNumbers
    case serverAnswersWithoutReading, clientForgetsPosition, clientDropsUnsentActions
    case clientExpectsNoWrittenActions
  }

  /// An action that adds a value, which no other action has.
  struct Add: Action {
    let value: Int
  }

  /// A client, and what remains of it after a kill.
  struct Client {
    let id: ClientID
    var rules: Rules
    var outbox = OutboxRules()
    var writing: OutboxRules.Numbers?
    var call: Int?
    var isConnected = true
    var life = 0
    var disk: [Rules.Pending] = []
    /// The number of the newest action that the disk has received.
    var endOfDisk: UInt64 = 0
    var saved: Rules.Confirmed
    /// The number of the newest action that a server has acknowledged.
    var acknowledged: UInt64 = 0

    init(_ id: ClientID) {
      self.id = id
      saved = Rules.Confirmed([])
      rules = Rules(of: id, saved, by: ReplicaSimulation.reduce)
      outbox.connectionChanged(isOnline: true)
    }
  }

  /// A message between a client and a server.
  enum Message {
    case push([Rules.Pending], call: Int)
    case answer(call: Int, received: UInt64)
    case pull(from: LogPosition)
    case entries([Rules.Entry])
  }

  struct Letter {
    let client: Int
    let server: Int
    let life: Int
    let message: Message
  }

  let mistake: Mistake?
  private var generator: SeededGenerator
  private(set) var clients: [Client]
  private(set) var servers: [ServerRules<[Int]>]
  private(set) var log: [ServerRules<[Int]>.Entry] = []
  private var letters: [Letter] = []
  private var lastValue = 0
  /// The values of the actions that each client has written, by their numbers.
  private var written: [[UInt64: Int]]
  private(set) var finding: String?

  init(seed: UInt64, clients count: Int = 3, servers: Int = 2, _ mistake: Mistake? = nil) {
    self.mistake = mistake
    generator = SeededGenerator(seed: seed)
    clients = (0..<count).map { Client(ClientID("client \($0)")) }
    self.servers = Array(repeating: ServerRules([]), count: servers)
    written = Array(repeating: [:], count: count)
  }

  static func reduce(_ state: inout [Int], _ action: any Action) {
    if let action = action as? Add { state.append(action.value) }
  }

  /// Performs a number of steps, and then delivers everything.
  mutating func run(steps: Int) {
    for _ in 0..<steps where finding == nil { step() }
    for index in clients.indices { clients[index].isConnected = true }
    for _ in 0..<8 {
      for index in clients.indices { calmSteps(of: index) }
    }
    checkEnd()
  }

  // MARK: Steps

  private mutating func step() {
    let client = Int.random(in: clients.indices, using: &generator)
    switch Int.random(in: 0..<100, using: &generator) {
    case 0..<12: add(to: client)
    case 12..<24: clients[client].writing = clients[client].outbox.beginWrite() ?? clients[client].writing
    case 24..<33: endWrite(of: client)
    case 33..<35: endWrite(of: client, isDone: false, isAnswered: false)
    case 35..<36: endWrite(of: client, isAnswered: false)
    case 36..<46: push(from: client)
    case 46..<54: pull(from: client)
    case 54..<84: if let index = letters.indices.randomElement(using: &generator) { deliver(at: index) }
    case 84..<87:
      if let index = letters.indices.randomElement(using: &generator) { letters.remove(at: index) }
    case 87..<90: if let letter = letters.randomElement(using: &generator) { letters.append(letter) }
    case 90..<92: giveUp(client)
    case 92..<94: clients[client].saved = clients[client].rules.confirmed
    case 94..<95:
      clients[client].disk.removeAll { [number = clients[client].saved.number] in $0.number <= number }
    case 95..<97: kill(client)
    case 97..<98: restart(Int.random(in: servers.indices, using: &generator))
    default: clients[client].isConnected.toggle()
    }
  }

  private mutating func calmSteps(of client: Int) {
    letters = []
    giveUp(client)
    clients[client].writing = clients[client].outbox.beginWrite() ?? clients[client].writing
    endWrite(of: client)
    push(from: client)
    while !letters.isEmpty, finding == nil { deliver(at: 0) }
    pull(from: client)
    while !letters.isEmpty, finding == nil { deliver(at: 0) }
  }

  private mutating func add(to client: Int) {
    lastValue += 1
    let number = clients[client].outbox.add()
    clients[client].rules.add(Rules.Pending(number, Add(value: lastValue)), by: Self.reduce)
  }

  private mutating func endWrite(of client: Int, isDone: Bool = true, isAnswered: Bool = true) {
    guard let numbers = clients[client].writing.take() else { return }
    let isWritten = isDone && write(numbers, of: client)
    clients[client].outbox.writeEnded(isSuccess: isWritten && isAnswered)
  }

  /// Writes actions at the end of the disk, or finds that the disk ends with these actions.
  private mutating func write(_ numbers: OutboxRules.Numbers, of client: Int) -> Bool {
    let end = clients[client].endOfDisk
    guard numbers.lowerBound == end + 1 else {
      return numbers.upperBound == end && mistake != .clientExpectsNoWrittenActions
    }
    for action in clients[client].rules.pending where numbers.contains(action.number) {
      clients[client].disk.append(action)
      written[client][action.number] = (action.change as? Add)?.value
    }
    clients[client].endOfDisk = numbers.upperBound
    return true
  }

  private mutating func push(from client: Int) {
    guard let sending = clients[client].outbox.beginSending() else { return }
    clients[client].call = sending.call
    let actions = clients[client].rules.pending.filter { sending.numbers.contains($0.number) }
    send(.push(actions, call: sending.call), from: client)
  }

  private mutating func pull(from client: Int) {
    send(.pull(from: clients[client].rules.confirmed.position), from: client)
  }

  private mutating func giveUp(_ client: Int) {
    if let call = clients[client].call.take() { clients[client].outbox.failed(call) }
    clients[client].outbox.waitEnded()
  }

  private mutating func send(_ message: Message, from client: Int) {
    guard clients[client].isConnected else { return }
    let server = Int.random(in: servers.indices, using: &generator)
    letters.append(Letter(client: client, server: server, life: clients[client].life, message: message))
  }

  private mutating func kill(_ client: Int) {
    var next = Client(clients[client].id)
    let old = clients[client]
    next.disk =
      mistake == .clientDropsUnsentActions ? old.disk.filter { $0.number <= old.acknowledged } : old.disk
    (next.saved, next.endOfDisk) = (old.saved, old.endOfDisk)
    let confirmed =
      mistake == .clientForgetsPosition
      ? Rules.Confirmed(old.saved.state, at: .start, number: old.saved.number) : old.saved
    next.rules = Rules(of: old.id, confirmed, written: next.disk, by: Self.reduce)
    next.outbox = OutboxRules(
      confirmed: old.saved.number,
      written: mistake == .clientReusesNumbers ? 0 : next.disk.last?.number ?? 0)
    next.outbox.connectionChanged(isOnline: true)
    next.life = old.life + 1
    next.acknowledged = old.acknowledged
    clients[client] = next
  }

  private mutating func restart(_ server: Int) {
    servers[server] = ServerRules([])
    catchUp(server)
  }

  // MARK: Messages

  private mutating func deliver(at index: Int) {
    let letter = letters.remove(at: index)
    let client = letter.client
    guard clients[client].isConnected else { return }
    switch letter.message {
    case .push(let actions, let call):
      receive(actions, from: client, at: letter.server)
      let received = servers[letter.server].clients.received(from: clients[client].id)
      reply(to: letter, .answer(call: call, received: received))
    case .pull(let position):
      catchUp(letter.server)
      let entries = log.enumerated().dropFirst(Int(position.offset)).map { index, entry in
        Rules.Entry(at: LogPosition(UInt64(index)), from: entry.client, entry.number, entry.outcome)
      }
      reply(to: letter, .entries(Array(entries)))
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
        _ = try clients[client].rules.receive(entries, by: Self.reduce)
        try clients[client].outbox.confirm(through: clients[client].rules.confirmed.number)
      } catch {
        finding = "\(clients[client].id): \(error)"
      }
    }
  }

  private mutating func reply(to letter: Letter, _ message: Message) {
    letters.append(
      Letter(client: letter.client, server: letter.server, life: letter.life, message: message))
  }

  private mutating func receive(_ actions: [Rules.Pending], from client: Int, at server: Int) {
    guard let first = actions.first?.number else { return }
    while true {
      var new = servers[server]
      let entries = new.decide(
        about: actions.map { .accepted($0.change) }, from: first, of: clients[client].id,
        deciding: { _, action in
          (action as? Add).map { $0.value % 7 == 0 } == true ? .refuse("A multiple of seven.") : .accept
        }, by: Self.reduce)
      let isAtEnd = servers[server].position == LogPosition(UInt64(log.count))
      if isAtEnd || entries.isEmpty && mistake == .serverAnswersWithoutReading {
        log += entries
        servers[server] = new
        return
      }
      if mistake == .serverKeepsStateAfterConflict { servers[server] = new }
      catchUp(server)
      if servers[server].position > LogPosition(UInt64(log.count)) {
        finding = "Server \(server) has entries that the log does not contain."
        return
      }
    }
  }

  private mutating func catchUp(_ server: Int) {
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

  // MARK: Rules

  private mutating func checkEnd() {
    guard finding == nil else { return }
    let expected = log.compactMap { ($0.outcome.change as? Add)?.value }
    for (index, client) in clients.enumerated() {
      let own = log.filter { $0.client == client.id }
      if own.map(\.number) != (0..<own.count).map({ UInt64($0 + 1) }) {
        finding = "The log contains the actions \(own.map(\.number)) of \(client.id)."
      }
      if client.rules.shown != expected || client.rules.confirmed.state != expected {
        finding = "\(client.id) shows \(client.rules.shown), and not \(expected)."
      }
      if UInt64(own.count) < client.acknowledged || own.count < written[index].count {
        finding = "An action of \(client.id) was written or acknowledged, and is not in the log."
      }
      for entry in own {
        guard let value = (entry.outcome.change as? Add)?.value else { continue }
        if written[index][entry.number] != value {
          finding = "Action \(entry.number) of \(client.id) has changed."
        }
      }
    }
    for server in servers.indices {
      catchUp(server)
      if servers[server].state != expected { finding = "Server \(server) has \(servers[server].state)." }
    }
  }
}
