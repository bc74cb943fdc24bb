import FluxLog

@testable import FluxPostgres

/// Calls of a log, a server, and a connection between them that can be lost at any time.
struct CallModel: EventModel {
  /// A mistake in the rules or in their use, which the model has to find.
  enum Mistake: CaseIterable, Sendable {
    case expectsNewestEnd, countsTooMany, splitsGroups, changesOrder, takesLossForFailure,
      takesFailureForSuccess, forgetsOneRefusal, acceptsAfterClose, performsWithoutConnection,
      repeatsForever, connectsForever, stopsTwice
  }

  enum Event: Sendable {
    /// An append of one entry at the end of the newest append that is open, or of the log.
    case append
    /// An append of no entry at the same position.
    case appendNothing
    /// An append of one entry at the end of the log, as if there were no open append.
    case appendAtServer
    /// An append of two entries at the same position as the newest append that is open.
    case appendAgain
    case use, close
    /// Another process appends an entry.
    case other
    case answer, loseStatement, loseAnswer
    case waitEnds, connect, failToConnect, findOtherLog
  }

  private struct Append: Hashable {
    let start: UInt64
    let end: UInt64
    /// The open appends whose end the append expects, when it arrived.
    let candidates: [Int]
  }

  private static let limits = CallRules.Limits(bytes: 2, losses: 2, failures: 2)

  private let mistake: Mistake?
  private var rules: CallRules
  /// The step that the rules have returned, and that has not ended.
  private var step: CallRules.Step?
  /// The appends that are open, by call; other calls have no value.
  private var open: [Int: Append?] = [:]
  /// The appends of all ended calls, and whether they have succeeded.
  private var succeeded: [Int: Bool] = [:]
  private var applied: Set<Int> = []
  private var end: UInt64 = 0
  private var interrupted: CallRules.Turn?
  private var losses = 0
  private var failures = 0
  private var isConnected = true
  private var isClosed = false
  private var isUsable = true
  private var stops = 0

  init(_ mistake: Mistake? = nil) {
    self.mistake = mistake
    var limits = Self.limits
    if mistake == .repeatsForever { limits.losses = .max }
    if mistake == .connectsForever { limits.failures = .max }
    rules = CallRules(limits: limits)
  }

  mutating func happen(_ event: Event) throws(Violation) -> Bool {
    let newest = open.compactMapValues(\.self).max { $0.key < $1.key }?.value
    switch event {
    case .append: try append(1, at: newest?.end ?? end)
    case .appendNothing: try append(0, at: newest?.end ?? end)
    case .appendAtServer:
      guard newest != nil else { return false }
      try append(1, at: end)
    case .appendAgain:
      guard let newest else { return false }
      try append(2, at: newest.start)
    case .use: try arrive(rules.perform(), nil)
    case .close:
      guard !isClosed else { return false }
      isClosed = true
      if mistake != .acceptsAfterClose { try take(rules.close()) }
    case .other: end += 1
    case .answer, .loseStatement, .loseAnswer:
      guard case .perform(let turn) = step else { return false }
      try perform(turn, event)
    case .waitEnds:
      guard case .wait = step else { return false }
      step = nil
      try take(rules.waitEnded())
    case .connect, .failToConnect, .findOtherLog:
      guard step == .connect else { return false }
      step = nil
      try connect(event)
    }
    try check()
    return true
  }

  // MARK: - Calls

  private mutating func append(_ count: UInt64, at start: UInt64) throws(Violation) {
    let candidates = open.filter { $0.value?.end == start }.keys.sorted()
    var expected = start
    if mistake == .expectsNewestEnd { expected = open.values.compactMap { $0?.end }.max() ?? start }
    let counted = Int(count) + (mistake == .countsTooMany ? 1 : 0)
    let answer = rules.append(counted, bytes: 1, at: LogPosition(expected))
    try arrive(answer, Append(start: start, end: start + count, candidates: candidates))
  }

  private mutating func arrive(_ answer: CallRules.Answer, _ append: Append?) throws(Violation) {
    switch answer {
    case .refused:
      guard isClosed || !isUsable else { throw Violation("a call is refused") }
    case .waits(let call, let step):
      guard !isClosed, isUsable else { throw Violation("a call is accepted") }
      open[call] = .some(append)
      try take(step)
    }
  }

  private mutating func take(_ next: CallRules.Step?) throws(Violation) {
    guard let next else { return }
    guard step == nil else { throw Violation("two steps at the same time") }
    step = next
    if next == .stop { stops += mistake == .stopsTwice ? 2 : 1 }
    guard case .perform(let turn) = next else { return }
    guard isConnected else { throw Violation("a turn without a connection") }
    guard turn.calls.first == open.keys.min() else { throw Violation("a call overtakes another call") }
    if let interrupted, interrupted != turn { throw Violation("another turn is repeated") }
    var calls = turn.calls
    if mistake == .splitsGroups { calls = Array(calls.prefix(1)) }
    if mistake == .changesOrder { calls.reverse() }
    try checkGroup(calls)
    if calls != turn.calls { step = .perform(.append(calls)) }
  }

  /// Each append of a group expects the end of the previous one, and one of the appends that the
  /// first one expects has succeeded.
  private func checkGroup(_ calls: [Int]) throws(Violation) {
    for (index, call) in calls.enumerated() {
      guard let found = open[call] else { throw Violation("a call has a second turn") }
      guard let append = found else { continue }
      let candidates = append.candidates
      guard index == 0 else {
        let previous = open[calls[index - 1]]??.end
        guard previous == append.start, candidates == [calls[index - 1]] else {
          throw Violation("a group is not a sequence")
        }
        continue
      }
      guard candidates.isEmpty || candidates.contains(where: { succeeded[$0] == true }) else {
        throw Violation("an append has a turn although the append before it has failed")
      }
    }
    guard calls.count <= Self.limits.bytes else { throw Violation("a group has too many bytes") }
  }

  // MARK: - The server

  private mutating func perform(_ turn: CallRules.Turn, _ event: Event) throws(Violation) {
    step = nil
    var result = CallRules.TurnResult.succeeded
    let appends = turn.calls.compactMap { open[$0] ?? nil }
    // The log does not contain the identity of an append without entries.
    let stored = turn.calls.filter { open[$0].flatMap { $0 }.map { $0.end > $0.start } ?? false }
    if event != .loseStatement, let start = appends.first?.start, let last = appends.last?.end {
      let isRepeated = !stored.isEmpty && applied.isSuperset(of: stored)
      result = isRepeated || start == end ? .succeeded : .failed
      if !isRepeated, result == .succeeded {
        applied.formUnion(stored)
        end = last
      }
    }
    guard event == .answer else { return try lose(turn) }
    (interrupted, losses) = (nil, 0)
    for call in turn.calls {
      try finish(call, succeeds: result == .succeeded, mayBeApplied: result == .succeeded)
    }
    let reported = mistake == .takesFailureForSuccess ? .succeeded : result
    try take(ending: rules.turnEnded(reported))
  }

  private mutating func lose(_ turn: CallRules.Turn) throws(Violation) {
    isConnected = false
    failures = 0
    losses += 1
    interrupted = turn
    guard mistake != .takesLossForFailure else {
      for call in turn.calls { try finish(call, succeeds: false, mayBeApplied: false) }
      interrupted = nil
      return try take(ending: rules.turnEnded(.failed))
    }
    let ending = rules.turnEnded(.lost)
    guard (ending.refused.first == turn.calls.first) == (losses == Self.limits.losses) else {
      throw Violation("a turn is repeated too often, or not often enough")
    }
    if !ending.refused.isEmpty { (interrupted, losses) = (nil, 0) }
    try take(ending: ending, unknown: turn.calls)
  }

  private mutating func connect(_ event: Event) throws(Violation) {
    switch event {
    case .connect:
      isConnected = true
      failures = 0
      try take(ending: rules.attemptEnded(.connected))
    case .findOtherLog:
      isUsable = false
      try giveUp(rules.attemptEnded(.unusable))
    default:
      failures += 1
      let ending = rules.attemptEnded(mistake == .performsWithoutConnection ? .connected : .failed)
      if failures == Self.limits.failures { return try giveUp(ending) }
      guard ending.refused.isEmpty else { throw Violation("a call fails too early") }
      try take(ending: ending)
    }
  }

  private mutating func giveUp(_ ending: CallRules.Ending) throws(Violation) {
    guard Set(ending.refused) == Set(open.keys) else { throw Violation("a call waits for a server") }
    (interrupted, losses, failures) = (nil, 0, 0)
    try take(ending: ending, unknown: Array(open.keys))
  }

  /// Takes an ending, whose calls have failed.
  ///
  /// - Parameter unknown: The calls that the log may contain.
  private mutating func take(
    ending: CallRules.Ending, unknown: [Int] = []
  ) throws(Violation) {
    var ending = ending
    if mistake == .forgetsOneRefusal { ending.refused = ending.refused.dropLast() }
    for call in ending.refused {
      let isHopeless = open[call]??.candidates.allSatisfy { succeeded[$0] == false } ?? false
      guard unknown.contains(call) || isHopeless && open[call]??.candidates.isEmpty == false else {
        throw Violation("a call fails without a reason")
      }
      try finish(call, succeeds: false, mayBeApplied: unknown.contains(call))
    }
    try take(ending.step)
  }

  private mutating func finish(_ call: Int, succeeds: Bool, mayBeApplied: Bool) throws(Violation) {
    guard let ended = open.removeValue(forKey: call) else { throw Violation("a call ends twice") }
    guard let ended else { return }
    succeeded[call] = succeeds
    if succeeds, ended.end > ended.start, !applied.contains(call) {
      throw Violation("an append succeeds without its entries")
    }
    if !mayBeApplied, applied.contains(call) { throw Violation("an append fails with its entries") }
  }

  /// Checks what holds between all events.
  private func check() throws(Violation) {
    if open.isEmpty {
      guard step == (isClosed ? .stop : nil) else { throw Violation("a step without a call") }
    } else {
      guard step != nil, step != .stop else { throw Violation("a call waits forever") }
    }
    guard stops <= 1 else { throw Violation("the connection is closed twice") }
    for call in open.keys.sorted() {
      guard let append = open[call] ?? nil, !append.candidates.isEmpty else { continue }
      guard !append.candidates.allSatisfy({ succeeded[$0] == false }) else {
        throw Violation("an append waits although it cannot succeed")
      }
    }
  }
}
