import Synchronization

/// The time that has passed on a clock of any type since the timeline was created, and the
/// executor of the tasks that wait for it.
///
/// Deadlines are measured from the time at which the timeline was created. A deadline is computed
/// when an event happens and not when a task starts, so a task that starts late does not wait
/// longer.
@usableFromInline
package final class Timeline: Sendable {
  private let elapsed: @Sendable () -> Duration
  private let sleepUntil: @Sendable (Duration) async throws -> Void

  /// The executor of the tasks, or `nil` if they run on the executor of the system.
  @usableFromInline let executor: (any StepExecutor)?
  /// The executor of the tasks that only wait for a deadline, or `nil` if they run on the executor
  /// of the other tasks.
  private let timerExecutor: (any StepExecutor)?

  /// The timeline that a test sets for everything that its task creates, or `nil`.
  ///
  /// A test that controls every step sets a timeline with its own executor and clock.
  @TaskLocal package static var ofTest: Timeline?

  /// A Boolean value that indicates whether a test has created a timeline with an executor.
  static let hasExecutors = Atomic(false)

  /// Creates a timeline.
  ///
  /// If a test has set a timeline, the new timeline has the executor of that timeline. The new
  /// timeline also has the clock of that timeline, unless the caller passes another clock than the
  /// continuous clock, which is the default clock of all functions that take a clock.
  ///
  /// - Parameter clock: The clock that measures the time.
  package convenience init<C: Clock<Duration>>(_ clock: C) {
    let test = Timeline.ofTest
    if let test, clock is ContinuousClock {
      let start = test.now
      self.init(
        executor: test.executor, timerExecutor: test.timerExecutor, elapsed: { test.now - start },
        sleepUntil: { try await test.sleep(until: start + $0) })
    } else {
      self.init(clock, executor: test?.executor, timerExecutor: test?.timerExecutor)
    }
  }

  /// Creates a timeline with an executor.
  ///
  /// - Parameters:
  ///   - clock: The clock that measures the time.
  ///   - executor: The executor of the tasks, or `nil` for the executor of the system.
  ///   - timerExecutor: The executor of the tasks that only wait for a deadline, or `nil` for the
  ///     executor of the other tasks.
  package convenience init<C: Clock<Duration>>(
    _ clock: C, executor: (any StepExecutor)?, timerExecutor: (any StepExecutor)? = nil
  ) {
    let start = clock.now
    self.init(
      executor: executor, timerExecutor: timerExecutor, elapsed: { start.duration(to: clock.now) },
      sleepUntil: { deadline in
        try await clock.sleep(until: start.advanced(by: deadline), tolerance: nil)
      })
  }

  private init(
    executor: (any StepExecutor)?, timerExecutor: (any StepExecutor)?,
    elapsed: @escaping @Sendable () -> Duration,
    sleepUntil: @escaping @Sendable (Duration) async throws -> Void
  ) {
    if executor != nil { Timeline.hasExecutors.store(true, ordering: .relaxed) }
    self.executor = executor
    self.timerExecutor = timerExecutor
    self.elapsed = elapsed
    self.sleepUntil = sleepUntil
  }

  /// A timeline of the continuous clock, whose tasks run on the executor of the system.
  package static let system = Timeline(ContinuousClock(), executor: nil)

  /// The timeline of the tasks that only wait, for example for a deadline of this timeline.
  ///
  /// A test that controls every step performs the steps of these tasks at once.
  package var ofTimers: Timeline {
    guard let timerExecutor else { return self }
    return Timeline(
      executor: timerExecutor, timerExecutor: nil, elapsed: elapsed, sleepUntil: sleepUntil)
  }

  /// The timeline that a test has set, or the timeline of the system.
  package static var current: Timeline { ofTest ?? system }

  /// The time that has passed since the timeline was created.
  package var now: Duration { elapsed() }

  /// Waits until the given time has passed since the timeline was created.
  ///
  /// - Throws: `CancellationError` if the task is canceled.
  package func sleep(until deadline: Duration) async throws {
    try await sleepUntil(deadline)
  }
}
