/// A task that runs beside the effect that forked it.
///
/// It belongs to the run of the effect, which cancels it when it is cancelled or over. Safe from any thread.
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
      // One that was never run.
      if let code = job.end.value { outcome.fire(.cancelled(ListenerError(code))) }
    }
  }

  /// Cancels the task, with ``ListenerError/Code/taskCancelled``, if it is not over.
  ///
  /// Its waits throw at once; other work in it learns of it as any task does.
  public func cancel() {
    job.end.fire(.taskCancelled)
  }

  /// What came of the task, once it has ended.
  ///
  /// A task that was cancelled has ended when its body has.
  ///
  /// - Throws: ``ListenerError`` as soon as the run that forked the task is cancelled or over, and the task is not.
  public var result: ForkResult<Value> {
    get async throws {
      let waiting = OneShot<Result<ForkResult<Value>, any Error>>()
      let request = outcome.whenFired { waiting.fire(.success($0)) }
      defer { outcome.forget(request) }
      let result = if let known = outcome.value { known } else { try await parent.wait(for: waiting) }
      // Where the parent's end has cancelled the task that is thrown, whoever was quicker.
      if case .cancelled(let error) = result, error.code != .taskCancelled, error.code == job.end.value {
        throw error
      }
      return result
    }
  }

  /// What the task returns, once it has.
  ///
  /// - Throws: What the task throws; ``ListenerError`` when it is cancelled, or the run that forked it is.
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

/// What came of a forked task.
public enum ForkResult<Value: Sendable>: Sendable {
  /// It returned a value.
  case ok(Value)
  /// It threw an error.
  case rejected(any Error)
  /// It was cancelled, and let the error of one of its waits through, or returned all the same.
  case cancelled(ListenerError)
}
