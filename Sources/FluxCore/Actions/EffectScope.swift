/// A scope for the tasks that a store's actions start: they end with it.
///
/// A store owns one, and cancels it when it goes. The tasks are unstructured to the caller, who does not wait,
/// and structured to the scope, which can cancel them all and wait for them all.
///
/// Safe from any thread. Starting and ending a task is O(1).
public final class EffectScope: Sendable {
  private struct Tasks {
    var running: [UInt64: Task<Void, Never>] = [:]
    var waiting: [CheckedContinuation<Void, Never>] = []
    var nextID: UInt64 = 0
    var hasEnded = false
  }

  private let tasks = Locked(Tasks())

  /// Creates a scope with nothing running in it.
  public init() {}

  deinit {
    cancelAll()
  }

  /// The number of tasks that have not finished.
  public var count: Int { tasks.withLock { $0.running.count } }

  /// Starts a task in the scope.
  ///
  /// The task holds the scope weakly. Once the scope has ended, the operation is not run at all.
  ///
  /// - Parameters:
  ///   - priority: The task's priority; by default that of the caller.
  ///   - operation: The work. It learns of cancellation as any task does.
  public func start(priority: TaskPriority? = nil, _ operation: @escaping @Sendable () async -> Void) {
    tasks.withLock { tasks in
      guard !tasks.hasEnded else { return }
      tasks.nextID += 1
      // Made under the lock, so that the task is noted before it can finish or be cancelled.
      tasks.running[tasks.nextID] = Task(priority: priority) { [weak self, id = tasks.nextID] in
        await operation()
        self?.finish(id)
      }
    }
  }

  /// Cancels every task that runs now; later ones may be started.
  public func cancelAll() {
    for task in tasks.withLock({ Array($0.running.values) }) { task.cancel() }
  }

  /// Cancels every task and lets no new one start.
  @usableFromInline
  package func end() {
    tasks.withLock { $0.hasEnded = true }
    cancelAll()
  }

  /// Waits until no task runs.
  ///
  /// It returns at the first moment at which nothing runs, even if more is started after that. Cancelling the
  /// waiting task does not shorten the wait.
  public func finished() async {
    await withCheckedContinuation { continuation in
      let isIdle = tasks.withLock { tasks in
        if tasks.running.isEmpty { return true }
        tasks.waiting.append(continuation)
        return false
      }
      if isIdle { continuation.resume() }
    }
  }

  private func finish(_ id: UInt64) {
    let waiting = tasks.withLock { tasks -> [CheckedContinuation<Void, Never>] in
      tasks.running[id] = nil
      guard tasks.running.isEmpty else { return [] }
      defer { tasks.waiting = [] }
      return tasks.waiting
    }
    for continuation in waiting { continuation.resume() }
  }
}
