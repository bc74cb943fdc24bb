/// The context of a forked task, with waits that end when the task ends.
///
/// The waits throw a ``ListenerError`` immediately when the task, or the run that forked the
/// task, is canceled or over.
public struct ForkContext: Sendable {
  let job: ListenerJob

  /// The reason why the task is over or was canceled; `nil` while the task continues.
  public var cancellation: ListenerError.Code? { job.end.value }

  /// A Boolean value that indicates whether the task is over or was canceled.
  public var isCancelled: Bool { cancellation != nil }

  /// Throws an error if the task is over or was canceled.
  public func checkCancellation() throws(ListenerError) { try job.check() }

  /// Waits for a duration, on the clock of the ``Listeners``.
  ///
  /// - Throws: ``ListenerError`` immediately when the task is canceled or over; an error of the
  ///   clock.
  public func delay(for duration: Duration) async throws {
    try await job.delay(for: duration)
  }

  /// Runs work in a separate task, and waits for the work until the forked task ends.
  ///
  /// The method behaves as ``ListenerContext/pause(for:)`` does.
  ///
  /// - Returns: The value that the work returns.
  /// - Throws: The error that the work throws; ``ListenerError`` immediately when the task is
  ///   canceled or over.
  public func pause<Value: Sendable>(
    for work: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    try await job.pause(work)
  }
}
