/// What a forked task is given: ways to wait that end with the task.
///
/// They throw a ``ListenerError`` as soon as the task is cancelled or over, or the run that forked it is.
public struct ForkContext: Sendable {
  let job: ListenerJob

  /// Why the task is over, or has to be; `nil` while it goes on.
  public var cancellation: ListenerError.Code? { job.end.value }

  /// Whether the task is over, or has to be.
  public var isCancelled: Bool { cancellation != nil }

  /// Throws if the task is over, or has to be.
  public func checkCancellation() throws(ListenerError) { try job.check() }

  /// Waits for a time, on the clock of the ``Listeners``.
  ///
  /// - Throws: ``ListenerError`` as soon as the task is cancelled or over; an error of the clock.
  public func delay(for duration: Duration) async throws {
    try await job.delay(for: duration)
  }

  /// Runs work in a task of its own, and waits for it as long as the task lasts, as
  /// ``ListenerContext/pause(for:)`` does.
  ///
  /// - Returns: What the work returns.
  /// - Throws: What the work throws; ``ListenerError`` as soon as the task is cancelled or over.
  public func pause<Value: Sendable>(
    for work: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    try await job.pause(work)
  }
}
