import FluxCore

/// A piece of a listener's work: a run of its effect, or a task that was forked from one.
///
/// It ends once, with a reason, which all its waits throw at once. What is waited for may take longer.
final class ListenerJob: Sendable {
  /// Why the job is over, or has to be.
  let end = OneShot<ListenerError.Code>()
  /// Where its tasks run, and whatever that is in: the store's scope, or that of a dispatch.
  let scope: EffectScope
  private let store: EffectScope
  private let timeline: Timeline
  private let joined = Locked<[@Sendable () async -> Void]>([])

  init(in scope: EffectScope, of store: EffectScope, on timeline: Timeline) {
    self.scope = scope
    self.store = store
    self.timeline = timeline
  }

  /// A job that ends with this one at the latest.
  func child() -> ListenerJob {
    let child = ListenerJob(in: scope, of: store, on: timeline)
    let request = end.whenFired { [weak child] code in child?.end.fire(code) }
    child.end.whenFired { [weak self] _ in self?.end.forget(request) }
    return child
  }

  // MARK: - Running

  /// Runs a body as the job, in a task of the scope; one that was ended before it began is not run.
  ///
  /// - Parameters:
  ///   - code: How the job ends when the body has returned, and all that has joined it.
  ///   - body: The work.
  ///   - finish: Called when the job has ended, also when it was never run.
  func start(
    completing code: ListenerError.Code, _ body: @escaping @Sendable () async -> Void,
    finally finish: @escaping @Sendable () -> Void
  ) {
    let task = scope.task {
      await withTaskCancellationHandler {
        if self.end.value == nil { await body() }
        while true {
          let joined = self.joined.exchange([])
          if joined.isEmpty { break }
          for join in joined { await join() }
        }
      } onCancel: {
        self.end.fire(self.codeOfScope)
      }
      self.end.fire(code)
      finish()
    }
    guard let task else {
      end.fire(codeOfScope)
      finish()
      return
    }
    end.whenFired { _ in task.cancel() }
  }

  /// Has the end of this job wait for something.
  func join(_ wait: @escaping @Sendable () async -> Void) {
    joined.withLock { $0.append(wait) }
  }

  // MARK: - Waiting

  /// Throws if the job is over, or has to be.
  func check() throws(ListenerError) {
    if let code = end.value { throw ListenerError(code) }
  }

  /// Waits for a result, or for the job's end, or for the cancellation of the task that waits.
  func wait<Value: Sendable>(for result: OneShot<Result<Value, any Error>>) async throws -> Value {
    let request = end.whenFired { code in result.fire(.failure(ListenerError(code))) }
    defer { end.forget(request) }
    let settled = await withTaskCancellationHandler {
      await result.wait()
    } onCancel: {
      result.fire(.failure(CancellationError()))
    }
    if case .failure(let error) = settled, error is CancellationError { throw reason(of: error) }
    try check()
    return try settled.get()
  }

  /// Runs work in a task of its own, and waits for it as long as the job lasts.
  func pause<Value: Sendable>(_ work: @escaping @Sendable () async throws -> Value) async throws -> Value {
    try check()
    let result = OneShot<Result<Value, any Error>>()
    let task = scope.task {
      do { result.fire(.success(try await work())) } catch { result.fire(.failure(error)) }
    }
    if task == nil { result.fire(.failure(CancellationError())) }
    defer { task?.cancel() }
    return try await wait(for: result)
  }

  /// Waits for a time, as long as the job lasts.
  func delay(for duration: Duration) async throws {
    try check()
    let result = OneShot<Result<Void, any Error>>()
    let timer = startTimer(duration) { result.fire($0) }
    defer { timer?.cancel() }
    try await wait(for: result)
  }

  /// Calls a closure after a time, counted from now, or when there is an error.
  func startTimer(
    _ duration: Duration, _ handle: @escaping @Sendable (Result<Void, any Error>) -> Void
  ) -> EffectTask? {
    let deadline = timeline.now + duration
    let timer = scope.task { [timeline] in
      do {
        try await timeline.sleep(until: deadline)
        handle(.success(()))
      } catch {
        handle(.failure(error))
      }
    }
    if timer == nil { handle(.failure(CancellationError())) }
    return timer
  }

  /// The reason for which a task of this job was cancelled, if it was not its own affair.
  private func reason(of error: any Error) -> any Error {
    // The scope may tell the tasks in it of its end before it tells the job.
    if scope.hasEnded { end.fire(codeOfScope) }
    return end.value.map { ListenerError($0) } ?? error
  }

  private var codeOfScope: ListenerError.Code { store.hasEnded ? .storeEnded : .dispatchCancelled }
}
