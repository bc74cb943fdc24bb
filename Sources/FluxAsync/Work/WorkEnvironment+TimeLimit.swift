import FluxCore

extension WorkEnvironment {
  /// Performs one attempt of the work within the time limit of the policy.
  ///
  /// The attempt runs in a separate task, because the function must return at the deadline even
  /// if the attempt does not respond to the cancellation.
  ///
  /// - Throws: The error of the attempt, an error with the code ``WorkError/Code/timedOut`` if
  ///   the attempt exceeded the time limit, or a `CancellationError` if the work was canceled.
  func withinTimeLimit<Value: Sendable>(
    _ work: Work, _ attempt: Attempt, _ operation: @escaping @Sendable (Attempt) async throws -> Value
  ) async throws -> Value {
    guard let timeout = policy.timeout else { return try await attempt.run(operation) }
    let deadline = settings.timeline.now + timeout
    let outcome = OneShot<Result<Value, any Error>>()
    // The task belongs only to the store's scope, so an attempt that exceeds its time limit
    // does not delay anything else.
    let running = context.scope.task {
      do {
        outcome.fire(.success(try await attempt.run(operation)))
      } catch {
        outcome.fire(.failure(error))
      }
    }
    let entry = work.scope.enter { cancellation in
      running?.cancel(&cancellation)
      cancellation.tell { outcome.fire(.failure(CancellationError())) }
    }
    guard let running, let entry else {
      running?.cancel()
      throw CancellationError()
    }
    let result = await outcome.wait(
      until: deadline, on: settings.timeline, ifLate: .failure(WorkError.timedOut(after: timeout)))
    work.scope.leave(entry)
    if case .failure(let error as WorkError) = result, error.code == .timedOut {
      running.cancel()
      await attempt.stop()
    }
    return try result.get()
  }
}
