/// A scope that contains the tasks of a store's actions, and cancels the tasks when the scope
/// ends.
///
/// Each store owns a scope, and ends the scope when the store is released. A caller that starts a
/// task does not wait for the task. The scope can cancel all its tasks and wait for all of them.
///
/// Scopes can be nested: a task in a nested scope also belongs to every outer scope. A scope is
/// safe to use from any thread. Starting or ending a task takes O(1) time for each scope that
/// contains the task.
public class EffectScope: @unchecked Sendable {
  // The compiler checks only final classes. All properties of this class and of its only subclass,
  // `Work`, are constants of Sendable types. The methods are in extensions, so that no call looks
  // for an override.

  /// The scope as the value of a task-local variable.
  ///
  /// A task copies its task-local values. The compiler generates the code that copies this
  /// structure. The code that copies an optional is generic, which takes three times as long.
  private struct OfTask: Sendable {
    let scope: EffectScope?
  }

  @TaskLocal private static var ofTask = OfTask(scope: nil)

  /// The scope that the dispatches of this task belong to, in addition to the store's own
  /// scope.
  ///
  /// This scope is the scope of the running work, or the scope of a dispatch that a caller
  /// awaits.
  package static var current: EffectScope? { ofTask.scope }

  /// The current scope, for code that is inlined in other modules.
  @usableFromInline static var ofCaller: EffectScope? { current }

  /// Calls a closure with a scope as the current scope.
  package static func withCurrent(_ scope: EffectScope?, operation: () -> Void) {
    $ofTask.withValue(OfTask(scope: scope), operation: operation)
  }

  /// Calls an asynchronous closure with a scope as the current scope.
  package nonisolated(nonsending) static func withCurrent<Result>(
    _ scope: EffectScope?, operation: nonisolated(nonsending) () async throws -> Result
  ) async rethrows -> Result {
    try await $ofTask.withValue(OfTask(scope: scope)) { try await operation() }
  }

  final let engine: WorkEngine
  final let node: WorkStateMachine.NodeID
  /// The scope that contains this scope, or `nil` if this scope is the scope of a store.
  private final let outer: EffectScope?
  /// The scope of another store that everything in this scope also belongs to.
  final let elsewhere: EffectScope?

  /// Creates a scope without tasks.
  ///
  /// When the last reference to the scope is released, its tasks are canceled.
  public init() {
    engine = WorkEngine()
    node = WorkStateMachine.root
    outer = nil
    elsewhere = nil
  }

  /// Creates a scope that is nested in another scope, and that exists at least until its tasks
  /// have finished.
  package init(within outer: EffectScope) {
    engine = outer.engine
    node = engine.openScope(in: outer.node)
    self.outer = outer
    elsewhere = outer.elsewhere
  }

  private init(within outer: EffectScope, and elsewhere: EffectScope) {
    engine = outer.engine
    node = engine.openScope(in: outer.node)
    self.outer = outer
    self.elsewhere = elsewhere
  }

  /// Creates the scope of work that was started in a scope.
  ///
  /// - Parameters:
  ///   - node: The node of the work.
  ///   - inner: The scope in which the work was started.
  ///   - parent: The node that contains the work: the node of the scope, or of an outer scope.
  init(_ node: WorkStateMachine.NodeID, below inner: EffectScope, at parent: WorkStateMachine.NodeID) {
    var outer = inner
    while outer.node != parent, let next = outer.outer { outer = next }
    engine = outer.engine
    self.node = node
    self.outer = outer
    elsewhere = inner.elsewhere
  }

  deinit {
    if isOfStore { cancelAll() } else { engine.remove(node) }
  }
}

extension EffectScope {
  /// A Boolean value that indicates whether the scope is not nested in another scope.
  var isOfStore: Bool { outer == nil }

  // MARK: Tasks

  /// The number of tasks that have not finished.
  public var count: Int {
    Timeline.endsAreObserved()
    return engine.read { $0.unfinished(in: node) }
  }

  /// The total number of tasks that have been started in the store.
  package var started: UInt64 { engine.started }

  /// Starts a task in the scope.
  ///
  /// The task retains the scope only if the scope is nested in another scope. If the scope or an
  /// outer scope has ended, the operation does not run.
  ///
  /// - Parameters:
  ///   - priority: The priority of the task. The default is the priority of the caller.
  ///   - operation: The operation of the task, which can check for cancellation.
  public func start(priority: TaskPriority? = nil, _ operation: @escaping @Sendable () async -> Void) {
    _ = task(priority: priority, operation)
  }

  /// Starts a task in the scope, or returns `nil` if the scope has ended.
  package func task(
    priority: TaskPriority? = nil, _ operation: @escaping @Sendable () async -> Void
  ) -> EffectTask? {
    guard let effect = enter() else { return nil }
    effect.run(
      engine.timeline.startTask(priority: priority) {
        // The value replaces the scope that was current when the task started, because that scope
        // may belong to another dispatch.
        await EffectScope.withCurrent(effect.scope) { await operation() }
        effect.leave()
      })
    return effect
  }

  /// Adds an entry that the scope waits for and can cancel until the entry leaves.
  ///
  /// - Returns: The entry, or `nil` if the scope has ended.
  package func enter() -> EffectTask? { EffectTask(in: self) }

  /// The clock and the executor of the tasks in the store.
  @usableFromInline package var timeline: Timeline { engine.timeline }

  /// Sets the clock and the executor of the tasks that are started in the store from now on.
  package func use(_ timeline: Timeline) {
    engine.use(timeline)
  }

  // MARK: Nested scopes

  /// Returns a Boolean value that indicates whether this scope is the given scope or is nested in
  /// the given scope.
  package func isWithin(_ other: EffectScope) -> Bool {
    isNested(in: other) || elsewhere?.isWithin(other) == true
  }

  private func isNested(in other: EffectScope) -> Bool {
    self === other || outer?.isNested(in: other) == true
  }

  /// Calls a closure so that the work of the actions that the closure dispatches starts in this
  /// scope.
  ///
  /// If the current scope is nested in this scope, or if it has sent the action through code that
  /// belongs to this scope, the work starts in the current scope instead.
  package func gather(_ dispatch: () -> Void) {
    if let current = EffectScope.current, current.isWithin(self) || DispatchSender.carried != nil {
      return dispatch()
    }
    EffectScope.withCurrent(self, operation: dispatch)
  }

  /// This scope, or a nested scope that also belongs to the current work or dispatch.
  package var joinedByCurrent: EffectScope { joined(by: .current) }

  /// Returns a scope that belongs to both this scope and another scope.
  ///
  /// If the other scope is `nil`, or is a scope of the same store that is not nested in this
  /// scope, the method returns this scope.
  package func joined(by other: EffectScope?) -> EffectScope {
    guard let other else { return self }
    if other.isWithin(self) { return other }
    return engine === other.engine ? self : EffectScope(within: self, and: other)
  }

  // MARK: Canceling

  /// Cancels every running task in the order in which the tasks were started.
  ///
  /// New tasks can be started afterward.
  public func cancelAll() {
    engine.cancelAll(in: node)
  }

  /// Cancels every task, and prevents new tasks from starting.
  @usableFromInline
  package func end() {
    engine.end(node)
  }

  /// Marks the scope as ended, and returns the steps that cancel its tasks.
  ///
  /// After this call, the scope starts no tasks and dispatches no actions. The method calls no
  /// code of the user, so a caller can hold a lock.
  package func markEnded() -> Errands { engine.markEnded(node) }

  /// Performs steps in a task of the current scope, for a caller that holds a lock.
  package func performLater(_ errands: Errands) {
    if EffectScope.current?.task({ errands.perform() }) != nil { return }
    _ = engine.timeline.startTask { errands.perform() }
  }

  /// A Boolean value that indicates whether the scope or an outer scope has ended, so that no
  /// more tasks can be started.
  package var hasEnded: Bool { engine.read { $0.hasEnded(node) } || elsewhere?.hasEnded == true }

  // MARK: Waiting

  /// Waits until no task is running.
  ///
  /// The method returns as soon as no task is running, even if more tasks start afterward. If
  /// the waiting task is canceled, the method continues to wait.
  public func finished() async {
    await engine.untilIdle(node)
  }

  /// Waits until no task is running, or until the waiting task is canceled.
  ///
  /// The method is inlined in the client's module, so that the wait needs no additional frame.
  ///
  /// - Returns: `false` if the waiting task was canceled first.
  @inlinable @inline(__always)
  package nonisolated(nonsending) func finishedUnlessCancelled() async -> Bool {
    guard let caller = nextCaller() else { return true }
    return await withTaskCancellationHandler {
      await withUnsafeContinuation { wait(as: caller, $0) }
    } onCancel: {
      stopWaiting(caller)
    }
  }

  /// Returns the number of the next caller that waits, or `nil` if no task is running.
  @usableFromInline
  func nextCaller() -> UInt64? { engine.nextCaller(for: node) }

  /// Resumes a continuation when no task is running, or when the waiting task is canceled.
  @usableFromInline
  func wait(as caller: UInt64, _ continuation: UnsafeContinuation<Bool, Never>) {
    engine.wait(WaitingCaller(caller, continuation), for: node)
  }

  /// Resumes a caller whose task was canceled, if the caller is waiting.
  @usableFromInline
  func stopWaiting(_ caller: UInt64) {
    engine.stopWaiting(caller, for: node)
  }

  /// Waits until no thread is dispatching an action in the scope or in a nested scope.
  package func untilDispatched() async {
    await engine.untilDispatched(node)
  }

  // MARK: Dispatches

  /// Calls a closure that dispatches an action, unless the scope has ended.
  ///
  /// The thread counts as a dispatching thread of the scope and its outer scopes during the call.
  /// A caller that waits until no thread is dispatching an action in one of the scopes also waits
  /// until the closure returns.
  package func whileDispatching(_ dispatch: () -> Void) {
    guard beginDispatch() else { return }
    dispatch()
    endDispatch()
  }

  private func beginDispatch() -> Bool {
    guard engine.beginDispatch(in: node) else { return false }
    guard let elsewhere, !elsewhere.beginDispatch() else { return true }
    engine.endDispatch(in: node)
    return false
  }

  private func endDispatch() {
    elsewhere?.endDispatch()
    engine.endDispatch(in: node)
  }
}
