/// A scope for the tasks that a store's actions start: they end with it.
///
/// A store owns one, and ends it when it goes. The tasks are unstructured to the caller, who does not wait,
/// and structured to the scope, which can cancel them all and wait for them all.
///
/// Scopes nest: a task of a scope made within others is a task of those too. Safe from any thread. Starting and ending a
/// task is O(1) for each scope it is in.
public final class EffectScope: Sendable {
  private struct Tasks {
    var running: [ObjectIdentifier: EffectTask] = [:]
    var waiting: [CheckedContinuation<Void, Never>] = []
    var started: UInt64 = 0
    var hasEnded = false
  }

  /// The scope that what is dispatched here belongs to, beside the store's own: that of work which is running, or of a
  /// dispatch that is to be waited for.
  @TaskLocal package static var current: EffectScope?

  /// The current scope, for code that is inlined in other modules.
  @usableFromInline static var ofCaller: EffectScope? { current }

  private let tasks = Locked(Tasks())
  /// All that this scope is in, however far out.
  private let outer: [EffectScope]

  /// Creates a scope with nothing running in it.
  ///
  /// When the last reference to it goes, its tasks are cancelled.
  public init() {
    outer = []
  }

  /// Creates a scope within others, which lives at least as long as its tasks.
  package init(within others: EffectScope...) {
    var outer: [EffectScope] = []
    for scope in others.flatMap({ [$0] + $0.outer }) where !outer.contains(where: { $0 === scope }) {
      outer.append(scope)
    }
    self.outer = outer
  }

  deinit {
    cancelAll()
  }

  /// The number of tasks that have not finished.
  public var count: Int { tasks.withLock { $0.running.count } }

  /// The number of tasks that were ever started.
  package var started: UInt64 { tasks.withLock { $0.started } }

  /// Starts a task in the scope.
  ///
  /// The task holds a scope weakly that was not made within another. Once the scope has ended, or one that it is in, the
  /// operation is not run at all.
  ///
  /// - Parameters:
  ///   - priority: The task's priority; by default that of the caller.
  ///   - operation: The work. It learns of cancellation as any task does.
  public func start(priority: TaskPriority? = nil, _ operation: @escaping @Sendable () async -> Void) {
    _ = task(priority: priority, operation)
  }

  /// Starts a task in the scope; returns `nil` if the scope has ended.
  ///
  /// - Parameter onCancel: Called once when the task is cancelled before it has ended, on the thread that cancels, outside
  ///   any lock.
  package func task(
    priority: TaskPriority? = nil, onCancel: (@Sendable () -> Void)? = nil,
    _ operation: @escaping @Sendable () async -> Void
  ) -> EffectTask? {
    let effect = EffectTask(onCancel: onCancel)
    let scopes = [self] + outer
    for (index, scope) in scopes.enumerated() where !scope.add(effect) {
      for scope in scopes[..<index] { scope.remove(effect) }
      return nil
    }
    let weak = outer.isEmpty ? scopes.map { Weak(scope: $0) } : []
    let kept = outer.isEmpty ? [] : scopes
    effect.run(
      Task(priority: priority) { [belonging = outer.isEmpty ? nil : self] in
        // Not to what was current where the task was started, which may be another dispatch.
        await EffectScope.$current.withValue(belonging) { await operation() }
        effect.finish()
        for scope in weak { scope.scope?.remove(effect) }
        for scope in kept { scope.remove(effect) }
      })
    return effect
  }

  private struct Weak: Sendable {
    weak var scope: EffectScope?
  }

  /// Whether this scope is another one, or in it.
  package func isWithin(_ other: EffectScope) -> Bool {
    self === other || outer.contains { $0 === other }
  }

  /// Runs a closure whose dispatches start their work in this scope, or in one within it if that is current.
  package func gather(_ dispatch: () -> Void) {
    if let current = EffectScope.current, current.isWithin(self) { return dispatch() }
    EffectScope.$current.withValue(self, operation: dispatch)
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

  /// Whether no task can be started any more.
  package var hasEnded: Bool {
    tasks.withLock { $0.hasEnded } || outer.contains { $0.tasks.withLock { $0.hasEnded } }
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

  private func add(_ effect: EffectTask) -> Bool {
    tasks.withLock { tasks in
      guard !tasks.hasEnded else { return false }
      tasks.running[ObjectIdentifier(effect)] = effect
      tasks.started += 1
      return true
    }
  }

  private func remove(_ effect: EffectTask) {
    let waiting = tasks.withLock { tasks -> [CheckedContinuation<Void, Never>] in
      tasks.running[ObjectIdentifier(effect)] = nil
      guard tasks.running.isEmpty else { return [] }
      defer { tasks.waiting = [] }
      return tasks.waiting
    }
    for continuation in waiting { continuation.resume() }
  }
}

/// A task of a scope, noted there before it is made, so that it is there before it can finish or be cancelled.
package final class EffectTask: Sendable {
  private struct Contents {
    var task: Task<Void, Never>?
    var onCancel: (@Sendable () -> Void)?
    var isCancelled = false
  }

  private let contents: Locked<Contents>

  fileprivate init(onCancel: (@Sendable () -> Void)?) {
    contents = Locked(Contents(onCancel: onCancel))
  }

  fileprivate func run(_ task: Task<Void, Never>) {
    let isCancelled = contents.withLock { contents in
      contents.task = task
      return contents.isCancelled
    }
    if isCancelled { task.cancel() }
  }

  fileprivate func finish() {
    let onCancel = contents.withLock { $0.onCancel.take() }
    withExtendedLifetime(onCancel) {}
  }

  package func cancel() {
    let (task, onCancel) = contents.withLock { contents in
      contents.isCancelled = true
      return (contents.task, contents.onCancel.take())
    }
    onCancel?()
    task?.cancel()
  }
}
