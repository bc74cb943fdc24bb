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
  @usableFromInline let executor: (any TaskExecutor)?

  /// Creates a timeline.
  ///
  /// - Parameters:
  ///   - clock: The clock that measures the time.
  ///   - executor: The executor of the tasks. A test can pass an executor that holds each step.
  package init<C: Clock<Duration>>(_ clock: C, executor: (any TaskExecutor)? = nil) {
    self.executor = executor
    let start = clock.now
    elapsed = { start.duration(to: clock.now) }
    sleepUntil = { deadline in try await clock.sleep(until: start.advanced(by: deadline), tolerance: nil) }
  }

  /// A timeline of the continuous clock, whose tasks run on the executor of the system.
  package static let system = Timeline(ContinuousClock())

  /// The time that has passed since the timeline was created.
  package var now: Duration { elapsed() }

  /// Waits until the given time has passed since the timeline was created.
  ///
  /// - Throws: `CancellationError` if the task is canceled.
  package func sleep(until deadline: Duration) async throws {
    try await sleepUntil(deadline)
  }
}
