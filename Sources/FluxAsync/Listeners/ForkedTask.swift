/// A task that runs alongside the effect that forked it.
///
/// The run of the effect owns the task. When the run is canceled or has ended, the task is
/// canceled. A forked task is safe to use from any thread.
public struct ForkedTask<Value: Sendable>: Sendable {
  private let parent: ListenerJob
  private let job: ListenerJob
  private let outcome = OneShot<ForkResult<Value>>()

  init(
    of parent: ListenerJob, autoJoin: Bool, _ body: @escaping @Sendable (ForkContext) async throws -> Value
  ) {
    self.parent = parent
    job = parent.child()
    let context = ForkContext(job: job)
    if autoJoin { parent.join { [outcome] in _ = await outcome.wait() } }
    job.start(completing: .taskCompleted) { [job, outcome] in
      let result: ForkResult<Value>
      do {
        let value = try await body(context)
        result = job.end.value.map { .cancelled(ListenerError($0)) } ?? .ok(value)
      } catch let error as ListenerError {
        result = .cancelled(error)
      } catch {
        let code = error is CancellationError ? job.end.value : nil
        result = code.map { .cancelled(ListenerError($0)) } ?? .rejected(error)
      }
      outcome.fire(result)
    } finally: { [job, outcome] in
      // The body of the task may never have run.
      if let code = job.end.value { outcome.fire(.cancelled(ListenerError(code))) }
    }
  }

  /// Cancels the task with ``ListenerError/Code/taskCancelled``, unless the task is over.
  ///
  /// Suspended calls to the task's context immediately throw an error. Other asynchronous code
  /// in the task is canceled as in any Swift task.
  public func cancel() {
    job.end.fire(.taskCancelled)
  }

  /// The outcome of the task, available after the task has ended.
  ///
  /// A canceled task ends when its body ends.
  ///
  /// - Throws: A ``ListenerError`` if the run that forked the task is canceled or ends before
  ///   the task has ended.
  public var result: ForkResult<Value> {
    get async throws {
      let waiting = OneShot<Result<ForkResult<Value>, any Error>>()
      let request = outcome.whenFired { waiting.fire(.success($0)) }
      defer { outcome.forget(request) }
      let result = if let known = outcome.value { known } else { try await parent.wait(for: waiting) }
      // If the task was canceled because its parent job ended, the property throws the parent's
      // error, regardless of which of the two jobs recorded its end first.
      if case .cancelled(let error) = result, error.code != .taskCancelled, error.code == job.end.value {
        throw error
      }
      return result
    }
  }

  /// The value that the task returned, available after the task has ended.
  ///
  /// - Throws: The error that the task threw, or a ``ListenerError`` if the task or the run that
  ///   forked it is canceled.
  public var value: Value {
    get async throws {
      switch try await result {
      case .ok(let value): return value
      case .rejected(let error): throw error
      case .cancelled(let error): throw error
      }
    }
  }
}

/// The outcome of a forked task.
public enum ForkResult<Value: Sendable>: Sendable {
  /// The task returned a value.
  case ok(Value)
  /// The task threw an error.
  case rejected(any Error)
  /// The task was canceled, and threw a ``ListenerError`` or returned a value despite the
  /// cancellation.
  case cancelled(ListenerError)
}

/// The context of a forked task.
///
/// The methods that wait throw a ``ListenerError`` as soon as the task, or the run that forked
/// the task, is canceled or has ended.
public struct ForkContext: Sendable {
  let job: ListenerJob

  /// The reason why the task is over or was canceled, or `nil` while the task continues.
  public var cancellation: ListenerError.Code? { job.end.value }

  /// A Boolean value that indicates whether the task is over or was canceled.
  public var isCancelled: Bool { cancellation != nil }

  /// Throws an error if the task is over or was canceled.
  public func checkCancellation() throws(ListenerError) { try job.check() }

  /// Waits for a duration, as measured by the clock of the ``Listeners`` instance.
  ///
  /// - Throws: A ``ListenerError`` as soon as the task is canceled or has ended, or an error
  ///   that the clock throws.
  public func delay(for duration: Duration) async throws {
    try await job.delay(for: duration)
  }

  /// Runs a closure in a separate task, and waits until the closure has returned or the forked
  /// task has ended.
  ///
  /// The method behaves like ``ListenerContext/pause(for:)``.
  ///
  /// - Returns: The value that the work returns.
  /// - Throws: The error that the work throws, or a ``ListenerError`` as soon as the task is
  ///   canceled or has ended.
  public func pause<Value: Sendable>(
    for work: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    try await job.pause(work)
  }
}
