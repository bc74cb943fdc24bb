/// The rules by which the calls of a file log share its files: which calls are refused, which call
/// uses the files next, and which appends share one write.
///
/// The value has no lock, no file, and no entry. Each method is one event, and returns what to do.
/// One call at a time uses the files. Calls use the files in the order in which they arrive, but
/// all appends that are waiting when a write begins, and that no other call separates, share that
/// write.
struct FileLogRules: Hashable, Sendable {
  /// The number of a call that waits.
  typealias Call = Int

  /// The answer to a call.
  enum Answer: Hashable, Sendable {
    /// The call waits. If there is a next turn, the caller performs it now.
    case waits(Call, next: Turn?)
    /// The log ends, or will end, at another position.
    case conflict(end: LogPosition)
    /// An earlier write has failed, or the log was closed.
    case refused
  }

  /// A use of the files.
  enum Turn: Hashable, Sendable {
    /// Write the entries of these appends together.
    case append([Call])
    /// Perform a call that is not an append.
    case other(Call)
  }

  /// The calls to refuse, and the turn to perform, when a turn has ended.
  struct Ending: Hashable, Sendable {
    /// The calls that fail without a turn, because the turn has failed.
    var refused: [Call] = []
    /// The next turn, which the same thread performs, or `nil`.
    var next: Turn?
  }

  private enum Waiting: Hashable, Sendable {
    case append(Call)
    case other(Call)

    var call: Call {
      switch self {
      case .append(let call), .other(let call): call
      }
    }
  }

  /// The position at which the log ends when all waiting appends have succeeded.
  private(set) var expectedEnd: LogPosition
  private(set) var isClosed = false
  /// A Boolean value that indicates whether a write has failed.
  ///
  /// The files may contain a part of the failed write, so nothing is written afterward.
  private(set) var hasFailed = false
  private var calls: Call = 0
  private var waiting: [Waiting] = []
  private var turn: Turn?

  init(end: LogPosition) {
    expectedEnd = end
  }

  /// A Boolean value that indicates whether no call is using the files.
  var isIdle: Bool { turn == nil }

  /// Handles an append of a number of entries.
  mutating func append(_ count: Int, at expected: LogPosition) -> Answer {
    guard !isClosed, !hasFailed else { return .refused }
    guard expected == expectedEnd else { return .conflict(end: expectedEnd) }
    expectedEnd = expectedEnd.advanced(by: count)
    return wait { .append($0) }
  }

  /// Handles a call that uses the files for something else.
  mutating func perform() -> Answer {
    guard !isClosed, !hasFailed else { return .refused }
    return wait { .other($0) }
  }

  /// Refuses all later calls.
  ///
  /// The calls that are waiting still have their turns.
  mutating func close() {
    isClosed = true
  }

  /// Records the end of the current turn.
  ///
  /// - Parameter breaksLog: A Boolean value that indicates whether a write of the turn failed.
  mutating func turnEnded(breaksLog: Bool) -> Ending {
    turn = nil
    guard !breaksLog else {
      hasFailed = true
      defer { waiting = [] }
      return Ending(refused: waiting.map(\.call))
    }
    return Ending(next: beginTurn())
  }

  private mutating func wait(_ make: (Call) -> Waiting) -> Answer {
    calls += 1
    waiting.append(make(calls))
    return .waits(calls, next: turn == nil ? beginTurn() : nil)
  }

  private mutating func beginTurn() -> Turn? {
    guard let first = waiting.first else { return nil }
    switch first {
    case .other(let call):
      waiting.removeFirst()
      turn = .other(call)
    case .append:
      let appends = waiting.prefix { if case .append = $0 { true } else { false } }
      waiting.removeFirst(appends.count)
      turn = .append(appends.map(\.call))
    }
    return turn
  }
}
