import FluxCore

extension WorkEnvironment {
  /// Does something as often, and each time for as long, as the policy allows.
  ///
  /// - Parameter operation: One try, given what says whether it still counts.
  /// - Throws: What the last try has thrown; ``WorkError/Code/timedOut``; `CancellationError` when the work was cancelled.
  func attempt<Value: Sendable>(
    _ work: Work, _ operation: @escaping @Sendable (Attempt) async throws -> Value
  ) async throws -> Value {
    var failures = 0
    while true {
      let attempt = Attempt()
      do {
        defer { attempt.end() }
        return try await limited(work, attempt, operation)
      } catch {
        failures += 1
        guard !work.isCancelled, let retry = policy.retry, failures <= retry.times, retry.isWorthIt(error)
        else {
          throw error
        }
        let wait = retry.backoff.wait(afterFailures: failures, chance: settings.chance())
        try await settings.timeline.sleep(until: settings.timeline.now + wait)
      }
    }
  }

  /// One try, for as long as the policy allows.
  private func limited<Value: Sendable>(
    _ work: Work, _ attempt: Attempt, _ operation: @escaping @Sendable (Attempt) async throws -> Value
  ) async throws -> Value {
    guard let timeout = policy.timeout else { return try await operation(attempt) }
    let timeline = settings.timeline
    let deadline = timeline.now + timeout
    let outcome = OneShot<Result<Value, any Error>>()
    let running = work.scope.task(onCancel: { outcome.fire(.failure(CancellationError())) }) {
      do {
        outcome.fire(.success(try await operation(attempt)))
      } catch {
        outcome.fire(.failure(error))
      }
    }
    let limit = work.scope.task {
      do {
        try await timeline.sleep(until: deadline)
      } catch {
        // Cancelled, since it is over: a clock that fails for another reason sets no limit.
        return
      }
      outcome.fire(.failure(WorkError.timedOut(after: timeout)))
    }
    if running == nil { outcome.fire(.failure(CancellationError())) }
    let result = await outcome.wait()
    attempt.end()
    running?.cancel()
    limit?.cancel()
    return try result.get()
  }
}
