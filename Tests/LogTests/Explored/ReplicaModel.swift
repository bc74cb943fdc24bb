@testable import FluxLog

/// A client, a network that loses, repeats, and reorders messages, and a server.
///
/// The client runs as the engine of a replica will run it: it writes its actions, sends written
/// actions, pulls entries, and saves its confirmed state. It can be killed at any moment.
struct ReplicaModel: Hashable {
  typealias Client = ReplicaRules<[Int], Int>

  /// A mistake in the client or in the server.
  enum Mistake: CaseIterable {
    case sendsBeforeWriting, reusesNumbers, keepsConfirmedActions, savesNoNumber
    case receivesRepeatedActions, removesReceivedActions, removesConfirmedActions
    case ignoresLostAnswer, usesAnswersOfEarlierLife
    case writesMoreAfterFailure, expectsNoWrittenActions
  }

  /// A message on its way.
  ///
  /// The life is the number of times that the client was killed before it sent or requested the
  /// message.
  enum Message: Hashable {
    case actions(OutboxRules.Sending, [Client.Pending], life: Int)
    case answer(call: Int, received: UInt64, life: Int)
    case entries([Client.Entry], life: Int)

    fileprivate var life: Int {
      switch self {
      case .actions(_, _, let life), .answer(_, _, let life), .entries(_, let life): life
      }
    }
  }

  /// The numbers of events that can still happen.
  struct Remaining: Hashable {
    var actions = 0
    var failedWrites = 0
    var otherActions = 0
    var calls = 0
    var pulls = 0
    var saves = 0
    var removals = 0
    var kills = 0
    var losses = 0
    var repetitions = 0

    /// Families of programs, each of which has other events.
    static let families = [
      Remaining(actions: 3, failedWrites: 2, calls: 1, pulls: 1, kills: 1),
      Remaining(actions: 2, calls: 1, pulls: 1, saves: 1, removals: 1, kills: 1),
      Remaining(actions: 2, calls: 2, pulls: 1, kills: 1),
      Remaining(actions: 2, calls: 2, losses: 1, repetitions: 1),
      Remaining(actions: 1, otherActions: 1, calls: 1, pulls: 2, saves: 1, removals: 1, kills: 1),
      Remaining(actions: 2, otherActions: 1, calls: 1, pulls: 1, repetitions: 1),
    ]
  }

  static let own = ClientID("a")
  static let other = ClientID("b")
  /// The action that the server refuses.
  static let refused = 2

  let mistake: Mistake?
  var remaining: Remaining

  // MARK: The client

  private(set) var rules = OutboxRules()
  private(set) var replica = Client(of: own, Client.Confirmed([]), by: ReplicaModel.reduce)
  private(set) var disk: [Client.Pending] = []
  /// The number of the newest action that the disk has received.
  private var endOfDisk: UInt64 = 0
  private(set) var saved = Client.Confirmed([])
  private(set) var life = 0
  private var writing: OutboxRules.Numbers?
  private var lastWriteFailed = false
  private var calls: Set<Int> = []

  // MARK: The network and the server

  private(set) var messages: [Message] = []
  private(set) var log: [Client.Entry] = []
  private var clients = SyncedClients()

  /// The first rule that was broken.
  private(set) var finding: String?
  /// The changes of all actions that were written, by their numbers.
  private(set) var written: [UInt64: Int] = [:]

  init(_ remaining: Remaining, _ mistake: Mistake? = nil) {
    self.mistake = mistake
    self.remaining = remaining
    rules.connectionChanged(isOnline: true)
  }

  static func reduce(_ state: inout [Int], _ change: Int) { state.append(change) }

  // MARK: Events

  enum Event: Hashable {
    case add, addOther, beginWrite, endWrite, failWrite, loseWrite, send, giveUp, waitEnds
    case pull, save, remove, kill
    case deliver(Int), lose(Int), `repeat`(Int)
  }

  var events: [Event] {
    guard finding == nil else { return [] }
    var events: [Event] = [.beginWrite, .endWrite, .giveUp, .waitEnds]
    if writing != nil, remaining.failedWrites > 0 { events += [.failWrite, .loseWrite] }
    if remaining.calls > 0 { events.append(.send) }
    if remaining.actions > 0 { events.append(.add) }
    if remaining.otherActions > 0 { events.append(.addOther) }
    if remaining.pulls > 0 { events.append(.pull) }
    if remaining.saves > 0 { events.append(.save) }
    if remaining.removals > 0 { events.append(.remove) }
    if remaining.kills > 0 { events.append(.kill) }
    for index in messages.indices {
      events.append(.deliver(index))
      if remaining.losses > 0 { events.append(.lose(index)) }
      if remaining.repetitions > 0 { events.append(.repeat(index)) }
    }
    return events
  }

  /// Returns the model after an event, or `nil` if the event has no effect.
  func after(_ event: Event) -> ReplicaModel? {
    var next = self
    next.perform(event)
    guard next != self else { return nil }
    next.check()
    return next
  }

  private mutating func perform(_ event: Event) {
    switch event {
    case .add:
      remaining.actions -= 1
      let number = rules.add()
      replica.add(.init(number, Int(number) + 10 * life), by: Self.reduce)
    case .addOther:
      remaining.otherActions -= 1
      append(Self.other, 1, 100)
    case .beginWrite: beginWrite()
    case .endWrite: endWrite(isDone: true, isAnswered: true)
    case .failWrite, .loseWrite:
      remaining.failedWrites -= 1
      endWrite(isDone: event == .loseWrite, isAnswered: false)
    case .send: send()
    case .giveUp: for call in calls { rules.failed(call) }
    case .waitEnds: rules.waitEnded()
    case .pull: pull()
    case .save: save()
    case .remove: removeSaved()
    case .kill: kill()
    case .deliver(let index): deliver(messages.remove(at: index))
    case .lose(let index):
      remaining.losses -= 1
      messages.remove(at: index)
    case .repeat(let index):
      remaining.repetitions -= 1
      messages.append(messages[index])
    }
  }

  private mutating func beginWrite() {
    guard let numbers = rules.beginWrite() else { return }
    let isLonger = lastWriteFailed && mistake == .writesMoreAfterFailure
    writing = isLonger ? numbers.lowerBound...rules.newest : numbers
  }

  private mutating func endWrite(isDone: Bool, isAnswered: Bool) {
    guard let numbers = writing.take() else { return }
    let isWritten = isDone && write(numbers)
    lastWriteFailed = !isWritten || !isAnswered
    rules.writeEnded(isSuccess: !lastWriteFailed)
  }

  /// Writes actions at the end of the disk, or finds that the disk ends with these actions.
  private mutating func write(_ numbers: OutboxRules.Numbers) -> Bool {
    guard numbers.lowerBound == endOfDisk + 1 else {
      return numbers.upperBound == endOfDisk && mistake != .expectsNoWrittenActions
    }
    let actions = replica.pending.filter { numbers.contains($0.number) }
    disk += actions
    endOfDisk = numbers.upperBound
    for action in actions { written[action.number] = written[action.number] ?? action.change }
    return true
  }

  private mutating func send() {
    if mistake == .sendsBeforeWriting, rules.written < rules.newest {
      _ = rules.beginWrite()
      rules.writeEnded(isSuccess: true)
    }
    guard let sending = rules.beginSending() else { return }
    remaining.calls -= 1
    calls.insert(sending.call)
    let actions = replica.pending.filter { sending.numbers.contains($0.number) }
    messages.append(.actions(sending, actions, life: life))
  }

  private mutating func pull() {
    remaining.pulls -= 1
    let entries = log.filter { $0.position >= replica.confirmed.position }
    if !entries.isEmpty { messages.append(.entries(entries, life: life)) }
  }

  /// Saves the confirmed state.
  private mutating func save() {
    remaining.saves -= 1
    saved = replica.confirmed
    if mistake == .savesNoNumber { saved = Client.Confirmed(saved.state, at: saved.position) }
  }

  /// Removes the actions whose outcome the saved state contains from the disk.
  private mutating func removeSaved() {
    remaining.removals -= 1
    let number = mistake == .removesConfirmedActions ? replica.confirmed.number : saved.number
    disk.removeAll { $0.number <= number }
  }

  private mutating func kill() {
    remaining.kills -= 1
    life += 1
    (writing, calls, lastWriteFailed) = (nil, [], false)
    let kept = mistake == .keepsConfirmedActions ? Client.Confirmed(saved.state, at: saved.position) : saved
    replica = Client(of: Self.own, kept, written: disk, by: Self.reduce)
    let written = mistake == .reusesNumbers ? 0 : disk.last?.number ?? 0
    rules = OutboxRules(confirmed: saved.number, written: written)
    rules.connectionChanged(isOnline: true)
  }

  // MARK: Messages

  private mutating func deliver(_ message: Message) {
    switch message {
    case .actions(let sending, let actions, let life):
      receive(actions, in: sending.numbers)
      messages.append(
        .answer(call: sending.call, received: clients.received(from: Self.own), life: life))
    case .answer(let call, let received, _):
      // The connection of an earlier life has ended.
      guard message.life == life || mistake == .usesAnswersOfEarlierLife else { return }
      calls.remove(call)
      do {
        try rules.answered(call, received: received)
        if mistake == .removesReceivedActions { disk.removeAll { $0.number <= received } }
      } catch {
        finding = "\(error)"
      }
    case .entries(let entries, _):
      guard message.life == life else { return }
      do {
        _ = try replica.receive(entries, by: Self.reduce)
        try rules.confirm(through: replica.confirmed.number)
      } catch {
        finding = "\(error)"
      }
    }
  }

  private mutating func receive(_ actions: [Client.Pending], in numbers: OutboxRules.Numbers) {
    let unknown = clients.receive(numbers, from: Self.own)
    guard let new = mistake == .receivesRepeatedActions ? numbers : unknown else { return }
    for action in actions where new.contains(action.number) {
      append(Self.own, action.number, action.change)
    }
  }

  private mutating func append(_ client: ClientID, _ number: UInt64, _ change: Int) {
    let isRefused = change % 10 == Self.refused
    log.append(
      Client.Entry(
        at: LogPosition(UInt64(log.count)), from: client, number,
        isRefused ? .refused("even") : .accepted(change)))
  }

  // MARK: Rules

  private mutating func check() {
    guard finding == nil else { return }
    let own = log.filter { $0.client == Self.own }
    if own.map(\.number) != (0..<own.count).map({ UInt64($0 + 1) }) {
      return finding = "The server has received the actions \(own.map(\.number))."
    }
    for entry in own {
      if case .accepted(let change) = entry.outcome, change != written[entry.number] {
        return finding = "The server has received another action than the action that was written."
      }
    }
    if replica.confirmed.state != state(before: replica.confirmed.position) {
      return finding = "The confirmed state is \(replica.confirmed.state)."
    }
    if replica.shown != replica.confirmed.state + replica.pending.map(\.change) {
      return finding = "The shown state is \(replica.shown)."
    }
    let kept = Set(disk.map(\.number)).union(own.map(\.number))
    if !kept.isSuperset(of: written.keys) {
      return finding = "An action that was written is lost."
    }
  }

  private func state(before position: LogPosition) -> [Int] {
    log.prefix(Int(position.offset)).compactMap { entry in
      if case .accepted(let change) = entry.outcome { change } else { nil }
    }
  }

  /// The first rule that is broken if everything is delivered from now on, or `nil`.
  ///
  /// The value is `nil` while the client can still add actions, be killed, or lose a message.
  var findingAtEnd: String? {
    guard remaining.actions + remaining.kills + remaining.losses + remaining.saves == 0 else { return nil }
    var model = self
    model.remaining = Remaining(calls: .max, pulls: .max)
    for _ in 0..<4 {
      for event: Event in [.beginWrite, .endWrite, .giveUp, .waitEnds, .send] {
        if mistake == .ignoresLostAnswer, event == .giveUp { continue }
        model = model.after(event) ?? model
      }
      while !model.messages.isEmpty, let next = model.after(.deliver(0)) { model = next }
      model = model.after(.pull) ?? model
      while !model.messages.isEmpty, let next = model.after(.deliver(0)) { model = next }
    }
    if let finding = model.finding { return finding }
    guard model.replica.pending.isEmpty, model.rules.isEmpty else {
      return "The actions \(model.replica.pending.map(\.number)) remain pending."
    }
    let received = model.log.filter { $0.client == Self.own }.map(\.number)
    return Set(received) == Set(model.written.keys) ? nil : "The server has received \(received)."
  }
}
