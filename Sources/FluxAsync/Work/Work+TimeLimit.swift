import FluxCore

extension Work {
  /// Performs one attempt within the time limit of the policy.
  ///
  /// If there is a time limit, the attempt runs in a separate task, because the method must
  /// return at the deadline even if the attempt does not respond to the cancellation.
  ///
  /// - Throws: The error of the attempt, an error with the code ``WorkError/Code/timedOut`` if
  ///   the attempt exceeded the time limit, or a `CancellationError` if the work was canceled.
  func withinTimeLimit<Value: Sendable>(
    _ timeout: Duration?, _ attempt: any Attempt,
    _ operation: @escaping @Sendable (any Attempt) async throws -> Value
  ) async throws -> Value {
    guard let timeout else {
      return try await EffectScope.withCurrent(attempt.scope) { try await operation(attempt) }
    }
    let deadline = timeline.now + timeout
    let outcome = OneShot<Result<Value, any Error>>()
    // The task belongs only to the store's scope, so an attempt that exceeds its time limit
    // does not delay anything else.
    let running = context.scope.task {
      let result: Result<Value, any Error>
      do {
        // An attempt that is canceled before it begins does not run code of the user.
        try Task.checkCancellation()
        Timeline.executorOfTest?.workBegins()
        result = .success(
          try await EffectScope.withCurrent(attempt.scope) { try await operation(attempt) })
      } catch {
        result = .failure(error)
      }
      if attempt.scope.attemptReturned() { outcome.fire(result) }
    }
    // The entry makes a cancellation of the work also cancel the task of the attempt.
    guard let running, let entry = scope.enter() else {
      running?.cancel()
      throw CancellationError()
    }
    entry.run(running)
    let result = await outcome.wait(
      until: deadline, on: timeline,
      ifLate: { attempt.scope.attemptTimedOut() ? .failure(WorkError.timedOut(after: timeout)) : nil },
      ifCancelled: .failure(CancellationError()))
    entry.leave()
    if case .failure(let error as WorkError) = result, error.code == .timedOut {
      running.cancel()
      await attempt.stop()
    }
    return try result.get()
  }
}
