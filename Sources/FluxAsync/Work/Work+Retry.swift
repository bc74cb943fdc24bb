import FluxCore

extension Work {
  /// Performs an operation with the retries and the time limit of the policy.
  ///
  /// A failed attempt and everything that it has started end before a ``WorkAttemptFailed`` is
  /// dispatched and the next attempt begins.
  ///
  /// - Parameters:
  ///   - rules: The rules for the attempts.
  ///   - steps: The steps of the work.
  ///   - operation: One attempt of the work.
  /// - Throws: The error of the last attempt, with the code ``WorkError/Code/timedOut`` if the
  ///   attempt exceeded the time limit, or a `CancellationError` if the work was canceled.
  @inline(never)  // The frames of work with a single attempt remain small.
  nonisolated(nonsending) func attempt<Value: Sendable>(
    _ rules: AttemptRules, of steps: any WorkSteps,
    _ operation: @escaping @Sendable (any Attempt) async throws -> Value
  ) async throws -> Value {
    var attempt = SeparateAttempt(1, of: self, after: nil)
    while true {
      do {
        return try await withinTimeLimit(rules.timeout, attempt, operation)
      } catch {
        attempt.close()
        guard !isCancelled, let delay = delay(after: attempt, error, rules.retry) else { throw error }
        await attempt.stop()
        dispatch(WorkAttemptFailed(error: error, action: steps.action, attempt: attempt.attemptNumber))
        try await timeline.sleep(until: timeline.now + delay)
        attempt = SeparateAttempt(attempt.attemptNumber + 1, of: self, after: error)
      }
    }
  }

  /// Returns the delay before another attempt, or `nil` if there is no further attempt.
  private func delay(after attempt: any Attempt, _ error: any Error, _ retry: Retry?) -> Duration? {
    // Another attempt would fail with the same error, so the user's closure is not called.
    if error is StoreHasGone || (error as? WorkError)?.code == .otherState { return nil }
    guard let retry, attempt.attemptNumber <= retry.times, retry.isWorthIt(error) else { return nil }
    return retry.backoff.wait(afterFailures: attempt.attemptNumber, chance: settings.chance())
  }
}
