/// The time that has passed on a clock since this was made, whatever the clock's instants are.
///
/// Deadlines are durations here, computed when something happens and not when a task gets to run; so a task that
/// starts late does not wait for longer.
package struct Timeline: Sendable {
  private let elapsed: @Sendable () -> Duration
  private let sleepUntil: @Sendable (Duration) async throws -> Void

  package init<C: Clock<Duration>>(_ clock: C) {
    let start = clock.now
    elapsed = { start.duration(to: clock.now) }
    sleepUntil = { deadline in try await clock.sleep(until: start.advanced(by: deadline), tolerance: nil) }
  }

  /// How much time has passed.
  package var now: Duration { elapsed() }

  /// Waits until so much time has passed in all.
  ///
  /// - Throws: `CancellationError` when the task is cancelled.
  package func sleep(until deadline: Duration) async throws {
    try await sleepUntil(deadline)
  }
}
