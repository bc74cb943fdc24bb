/// What a manual clock knows: the time, who sleeps until when, and who waits for others to.
///
/// Each event returns who is to be resumed, in order, which is for the clock to do outside its lock.
struct ManualClockSchedule: Sendable {
  typealias Instant = ManualClock.Instant

  /// What can be waited for.
  enum Condition: Sendable {
    case sleepers(atLeast: Int)
    /// Everybody who was woken has got to run since.
    case everybodyAwake
  }

  /// Somebody who is to be resumed.
  enum Resumption: Sendable {
    case sleeper(CheckedContinuation<Void, any Error>, Result<Void, any Error> = .success(()))
    case waiter(CheckedContinuation<Void, Never>)

    func resume() {
      switch self {
      case .sleeper(let continuation, let result): continuation.resume(with: result)
      case .waiter(let continuation): continuation.resume()
      }
    }
  }

  /// What came of going on to the next deadline.
  enum Step: Sendable, Equatable {
    /// So many were woken, before whom anybody had slept so many times.
    case woke(Int, naps: UInt64)
    /// Nobody sleeps until the limit, which it is now; or nobody sleeps at all.
    case ended
  }

  struct Sleeper: Sendable {
    let deadline: Instant
    let continuation: CheckedContinuation<Void, any Error>
  }

  struct Waiter: Sendable {
    let condition: Condition
    let continuation: CheckedContinuation<Void, Never>
  }

  private(set) var now = Instant()
  private(set) var sleepers: [UInt64: Sleeper] = [:]
  /// How often anybody has fallen asleep.
  private(set) var naps: UInt64 = 0
  /// Those that were woken and have not got to run yet.
  private var woken: Set<UInt64> = []
  private var waiters: [UInt64: Waiter] = [:]
  /// Those that were cancelled before they slept or waited.
  private var cancelled: Set<UInt64> = []
  private var nextID: UInt64 = 0

  var nextDeadline: Instant? { sleepers.values.map(\.deadline).min() }

  mutating func makeID() -> UInt64 {
    nextID += 1
    return nextID
  }

  // MARK: - Sleepers and waiters

  mutating func fallAsleep(
    _ id: UInt64, until deadline: Instant, _ continuation: CheckedContinuation<Void, any Error>
  ) -> [Resumption] {
    if cancelled.contains(id) { return [.sleeper(continuation, .failure(CancellationError()))] }
    if deadline <= now { return [.sleeper(continuation)] }
    sleepers[id] = Sleeper(deadline: deadline, continuation: continuation)
    naps += 1
    return satisfied()
  }

  mutating func wait(
    _ id: UInt64, for condition: Condition, _ continuation: CheckedContinuation<Void, Never>
  ) -> [Resumption] {
    if cancelled.contains(id) || holds(condition) { return [.waiter(continuation)] }
    waiters[id] = Waiter(condition: condition, continuation: continuation)
    return []
  }

  mutating func cancel(_ id: UInt64) -> [Resumption] {
    if let waiter = waiters.removeValue(forKey: id) { return [.waiter(waiter.continuation)] }
    if let sleeper = sleepers.removeValue(forKey: id) {
      return [.sleeper(sleeper.continuation, .failure(CancellationError()))]
    }
    cancelled.insert(id)
    return []
  }

  /// Somebody sleeps or waits no more, and runs.
  mutating func left(_ id: UInt64) -> [Resumption] {
    cancelled.remove(id)
    return woken.remove(id) == nil ? [] : satisfied()
  }

  private func holds(_ condition: Condition) -> Bool {
    switch condition {
    case .sleepers(let count): sleepers.count >= count
    case .everybodyAwake: woken.isEmpty
    }
  }

  private mutating func satisfied() -> [Resumption] {
    let ready = waiters.filter { holds($0.value.condition) }.sorted { $0.key < $1.key }
    for (id, _) in ready { waiters[id] = nil }
    return ready.map { .waiter($0.value.continuation) }
  }

  // MARK: - Time

  mutating func advance(to instant: Instant) -> [Resumption] {
    now = max(now, instant)
    let due = sleepers.filter { $0.value.deadline <= now }
      .sorted { ($0.value.deadline, $0.key) < ($1.value.deadline, $1.key) }
    for (id, _) in due {
      sleepers[id] = nil
      woken.insert(id)
    }
    return due.map { .sleeper($0.value.continuation) }
  }

  /// Goes on to the next deadline, or to the limit if that comes first.
  mutating func step(until limit: Instant?) -> (Step, [Resumption]) {
    guard let next = nextDeadline, limit.map({ next <= $0 }) ?? true else {
      return (.ended, limit.map { advance(to: $0) } ?? [])
    }
    let naps = naps
    let resumptions = advance(to: next)
    return (.woke(resumptions.count, naps: naps), resumptions)
  }
}
