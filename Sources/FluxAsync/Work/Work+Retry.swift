import FluxCore

extension Work {
  /// Performs an operation with the retries and the time limit of the policy.
  ///
  /// A failed attempt and everything that it has started end before a ``WorkAttemptFailed`` is
  /// dispatched and the next attempt begins.
  ///
  /// - Parameters:
  ///   - rules: The rules for the attempts.
  ///   - operation: One attempt of the work.
  /// - Throws: The error of the last attempt, with the code ``WorkError/Code/timedOut`` if the
  ///   attempt exceeded the time limit, or a `CancellationError` if the work was canceled.
  // Work with a single attempt has a small frame because this method has its own frame.
  @inline(never)
  nonisolated(nonsending) func attempt<Value: Sendable>(
    _ rules: AttemptRules, _ operation: @escaping @Sendable (any Attempt) async throws -> Value
  ) async throws -> Value {
    var attempt = SeparateAttempt(1, of: self, after: nil)
    while true {
      do {
        return try await withinTimeLimit(rules.timeout, attempt, operation)
      } catch {
        attempt.close()
        guard !isCancelled, let delay = delay(after: attempt, error, rules.retry) else { throw error }
        await attempt.stop()
        dispatch(WorkAttemptFailed(error: error, action: steps.action, attempt: attempt.number))
        try await settings.timeline.sleep(until: settings.timeline.now + delay)
        attempt = SeparateAttempt(attempt.number + 1, of: self, after: error)
      }
    }
  }

  /// Returns the delay before another attempt, or `nil` if there is no further attempt.
  private func delay(after attempt: any Attempt, _ error: any Error, _ retry: Retry?) -> Duration? {
    // Another attempt would fail with the same error, so the user's closure is not called.
    if error is StoreHasGone || (error as? WorkError)?.code == .otherState { return nil }
    guard let retry, attempt.number <= retry.times, retry.isWorthIt(error) else { return nil }
    return retry.backoff.wait(afterFailures: attempt.number, chance: settings.chance())
  }
}
