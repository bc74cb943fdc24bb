/// The time that has passed on a clock of any type since the timeline was created.
///
/// Deadlines are measured from the time at which the timeline was created. A deadline is computed
/// when an event happens and not when a task starts, so a task that starts late does not wait
/// longer.
package struct Timeline: Sendable {
  private let elapsed: @Sendable () -> Duration
  private let sleepUntil: @Sendable (Duration) async throws -> Void

  package init<C: Clock<Duration>>(_ clock: C) {
    let start = clock.now
    elapsed = { start.duration(to: clock.now) }
    sleepUntil = { deadline in try await clock.sleep(until: start.advanced(by: deadline), tolerance: nil) }
  }

  /// The time that has passed since the timeline was created.
  package var now: Duration { elapsed() }

  /// Waits until the given time has passed since the timeline was created.
  ///
  /// - Throws: `CancellationError` if the task is canceled.
  package func sleep(until deadline: Duration) async throws {
    try await sleepUntil(deadline)
  }
}
