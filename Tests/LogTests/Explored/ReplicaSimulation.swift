import FluxCore
import Foundation
import TestSupport

@testable import FluxLog

/// Clients and servers on one log.
///
/// The network loses, repeats, and reorders messages, and each connection between a client and a
/// server can be interrupted. The log loses answers to appends, and its entries are replaced by
/// snapshots. Clients and servers are killed at any step. The clock jumps, so a client can call
/// again at any time after a failure. A generator chooses each step, so a seed repeats a
/// simulation.
struct ReplicaSimulation {
  typealias Rules = Replica<[Int]>.Rules

  /// A mistake in a client or in a server.
  enum Mistake: CaseIterable {
    case serverForgetsClients, serverKeepsStateAfterConflict, clientReusesNumbers
    case serverAnswersWithoutReading, clientForgetsPosition, clientDropsUnsentActions
    case clientExpectsNoWrittenActions, clientDropsActionsAtSnapshot
    case serverRepeatsAfterLostAnswer, snapshotForgetsClients, snapshotForgetsIDs
  }

  /// An action that adds a value, which no other action has.
  ///
  /// A server replaces a temporary value, which is negative.
  struct Add: Action {
    let value: Int
  }

  /// An action that adds a value again.
  struct Repeat: TemporaryIDAction {
    let value: Int

    func replacingTemporaryIDs(_ ids: TemporaryIDs) -> Repeat {
      Repeat(value: ids["\(value)"].flatMap { Int($0) } ?? value)
    }
  }

  /// A client, and what remains of it after a kill.
  struct Client {
    let id: ClientID
    var replica: Replica<[Int]>
    var outbox = OutboxRules()
    var writing: OutboxRules.Numbers?
    var call: Int?
    /// The servers that the client cannot reach.
    var unreachable: Set<Int> = []
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
      replica = Replica(Rules(of: id, saved, by: ReplicaSimulation.reduce))
      outbox.connectionChanged(isOnline: true)
    }

    var rules: Rules { replica.rules }
  }

  /// A client or a server.
  enum Process {
    case client(Int)
    case server(Int)
  }

  /// A message between a client and a server.
  enum Message {
    case push([Rules.Pending], call: Int)
    case answer(call: Int, received: UInt64)
    case pull(from: LogPosition)
    case entries([Rules.Entry])
    case snapshot(Rules.Confirmed)
  }

  struct Letter {
    let client: Int
    let server: Int
    let life: Int
    let message: Message
  }

  let mistake: Mistake?
  private var generator: SeededGenerator
  var clients: [Client]
  var servers: [ServerRules<[Int]>]
  /// All entries that were ever appended.
  var log: [ServerRules<[Int]>.Entry] = []
  /// The snapshot of the log, which replaces the entries before its position.
  var snapshot = ServerRules<[Int]>([])
  /// A Boolean value that indicates whether the log appends the next entries, and loses its answer.
  var losesNextAnswer = false
  var letters: [Letter] = []
  private var lastValue = 0
  /// The actions that each client has written, by their numbers.
  private var written: [[UInt64: any Action]]
  var finding: String?

  init(seed: UInt64, clients count: Int = 3, servers: Int = 2, _ mistake: Mistake? = nil) {
    self.mistake = mistake
    generator = SeededGenerator(seed: seed)
    clients = (0..<count).map { Client(ClientID("client \($0)")) }
    self.servers = Array(repeating: ServerRules([]), count: servers)
    written = Array(repeating: [:], count: count)
  }

  static func reduce(_ state: inout [Int], _ action: any Action) {
    switch action {
    case let action as Add: state.append(action.value)
    case let action as Repeat: if state.contains(action.value) { state.append(action.value) }
    default: break
    }
  }

  /// Performs a number of steps, and then delivers everything.
  ///
  /// - Parameter kill: A step, and the process that is killed after it.
  mutating func run(steps: Int, killing kill: (step: Int, Process)? = nil) {
    for number in 0..<steps where finding == nil {
      step()
      if number == kill?.step, let process = kill?.1 { self.kill(process) }
    }
    for index in clients.indices { clients[index].unreachable = [] }
    for _ in 0..<8 {
      for index in clients.indices { calmSteps(of: index) }
    }
    checkEnd()
  }

  // MARK: Steps

  private mutating func step() {
    let client = Int.random(in: clients.indices, using: &generator)
    let server = Int.random(in: servers.indices, using: &generator)
    switch Int.random(in: 0..<100, using: &generator) {
    case 0..<12: add(to: client)
    case 12..<24: clients[client].writing = clients[client].outbox.beginWrite() ?? clients[client].writing
    case 24..<33: endWrite(of: client)
    case 33..<35: endWrite(of: client, isDone: false, isAnswered: false)
    case 35..<36: endWrite(of: client, isAnswered: false)
    case 36..<46: push(from: client)
    case 46..<54: pull(from: client)
    case 54..<82: if let index = letters.indices.randomElement(using: &generator) { deliver(at: index) }
    case 82..<85:
      if let index = letters.indices.randomElement(using: &generator) { letters.remove(at: index) }
    case 85..<88: if let letter = letters.randomElement(using: &generator) { letters.append(letter) }
    case 88..<90: fail(client)
    // A jump of the clock ends the waits of all clients.
    case 90..<92: for index in clients.indices { clients[index].outbox.waitEnded() }
    case 92..<93: clients[client].saved = clients[client].rules.confirmed
    case 93..<94:
      clients[client].disk.removeAll { [number = clients[client].saved.number] in $0.number <= number }
    case 94..<96: kill(.client(client))
    case 96..<97: kill(.server(server))
    case 97..<98: save(server)
    case 98..<99: losesNextAnswer = true
    default:
      if clients[client].unreachable.remove(server) == nil { clients[client].unreachable.insert(server) }
    }
  }

  private mutating func calmSteps(of client: Int) {
    letters = []
    losesNextAnswer = false
    fail(client)
    clients[client].outbox.waitEnded()
    clients[client].writing = clients[client].outbox.beginWrite() ?? clients[client].writing
    endWrite(of: client)
    push(from: client)
    while !letters.isEmpty, finding == nil { deliver(at: 0) }
    pull(from: client)
    while !letters.isEmpty, finding == nil { deliver(at: 0) }
  }

  private mutating func add(to client: Int) {
    lastValue += 1
    let action: any Action =
      switch Int.random(in: 0..<4, using: &generator) {
      case 0: Repeat(value: -Int.random(in: 1...lastValue, using: &generator))
      case 1: Add(value: -lastValue)
      default: Add(value: lastValue)
      }
    _ = clients[client].outbox.add()
    clients[client].replica.add(action, by: Self.reduce)
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
      written[client][action.number] = action.change
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

  private mutating func fail(_ client: Int) {
    if let call = clients[client].call.take() { clients[client].outbox.failed(call) }
  }

  private mutating func send(_ message: Message, from client: Int) {
    let server = Int.random(in: servers.indices, using: &generator)
    letters.append(Letter(client: client, server: server, life: clients[client].life, message: message))
  }

  private mutating func kill(_ process: Process) {
    switch process {
    case .client(let index): kill(client: index)
    case .server(let index):
      servers[index] = snapshot
      catchUp(index)
    }
  }

  private mutating func kill(client: Int) {
    var next = Client(clients[client].id)
    let old = clients[client]
    next.disk =
      mistake == .clientDropsUnsentActions ? old.disk.filter { $0.number <= old.acknowledged } : old.disk
    (next.saved, next.endOfDisk) = (old.saved, old.endOfDisk)
    let confirmed =
      mistake == .clientForgetsPosition
      ? Rules.Confirmed(old.saved.state, at: .start, number: old.saved.number) : old.saved
    // The outbox replaces the ids that the saved state knows.
    let disk = next.disk.map { Rules.Pending($0.number, $0.change.replacingTemporaryIDs(confirmed.ids)) }
    next.replica = Replica(Rules(of: old.id, confirmed, written: disk, by: Self.reduce))
    next.outbox = OutboxRules(
      confirmed: old.saved.number,
      written: mistake == .clientReusesNumbers ? 0 : next.disk.last?.number ?? 0)
    next.outbox.connectionChanged(isOnline: true)
    next.life = old.life + 1
    next.acknowledged = old.acknowledged
    clients[client] = next
  }

  /// Saves the state of a server in the log, and removes the entries before it.
  private mutating func save(_ server: Int) {
    guard servers[server].position > snapshot.position else { return }
    let rules = servers[server]
    switch mistake {
    case .snapshotForgetsClients: snapshot = ServerRules(rules.state, at: rules.position)
    case .snapshotForgetsIDs: snapshot = ServerRules(rules.state, rules.clients, at: rules.position)
    default: snapshot = rules
    }
  }

  // MARK: Rules

  private mutating func checkEnd() {
    guard finding == nil else { return }
    var expected: [Int] = []
    for entry in log { if let action = entry.outcome.change { Self.reduce(&expected, action) } }
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
      var ids = TemporaryIDs()
      for entry in own {
        if case .changed(_, let new) = entry.outcome { ids.add(new) }
        guard let written = written[index][entry.number], !isSame(written, entry, ids) else { continue }
        finding = "Action \(entry.number) of \(client.id) has changed."
      }
    }
    for server in servers.indices {
      catchUp(server)
      if servers[server].state != expected { finding = "Server \(server) has \(servers[server].state)." }
    }
  }

  /// Returns a Boolean value that indicates whether an entry contains the outcome of an action.
  ///
  /// - Parameter ids: The ids that replace the temporary ids in the action.
  private func isSame(
    _ action: any Action, _ entry: ServerRules<[Int]>.Entry, _ ids: TemporaryIDs
  ) -> Bool {
    switch (action, entry.outcome) {
    case (let action as Add, .accepted(let other as Add)): action.value == other.value
    case (let action as Add, .changed(let other as Add, let ids)):
      ids == ["\(action.value)": "\(other.value)"]
    case (let action as Add, .refused): Self.isRefused(action)
    case (let action as Repeat, .accepted(let other as Repeat)):
      action.replacingTemporaryIDs(ids).value == other.value
    default: false
    }
  }
}
