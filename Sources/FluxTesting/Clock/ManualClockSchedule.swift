/// The state of a manual clock: the time, the sleeping tasks, and the tasks that wait for a
/// condition.
///
/// Each method that records an event returns the continuations to resume, in the order in which
/// the clock must resume them. The clock resumes the continuations outside its lock.
struct ManualClockSchedule: Sendable {
  typealias Instant = ManualClock.Instant

  /// A condition that a task can wait for.
  enum Condition: Sendable {
    case sleepers(atLeast: Int)
    /// The condition that all woken tasks have resumed.
    case everybodyAwake
  }

  /// A continuation to resume.
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

  /// The result of advancing the clock to the next deadline.
  enum Step: Sendable, Equatable {
    /// The given number of tasks were woken.
    ///
    /// `naps` is the number of times that a task had fallen asleep before the clock advanced.
    case woke(Int, naps: UInt64)
    /// No task is sleeping, or all deadlines are later than the limit.
    ///
    /// If there is a limit, the clock has reached the limit.
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
  /// The number of times that a task has fallen asleep.
  private(set) var naps: UInt64 = 0
  /// The tasks that were woken and have not resumed yet.
  private var woken: Set<UInt64> = []
  private var waiters: [UInt64: Waiter] = [:]
  /// The tasks that were canceled before they began to sleep or wait.
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

  /// Records that a task has stopped sleeping or waiting, and is running.
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

  /// Advances to the next deadline, or to the limit if all deadlines are later than the limit.
  mutating func step(until limit: Instant?) -> (Step, [Resumption]) {
    guard let next = nextDeadline, limit.map({ next <= $0 }) ?? true else {
      return (.ended, limit.map { advance(to: $0) } ?? [])
    }
    let naps = naps
    let resumptions = advance(to: next)
    return (.woke(resumptions.count, naps: naps), resumptions)
  }
}
