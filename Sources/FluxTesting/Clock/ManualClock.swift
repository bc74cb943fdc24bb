import FluxCore

/// A clock whose time passes only when a test advances it.
///
/// ```swift
/// let clock = ManualClock()
/// let store = Store(reducer: appReducer, middleware: [debounceActions(of: Search.self, for: .seconds(1), clock: clock)], …)
/// store.dispatch(Search("flux"))
/// clock.advance(by: .seconds(1))
/// ```
///
/// Sleeping tasks are woken in the order of their deadlines. Tasks with equal deadlines are
/// woken in the order in which they began to sleep. Waking a task resumes the task, but the
/// task does not run until the system schedules it.
///
/// - ``advance(by:)`` and ``advance(to:)`` advance the clock in one jump. When a woken task
///   runs, ``now`` is the time after the jump. If a woken task sleeps again, its sleep begins
///   at the time after the jump.
/// - ``run(for:sleepers:)`` advances the clock from deadline to deadline, and gives woken tasks
///   time to sleep again after each deadline, which is necessary for repeating timers.
/// - ``run(while:)`` advances the clock from deadline to deadline while an operation runs.
///
/// The time of the clock never decreases. You can use the clock from any thread. Advancing the
/// clock takes O(n log n) time for n sleeping tasks.
public final class ManualClock: Clock, Sendable {
  /// A point in the virtual time of a manual clock.
  public struct Instant: InstantProtocol {
    /// The time since the clock was created.
    public let offset: Duration

    /// Creates an instant at an offset from the creation of the clock.
    public init(offset: Duration = .zero) {
      self.offset = offset
    }

    /// Returns the instant that follows this instant by a duration.
    public func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }

    /// Returns the duration from this instant to another instant.
    public func duration(to other: Instant) -> Duration { other.offset - offset }

    /// Returns a Boolean value that indicates whether the first instant is earlier than the
    /// second instant.
    public static func < (first: Instant, second: Instant) -> Bool { first.offset < second.offset }
  }

  private let schedule = Locked(ManualClockSchedule())

  /// A closure that is called when the time is read, or `nil`.
  private let isRead: (@Sendable () -> Void)?
  /// A closure that is called when a task begins to sleep, or `nil`.
  private let sleepBegins: (@Sendable () -> Void)?

  /// Creates a clock whose time is zero.
  public init() { (isRead, sleepBegins) = (nil, nil) }

  /// Creates a clock that calls a closure when its time is read, and another closure when a task
  /// begins to sleep.
  init(
    onReading isRead: @escaping @Sendable () -> Void, onSleeping sleepBegins: @escaping @Sendable () -> Void
  ) {
    self.isRead = isRead
    self.sleepBegins = sleepBegins
  }

  /// The current time, which changes only when the clock is advanced.
  public var now: Instant {
    isRead?()
    return unreadNow
  }

  /// The current time, without a call of the closure that the clock calls when its time is read.
  var unreadNow: Instant { schedule.withLock { $0.now } }

  /// The resolution of the clock, which is zero because every duration is exact.
  public var minimumResolution: Duration { .zero }

  /// The number of tasks that are sleeping on the clock.
  public var sleepers: Int { schedule.withLock { $0.sleepers.count } }

  /// The earliest deadline of the sleeping tasks; `nil` if no task is sleeping.
  public var nextDeadline: Instant? { schedule.withLock { $0.nextDeadline } }

  // MARK: - Sleeping

  /// Waits until the clock reaches a deadline.
  ///
  /// If the deadline is not later than the current time, the method does not wait.
  ///
  /// - Throws: `CancellationError` as soon as the task is canceled.
  public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    sleepBegins?()
    let id = schedule.withLock { $0.makeID() }
    defer { tell { $0.left(id) } }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        tell { $0.fallAsleep(id, until: deadline, continuation) }
      }
    } onCancel: {
      tell { $0.cancel(id) }
    }
  }

  // MARK: - Advancing

  /// Advances the clock in one jump, and wakes all tasks whose deadlines it reaches.
  ///
  /// If the duration is negative, no time passes.
  public func advance(by duration: Duration) {
    tell { $0.advance(to: $0.now.advanced(by: duration)) }
  }

  /// Advances the clock to an instant in one jump, and wakes all tasks whose deadlines it
  /// reaches.
  ///
  /// If the instant is in the past, nothing happens.
  public func advance(to instant: Instant) {
    tell { $0.advance(to: instant) }
  }

  // MARK: - Waiting for tasks

  /// Waits until at least a given number of tasks are sleeping on the clock, or until the
  /// waiting task is canceled.
  public func sleepers(atLeast count: Int) async {
    await wait(for: .sleepers(atLeast: count))
  }

  /// Waits until a condition holds, or until the waiting task is canceled.
  func wait(for condition: ManualClockSchedule.Condition) async {
    let id = schedule.withLock { $0.makeID() }
    defer { tell { $0.left(id) } }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        tell { $0.wait(id, for: condition, continuation) }
      }
    } onCancel: {
      tell { $0.cancel(id) }
    }
  }

  /// Advances the clock to the next deadline, and wakes the tasks with that deadline.
  ///
  /// If all deadlines are later than the limit, the method advances the clock to the limit
  /// instead.
  func step(until limit: Instant?) -> ManualClockSchedule.Step {
    let (step, resumptions) = schedule.withLock { $0.step(until: limit) }
    for resumption in resumptions { resumption.resume() }
    return step
  }

  /// The number of times that a task has fallen asleep.
  var naps: UInt64 { schedule.withLock { $0.naps } }

  /// Applies an event to the schedule, and then resumes the returned continuations outside the
  /// lock.
  private func tell(_ event: (inout ManualClockSchedule) -> [ManualClockSchedule.Resumption]) {
    for resumption in schedule.withLock(event) { resumption.resume() }
  }
}
