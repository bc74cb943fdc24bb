import FluxLog

/// The rules by which the calls of a log share its connection: which appends go to the server
/// together, which call is next, which calls fail without a turn, and when the connection is
/// established again.
///
/// The value has no lock, no connection, and no entry. Each method is one event, and returns what
/// to do. One turn at a time uses the connection. Turns begin in the order in which the calls
/// arrive. If the connection is lost during a turn, the turn is repeated on the next connection.
///
/// **Groups.** A waiting append can expect the position that another waiting append will return.
/// The two form a group, which has one turn. If the other append has a separate turn, the later
/// append follows it, and fails without a turn if the other append fails. An append at any other
/// position has a turn, because only the server knows where the log ends.
struct CallRules: Hashable, Sendable {
  /// The number of a call that waits.
  typealias Call = Int

  /// The next step of the owner of the connection.
  enum Step: Hashable, Sendable {
    /// Perform a turn, and call ``turnEnded(_:)``.
    case perform(Turn)
    /// Wait, and call ``waitEnded()``.
    case wait(milliseconds: Int)
    /// Try to connect, and call ``attemptEnded(_:)``.
    case connect
    /// Close the connection. No step follows.
    case stop
  }

  enum Turn: Hashable, Sendable {
    /// Append the entries of these calls together.
    case append([Call])
    case other(Call)

    var calls: [Call] {
      switch self {
      case .append(let calls): calls
      case .other(let call): [call]
      }
    }
  }

  enum Answer: Hashable, Sendable {
    /// The call waits. If there is a step, the caller performs it now.
    case waits(Call, Step?)
    /// The log was closed, or is not the same log.
    case refused
  }

  /// The calls to refuse, and the next step.
  struct Ending: Hashable, Sendable {
    var refused: [Call] = []
    var step: Step?
  }

  enum TurnResult: Hashable, Sendable {
    case succeeded
    /// The turn has no effect.
    case failed
    /// The connection was lost, and the effect of the turn is unknown.
    case lost
  }

  enum AttemptResult: Hashable, Sendable {
    case connected, failed
    /// The server has another log with the name.
    case unusable
  }

  /// The limits after which calls fail.
  struct Limits: Hashable, Sendable {
    /// The maximum number of bytes of a group of several appends.
    var bytes = 16 << 20
    /// The number of connections that are lost during one turn.
    var losses = 5
    /// The number of attempts to connect that fail one after the other.
    var failures = 10
  }

  private struct Work: Hashable, Sendable {
    let number: Int
    var turn: Turn
    var bytes = 0
    /// The end of the log after the turn, or `nil` if the turn is not an append.
    var end: LogPosition?
    /// The ends that the appends of the turn will return.
    var ends: Set<LogPosition> = []
    /// The earlier turns that contain an append whose end this append expects.
    ///
    /// One of them must succeed, so the set no longer contains the turns that have failed. The set
    /// is `nil` if there is no such condition.
    var follows: Set<Int>?
  }

  private let limits: Limits
  private var connection = ConnectionRules(.connected)
  private var isClosed = false
  private var isUsable = true
  private var calls: Call = 0
  private var works = 0
  private var waiting: [Work] = []
  private var current: Work?
  /// The number of connections that were lost during the current turn.
  private var losses = 0

  init(limits: Limits = Limits()) {
    self.limits = limits
  }

  /// Handles an append of a number of entries.
  mutating func append(_ count: Int, bytes: Int, at expected: LogPosition) -> Answer {
    guard !isClosed, isUsable else { return .refused }
    calls += 1
    let (offset, overflows) = expected.offset.addingReportingOverflow(UInt64(count))
    let end = overflows ? LogPosition(.max) : LogPosition(offset)
    let earlier = ((current.map { [$0] } ?? []) + waiting).filter { $0.ends.contains(expected) }
    if earlier.count == 1, earlier[0].end == expected, let last = waiting.lastIndex(where: { $0.end != nil }),
      waiting[last].number == earlier[0].number, waiting[last].bytes + bytes <= limits.bytes
    {
      waiting[last].turn = .append(waiting[last].turn.calls + [calls])
      waiting[last].bytes += bytes
      waiting[last].end = end
      waiting[last].ends.insert(end)
      return .waits(calls, nil)
    }
    var work = Work(number: works, turn: .append([calls]), bytes: bytes, end: end, ends: [end])
    if !earlier.isEmpty { work.follows = Set(earlier.map(\.number)) }
    return wait(work)
  }

  /// Handles a call that is not an append.
  mutating func perform() -> Answer {
    guard !isClosed, isUsable else { return .refused }
    calls += 1
    return wait(Work(number: works, turn: .other(calls)))
  }

  /// Refuses all later calls.
  ///
  /// The calls that are waiting still have their turns.
  mutating func close() -> Step? {
    guard !isClosed else { return nil }
    isClosed = true
    return current == nil ? next() : nil
  }

  /// Records the end of the current turn.
  mutating func turnEnded(_ result: TurnResult) -> Ending {
    guard let ended = current else { return Ending() }
    var refused: [Call] = []
    switch result {
    case .succeeded: current = nil
    case .failed:
      refused = refuseFollowers(of: ended)
      current = nil
    case .lost:
      connection.lost()
      losses += 1
      if losses >= limits.losses {
        refused = ended.turn.calls + refuseFollowers(of: ended)
        current = nil
      }
    }
    return Ending(refused: refused, step: next())
  }

  mutating func waitEnded() -> Step? {
    connection.waitEnded()
    return next()
  }

  /// Records the end of an attempt to connect.
  mutating func attemptEnded(_ result: AttemptResult) -> Ending {
    connection.attemptEnded(succeeded: result == .connected)
    isUsable = isUsable && result != .unusable
    var refused: [Call] = []
    if !isUsable || connection.failures >= limits.failures {
      refused = (current?.turn.calls ?? []) + waiting.flatMap(\.turn.calls)
      (current, waiting) = (nil, [])
    }
    return Ending(refused: refused, step: next())
  }

  private mutating func wait(_ work: Work) -> Answer {
    works += 1
    waiting.append(work)
    return .waits(calls, current == nil ? next() : nil)
  }

  /// Removes the appends that can no longer succeed because an append has failed.
  private mutating func refuseFollowers(of failed: Work) -> [Call] {
    var failures: Set = [failed.number]
    var refused: [Call] = []
    // An append follows only earlier appends, so one pass is enough.
    waiting = waiting.filter { work in
      guard let follows = work.follows, follows.isSubset(of: failures) else { return true }
      failures.insert(work.number)
      refused += work.turn.calls
      return false
    }
    for index in waiting.indices { waiting[index].follows?.subtract(failures) }
    return refused
  }

  /// Returns the next step, while no other step is performed.
  private mutating func next() -> Step? {
    if current == nil, !waiting.isEmpty {
      current = waiting.removeFirst()
      losses = 0
    }
    guard let current else {
      if isClosed { connection.close() } else if connection.state != .connected { connection.giveUp() }
      return isClosed ? .stop : nil
    }
    connection.connect()
    return switch connection.step {
    case .wait(let milliseconds): .wait(milliseconds: milliseconds)
    case .connect: .connect
    case .use: .perform(current.turn)
    case .stop, nil: nil
    }
  }
}
