import Board

/// A model of two processes that append changes to one log, which checks itself after each event.
///
/// With keys, one client makes all changes. It waits for the answer to a change before it makes the
/// next one, and each of its requests can arrive again at any time, at any process.
struct ChangeModel: Hashable {
  enum Event: Hashable {
    case ask(Int, Change)
    /// The request for a change of the client, counted from 1, arrives again.
    case askAgain(Int, change: Int)
    /// A process begins its next step.
    case begin(Int)
    /// The step of a process ends as the log decides.
    case finish(Int)
    /// The step of a process fails, and an append may take effect later.
    case fail(Int)
    /// The step of a process takes effect, but fails.
    case loseAnswer(Int)
    case announce(Int)
    /// A process is killed and starts again.
    case restart(Int)
    /// An append takes effect after its process has stopped waiting for it, if the log ends at the
    /// expected position.
    case takeEffect
  }

  /// A mistake in the use of the rules, which the model has to find.
  enum Mistake: CaseIterable {
    case keepsFirstAnswer, appendsAtOtherEnd, takesConflictForSuccess, takesFailureForSuccess
    case repeatsAfterFailure, showsNewest, trustsOlderList, forgetsAnnouncements, keepsOldListAfterConflict
    case storesNoKey, repeatsWithNewNumber, repeatsFromOtherClient, usesNumberTwice, skipsBack

    var needsKeys: Bool {
      [.storesNoKey, .repeatsWithNewNumber, .repeatsFromOtherClient, .usesNumberTwice, .skipsBack].contains(
        self)
    }
  }

  struct Violation: Error {
    let rule: String
  }

  private struct Append: Hashable {
    let decisions: [ChangeRules.Decision]
    let version: Int
  }

  private struct Process: Hashable {
    var rules: ChangeRules
    var running: ChangeRules.Step?
    var waiting: Set<UInt64> = []
  }

  private struct Entry: Hashable {
    let request: UInt64
    let stored: KeyedChange
  }

  static let asks = 3

  private let mistake: Mistake?
  private let hasKeys: Bool
  private var processes = [Process(rules: ChangeRules(ItemList())), Process(rules: ChangeRules(ItemList()))]
  private var log: [Entry] = []
  private var lost: [Append] = []
  private var asked: [Ask] = []
  private var firstAnswers: [UInt64: Answer] = [:]
  /// The answers that the client has received, in the order of its changes.
  private var received: [Answer] = []
  /// The changes of the client.
  private var made: [Change] = []
  /// The index of the change of each request.
  private var indices: [Int] = []

  init(_ mistake: Mistake? = nil, hasKeys: Bool = false) {
    self.mistake = mistake
    self.hasKeys = hasKeys
  }

  static var events: [Event] {
    let changes: [Change] = [.add("item"), .edit(1, Change.Edit(isDone: true)), .remove(1)]
    return [.takeEffect]
      + [0, 1].flatMap { process in
        changes.map { .ask(process, $0) } + (1..<asks).map { .askAgain(process, change: $0) } + [
          .begin(process), .finish(process), .fail(process), .loseAnswer(process), .announce(process),
          .restart(process),
        ]
      }
  }

  /// Performs an event, and returns `false` if the event cannot happen now.
  mutating func happen(_ event: Event) throws(Violation) -> Bool {
    let shown = processes.map { shownVersion($0) }
    switch event {
    case .ask(let process, let change):
      guard asked.count < Self.asks, !isWaiting else { return false }
      made.append(change)
      ask(
        process, change, key: hasKeys ? ChangeKey(client: "page", number: number(made.count)) : nil,
        index: made.count - 1)
    case .askAgain(let process, let change):
      guard hasKeys, asked.count < Self.asks, change <= made.count else { return false }
      repeatRequest(process, change)
    case .begin(let process):
      guard processes[process].running == nil, let step = processes[process].rules.step else { return false }
      processes[process].running = step
    case .finish(let process): return try finish(process)
    case .fail(let process):
      guard let step = processes[process].running else { return false }
      if case .append(let decisions, let version) = step {
        lost.append(Append(decisions: decisions, version: version))
      }
      try lose(process, step)
    case .loseAnswer(let process):
      guard let step = processes[process].running else { return false }
      if case .append(let decisions, let version) = step, version == log.count { append(decisions) }
      try lose(process, step)
    case .announce(let process):
      guard log.count > processes[process].rules.saved.version else { return false }
      if mistake != .forgetsAnnouncements { processes[process].rules.announce(log.count) }
    case .restart(let process):
      if case .append(let decisions, let version) = processes[process].running {
        lost.append(Append(decisions: decisions, version: version))
      }
      processes[process] = Process(rules: ChangeRules(Self.list(log)))
    case .takeEffect:
      guard let index = lost.firstIndex(where: { $0.version == log.count }) else { return false }
      append(lost.remove(at: index).decisions)
    }
    try check(shown)
    return true
  }

  /// A Boolean value that indicates whether the client waits for an answer.
  private var isWaiting: Bool { hasKeys && received.count < made.count }

  private mutating func ask(_ process: Int, _ change: Change, key: ChangeKey?, index: Int) {
    let ask = Ask(request: UInt64(asked.count + 1), change: change, key: key)
    asked.append(ask)
    indices.append(index)
    processes[process].waiting.insert(ask.request)
    firstAnswers[ask.request] = processes[process].rules.decide(ask)
  }

  /// Returns the number in the key of a change.
  private func number(_ change: Int) -> Int {
    switch mistake {
    case .usesNumberTwice: (change + 1) / 2
    case .skipsBack: Self.asks - change
    default: change
    }
  }

  private mutating func repeatRequest(_ process: Int, _ change: Int) {
    let client = mistake == .repeatsFromOtherClient ? "other" : "page"
    let number = mistake == .repeatsWithNewNumber ? change + Self.asks : number(change)
    ask(process, made[change - 1], key: ChangeKey(client: client, number: number), index: change - 1)
  }

  /// Lets every step end without a failure, and checks that every request is answered, and that
  /// both processes have the list of the log when they know its end.
  mutating func settle() throws(Violation) {
    try finishSteps()
    if isWaiting {
      repeatRequest(0, made.count)
      try finishSteps()
      guard !isWaiting else { throw Violation(rule: "A repeated request is not answered.") }
    }
    guard !hasKeys || log.count == made.count else { throw Violation(rule: "A change is not made once.") }
    guard processes.allSatisfy({ $0.rules.pending.isEmpty && $0.waiting.isEmpty }) else {
      throw Violation(rule: "A request is not answered.")
    }
    for process in processes.indices { _ = try happen(.announce(process)) }
    try finishSteps()
    let list = Self.list(log)
    guard processes.allSatisfy({ $0.rules.saved == list && $0.rules.newest == list }) else {
      throw Violation(rule: "The lists of the processes differ.")
    }
  }

  private mutating func finishSteps() throws(Violation) {
    for _ in 0..<4 * Self.asks {
      var isOver = true
      for process in processes.indices {
        let begins = try happen(.begin(process))
        let ends = try happen(.finish(process))
        if begins || ends { isOver = false }
      }
      if isOver { return }
    }
  }

  // MARK: - Steps

  private mutating func finish(_ process: Int) throws(Violation) -> Bool {
    guard let step = processes[process].running else { return false }
    processes[process].running = nil
    let shown = processes.map { shownVersion($0) }
    switch step {
    case .read: processes[process].rules.read(Self.list(log))
    case .append(let decisions, let version):
      let isEmpty = !decisions.contains { $0.makesVersion }
      if version == log.count || mistake == .appendsAtOtherEnd || isEmpty && mistake == .trustsOlderList {
        try acknowledge(decisions, of: process)
        append(decisions)
        processes[process].rules.appended(decisions.count)
      } else if mistake == .takesConflictForSuccess {
        try acknowledge(decisions, of: process)
        processes[process].rules.appended(decisions.count)
      } else if mistake != .keepsOldListAfterConflict {
        processes[process].rules.announce(log.count)
      }
    }
    try check(shown)
    return true
  }

  private mutating func lose(_ process: Int, _ step: ChangeRules.Step) throws(Violation) {
    processes[process].running = nil
    if mistake == .repeatsAfterFailure { return }
    if mistake == .takesFailureForSuccess, case .append(let decisions, _) = step {
      try acknowledge(decisions, of: process)
      processes[process].rules.appended(decisions.count)
      return
    }
    processes[process].rules.lost()
    processes[process].waiting = []
  }

  private mutating func append(_ decisions: [ChangeRules.Decision]) {
    log += decisions.filter(\.makesVersion).map { decision in
      let key = mistake == .storesNoKey ? nil : decision.stored.key
      return Entry(request: decision.ask.request, stored: KeyedChange(decision.stored.change, key: key))
    }
  }

  /// Checks that the answers are those that the log gives at its end.
  private mutating func acknowledge(_ decisions: [ChangeRules.Decision], of process: Int) throws(Violation) {
    var list = Self.list(log)
    for decision in decisions {
      let answer = mistake == .keepsFirstAnswer ? firstAnswers[decision.ask.request] : decision.answer
      guard list.apply(decision.stored.change, key: decision.stored.key) == answer else {
        throw Violation(rule: "An answer differs from the log.")
      }
      try receive(decision.answer, to: decision.ask)
      guard processes[process].waiting.remove(decision.ask.request) != nil else {
        throw Violation(rule: "A request is answered twice.")
      }
    }
  }

  /// Checks that the client receives the same answer each time, unless it no longer waits for it.
  private mutating func receive(_ answer: Answer, to ask: Ask) throws(Violation) {
    guard hasKeys else { return }
    let index = indices[Int(ask.request) - 1]
    if index == received.count {
      if [.superseded, .reused].contains(answer) { throw Violation(rule: "A change is not made.") }
      received.append(answer)
    } else if answer != received[index], answer != .superseded || index == made.count - 1 {
      throw Violation(rule: "A repeated request has received another answer.")
    }
  }

  // MARK: - Rules

  private func shownVersion(_ process: Process) -> Int {
    mistake == .showsNewest ? process.rules.newest.version : process.rules.saved.version
  }

  private func check(_ shown: [Int]) throws(Violation) {
    guard Set(log.map(\.request)).count == log.count else {
      throw Violation(rule: "The log contains a change twice.")
    }
    guard !hasKeys || log.count <= made.count else {
      throw Violation(rule: "The log contains a change of the client twice.")
    }
    for (process, earlier) in zip(processes, shown) {
      let version = shownVersion(process)
      guard version <= log.count else {
        throw Violation(rule: "A list is shown that the log does not contain.")
      }
      guard version >= earlier else { throw Violation(rule: "An older list is shown.") }
      guard process.rules.saved == Self.list(Array(log.prefix(process.rules.saved.version))) else {
        throw Violation(rule: "A list differs from the log.")
      }
    }
  }

  private static func list(_ log: [Entry]) -> ItemList {
    var list = ItemList()
    for entry in log { _ = list.apply(entry.stored.change, key: entry.stored.key) }
    return list
  }
}
