import FluxCore

/// The work of a listener: a run of its effect, or a task that was forked from a run.
///
/// A job ends only once, and records the reason. When a job ends, all suspended calls to its
/// methods immediately throw an error with the reason, even if the awaited work has not ended.
final class ListenerJob: Sendable {
  /// The reason why the job is over or was canceled.
  let end = OneShot<ListenerError.Code>()
  /// The scope of the job's tasks: the store's scope, or a scope that is nested in the scope of
  /// a dispatch.
  let scope: EffectScope
  private let store: EffectScope
  private let timeline: Timeline
  private let joined = Locked<[@Sendable () async -> Void]>([])

  init(in scope: EffectScope, of store: EffectScope, on timeline: Timeline) {
    self.scope = scope
    self.store = store
    self.timeline = timeline
  }

  /// Creates a job that ends no later than this job.
  func child() -> ListenerJob {
    let child = ListenerJob(in: scope, of: store, on: timeline)
    let request = end.whenFired { [weak child] code in child?.end.fire(code) }
    child.end.whenFired { [weak self] _ in self?.end.forget(request) }
    return child
  }

  // MARK: - Running

  /// Runs a closure as the body of the job, in a task of the scope.
  ///
  /// If the job has already ended, the body does not run.
  ///
  /// - Parameters:
  ///   - code: The reason that is recorded when the body and all joined closures have returned.
  ///   - body: The closure to run.
  ///   - finish: A closure that is called when the job has ended, even if the body never ran.
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

  /// Adds a closure that must return before this job ends.
  func join(_ wait: @escaping @Sendable () async -> Void) {
    joined.withLock { $0.append(wait) }
  }

  // MARK: - Waiting

  /// Throws an error if the job is over or was canceled.
  func check() throws(ListenerError) {
    if let code = end.value { throw ListenerError(code) }
  }

  /// Waits until there is a result, the job ends, or the waiting task is canceled.
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

  /// Runs a closure in a separate task, and waits until the closure has returned or the job has
  /// ended.
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

  /// Waits for a duration, or until the job ends.
  func delay(for duration: Duration) async throws {
    try check()
    let result = OneShot<Result<Void, any Error>>()
    let timer = startTimer(duration) { result.fire($0) }
    defer { timer?.cancel() }
    try await wait(for: result)
  }

  /// Starts a task that calls a closure after a duration, or when the clock throws an error.
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

  /// Returns the reason why a task of this job was canceled, or the given error if the task was
  /// canceled separately.
  private func reason(of error: any Error) -> any Error {
    // The scope can cancel its tasks before it ends the job.
    if scope.hasEnded { end.fire(codeOfScope) }
    return end.value.map { ListenerError($0) } ?? error
  }

  private var codeOfScope: ListenerError.Code { store.hasEnded ? .storeEnded : .dispatchCancelled }
}
