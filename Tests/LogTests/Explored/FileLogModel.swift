import TestSupport

@testable import FluxLog

/// Calls of a file log, and turns that succeed or fail.
struct FileLogModel: EventModel {
  /// A mistake in a file log, which the model has to find.
  enum Mistake: CaseIterable, Sendable {
    case acceptsAnyPosition, ignoresWaitingAppends, splitsWrites, writesAfterFailure, forgetsOneRefusal,
      changesOrder, acceptsAfterClose, beginsSecondTurn
  }

  enum Event: Sendable {
    /// An append of two entries, at the end that the caller knows, or one entry too early.
    case append(early: Bool), use, close, turnSucceeds, turnFails
  }

  struct Violation: Error, CustomStringConvertible {
    let description: String
  }

  private enum Call: Equatable {
    case append(first: UInt64), other
  }

  private let mistake: Mistake?
  private var rules = FileLogRules(end: .start)
  /// The calls that have neither succeeded nor failed, by number.
  private var open: [Int: Call] = [:]
  private var order: [Int] = []
  private var turn: FileLogRules.Turn?
  /// The end of the log when all open appends have succeeded.
  private var expected: UInt64 = 0
  /// The end of the entries that were written.
  private var written: UInt64 = 0
  private var isClosed = false
  private var hasFailed = false

  init(_ mistake: Mistake? = nil) {
    self.mistake = mistake
  }

  mutating func happen(_ event: Event) throws(Violation) -> Bool {
    switch event {
    case .append(let early):
      if early, expected == 0 { return false }
      let first = early ? expected - 1 : expected
      try answer(append(at: first), to: .append(first: first), fits: !early)
    case .use: try answer(rules.perform(), to: .other, fits: true)
    case .close:
      guard !isClosed else { return false }
      if mistake != .acceptsAfterClose { rules.close() }
      isClosed = true
    case .turnSucceeds:
      guard turn != nil else { return false }
      try end(fails: false)
    case .turnFails:
      guard turn != nil else { return false }
      try end(fails: true)
    }
    return true
  }

  private mutating func append(at first: UInt64) -> FileLogRules.Answer {
    switch mistake {
    case .acceptsAnyPosition: rules.append(2, at: rules.expectedEnd)
    case .ignoresWaitingAppends where first == expected && expected != written:
      .conflict(end: LogPosition(written))
    default: rules.append(2, at: LogPosition(first))
    }
  }

  private mutating func answer(
    _ answer: FileLogRules.Answer, to call: Call, fits: Bool
  ) throws(Violation) {
    switch answer {
    case .refused:
      guard isClosed || hasFailed else { throw Violation(description: "a call is refused") }
    case .conflict(let end):
      guard !fits, end.offset == expected else { throw Violation(description: "an append conflicts") }
    case .waits(let number, let next):
      guard fits, !isClosed, !hasFailed else { throw Violation(description: "a call is accepted") }
      open[number] = call
      order.append(number)
      if case .append = call { expected += 2 }
      guard (next != nil) == (turn == nil) else { throw Violation(description: "two turns, or none") }
      if let next { try begin(next) }
      if mistake == .beginsSecondTurn, let turn { try begin(turn) }
    }
  }

  private mutating func begin(_ next: FileLogRules.Turn) throws(Violation) {
    guard turn == nil else { throw Violation(description: "two turns at the same time") }
    turn = next
    var calls = next.calls
    if mistake == .splitsWrites { calls = Array(calls.prefix(1)) }
    if mistake == .changesOrder { calls = calls.reversed() }
    // The turn contains the oldest calls, and all appends that no other call separates.
    var oldest = Array(order.prefix(1))
    if case .append = open[order[0]] {
      oldest = Array(order.prefix { if case .append = open[$0] { true } else { false } })
    }
    guard calls == oldest else { throw Violation(description: "calls \(calls) have a turn, not \(oldest)") }
  }

  private mutating func end(fails: Bool) throws(Violation) {
    guard let calls = turn?.calls else { return }
    turn = nil
    for call in calls {
      guard let ended = open.removeValue(forKey: call) else { continue }
      order.removeAll { $0 == call }
      if case .append(let first) = ended, !fails {
        guard first == written else { throw Violation(description: "entries are missing") }
        written += 2
      }
    }
    var ending = rules.turnEnded(breaksLog: fails && mistake != .writesAfterFailure)
    if mistake == .forgetsOneRefusal { ending.refused = ending.refused.dropLast() }
    if fails {
      hasFailed = true
      guard ending.next == nil else { throw Violation(description: "a turn follows a failed turn") }
      guard ending.refused == order else { throw Violation(description: "a call never ends") }
      (open, order) = ([:], [])
    } else {
      guard (ending.next != nil) == !order.isEmpty else {
        throw Violation(description: "a call waits forever")
      }
      if let next = ending.next { try begin(next) }
    }
  }
}

extension FileLogRules.Turn {
  fileprivate var calls: [Int] {
    switch self {
    case .append(let calls): calls
    case .other(let call): [call]
    }
  }
}
