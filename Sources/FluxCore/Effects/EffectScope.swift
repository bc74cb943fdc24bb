/// A scope that contains the tasks of a store's actions, and cancels the tasks when the scope
/// ends.
///
/// Each store owns a scope, and ends the scope when the store is released. A caller that starts a
/// task does not wait for the task. The scope can cancel all its tasks and wait for all of them.
///
/// Scopes can be nested: a task in a nested scope also belongs to every outer scope. A scope is
/// safe to use from any thread. Starting or ending a task takes O(1) time for each scope that
/// contains the task.
public final class EffectScope: Sendable {
  private struct Tasks {
    var running: [UInt64: EffectTask] = [:]
    /// The closures to call when no task is running.
    var waiting: [@Sendable () -> Void] = []
    var started: UInt64 = 0
    var hasEnded = false
    /// The threads that are dispatching actions in the scope, and the closures to call when no
    /// thread is dispatching an action in the scope.
    var loud: [ThreadIdentity] = []
    var waitingForQuiet: [@Sendable () -> Void] = []
    var work = WorkCount()
  }

  /// The numbers of pieces of work that were recorded in a scope.
  package struct WorkCount: Sendable {
    /// The total number of recorded pieces of work.
    package var arrived = 0
    /// The number of recorded pieces of work that did nothing, or whose end cannot be determined.
    package var idle = 0
  }

  /// The scope that the dispatches of this task belong to, in addition to the store's own
  /// scope.
  ///
  /// This scope is the scope of the running work, or the scope of a dispatch that a caller
  /// awaits.
  @TaskLocal package static var current: EffectScope?

  /// The current scope, for code that is inlined in other modules.
  @usableFromInline static var ofCaller: EffectScope? { current }

  private let tasks = Locked(Tasks())
  /// All scopes that contain this scope, at any depth.
  private let outer: [EffectScope]

  /// Creates a scope without tasks.
  ///
  /// When the last reference to the scope is released, its tasks are canceled.
  public init() {
    outer = []
  }

  /// Creates a scope that is nested in other scopes, and that exists at least until its tasks
  /// have finished.
  package init(within others: EffectScope...) {
    var outer: [EffectScope] = []
    var known: Set<ObjectIdentifier> = []
    for scope in others.flatMap({ $0.andOuter }) where known.insert(ObjectIdentifier(scope)).inserted {
      outer.append(scope)
    }
    self.outer = outer
  }

  deinit {
    cancelAll()
  }

  /// The number of tasks that have not finished.
  public var count: Int { tasks.withLock { $0.running.count } }

  /// The total number of tasks that have been started.
  package var started: UInt64 { tasks.withLock { $0.started } }

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
  ///
  /// - Parameters:
  ///   - priority: The priority of the task. The default is the priority of the caller.
  ///   - onCancel: A closure that is called once if the task is canceled before it has ended.
  ///     The closure is called on the canceling thread, outside any lock, before any task in the
  ///     same cancellation is canceled.
  ///   - operation: The operation of the task.
  package func task(
    priority: TaskPriority? = nil, onCancel: EffectTask.CancellationMark? = nil,
    _ operation: @escaping @Sendable () async -> Void
  ) -> EffectTask? {
    guard let effect = enter(onCancel: onCancel) else { return nil }
    let weak = Weak(scope: outer.isEmpty ? self : nil)
    effect.run(
      Task(priority: priority) { [kept = outer.isEmpty ? nil : self] in
        // The value replaces the scope that was current when the task started, because that scope
        // may belong to another dispatch.
        await EffectScope.$current.withValue(kept) { await operation() }
        guard let scope = kept ?? weak.scope else { return effect.finish() }
        scope.leave(effect)
      })
    return effect
  }

  private struct Weak: Sendable {
    weak var scope: EffectScope?
  }

  /// Adds an entry that the scope waits for and can cancel until `leave(_:)` is called.
  ///
  /// An entry can temporarily have no task.
  ///
  /// - Returns: The entry, or `nil` if the scope has ended.
  package func enter(onCancel: EffectTask.CancellationMark? = nil) -> EffectTask? {
    let effect = EffectTask(onCancel: onCancel)
    let scopes = andOuter
    for (index, scope) in scopes.enumerated() where !scope.add(effect) {
      for scope in scopes[..<index] { scope.remove(effect) }
      return nil
    }
    return effect
  }

  /// Removes an entry, first from this scope and then from the outer scopes.
  package func leave(_ effect: EffectTask) {
    effect.finish()
    for scope in andOuter { scope.remove(effect) }
  }

  /// This scope and all scopes that contain it.
  package var andOuter: [EffectScope] { [self] + outer }

  /// Returns a Boolean value that indicates whether this scope is the given scope or is nested in
  /// the given scope.
  package func isWithin(_ other: EffectScope) -> Bool {
    self === other || outer.contains { $0 === other }
  }

  /// Calls a closure so that the work of the actions that the closure dispatches starts in this
  /// scope.
  ///
  /// If the current scope is nested in this scope, the work starts in the current scope instead.
  package func gather(_ dispatch: () -> Void) {
    if let current = EffectScope.current, current.isWithin(self) { return dispatch() }
    EffectScope.$current.withValue(self, operation: dispatch)
  }

  // MARK: Canceling

  /// Cancels every running task in the order in which the tasks were started.
  ///
  /// New tasks can be started afterward.
  public func cancelAll() {
    var cancellation = Cancellation()
    cancelAll(&cancellation)
    cancellation.carryOut()
  }

  private func cancelAll(_ cancellation: inout Cancellation) {
    let running = tasks.withLock { Array($0.running.values) }
    for task in running.sorted(by: { $0.number < $1.number }) { task.cancel(&cancellation) }
  }

  /// Cancels every task, and prevents new tasks from starting.
  @usableFromInline
  package func end() {
    var cancellation = Cancellation()
    end(&cancellation)
    cancellation.carryOut()
  }

  /// Prevents new tasks from starting, and marks every task as canceled, as part of a larger
  /// cancellation.
  package func end(_ cancellation: inout Cancellation) {
    tasks.withLock { $0.hasEnded = true }
    cancelAll(&cancellation)
  }

  /// A Boolean value that indicates whether the scope or an outer scope has ended, so that no
  /// more tasks can be started.
  package var hasEnded: Bool {
    tasks.withLock { $0.hasEnded } || outer.contains { $0.tasks.withLock { $0.hasEnded } }
  }

  /// Waits until no task is running.
  ///
  /// The method returns as soon as no task is running, even if more tasks start afterward. If
  /// the waiting task is canceled, the method continues to wait.
  public func finished() async {
    await withCheckedContinuation { continuation in whenFinished { continuation.resume() } }
  }

  /// Calls a closure once when no task is running.
  ///
  /// If no task is running, the method calls the closure immediately. If tasks are running, the
  /// thread on which the last task ends calls the closure.
  package func whenFinished(_ act: @escaping @Sendable () -> Void) {
    let isIdle = tasks.withLock { tasks in
      if tasks.running.isEmpty { return true }
      tasks.waiting.append(act)
      return false
    }
    if isIdle { act() }
  }

  private func add(_ effect: EffectTask) -> Bool {
    tasks.withLock { tasks in
      guard !tasks.hasEnded else { return false }
      tasks.running[effect.number] = effect
      tasks.started += 1
      return true
    }
  }

  private func remove(_ effect: EffectTask) {
    let waiting = tasks.withLock { tasks -> [@Sendable () -> Void] in
      tasks.running[effect.number] = nil
      guard tasks.running.isEmpty else { return [] }
      defer { tasks.waiting = [] }
      return tasks.waiting
    }
    for act in waiting { act() }
  }
}

// MARK: - Dispatches and work

extension EffectScope {
  /// The scopes that a dispatch in this scope belongs to, except for the store's own scope,
  /// which contains every dispatch.
  private var belonging: [EffectScope] { andOuter.filter { !$0.outer.isEmpty } }

  /// Calls a closure that dispatches an action, and counts this thread as a dispatching thread of
  /// the scope and its outer scopes during the call.
  ///
  /// A scope is loud while a thread is dispatching an action in it, and quiet otherwise. Code
  /// that waits until one of the scopes is quiet also waits until the closure returns.
  ///
  /// The closure must check whether the scope has ended. With this check, either the closure
  /// finds that the scope has ended, or the thread that ends the scope finds that a thread is
  /// still dispatching an action in the scope.
  package func whileLoud(_ dispatch: () -> Void) {
    becomeLoud().run(dispatch)
  }

  /// Adds this thread to the threads that are dispatching actions in the scope, and returns a
  /// value whose ``LoudThread/run(_:)`` method dispatches an action and then removes the thread.
  package func becomeLoud() -> LoudThread {
    let (thread, scopes) = (ThreadIdentity.current, belonging)
    for scope in scopes { scope.tasks.withLock { $0.loud.append(thread) } }
    return LoudThread(thread: thread, scopes: scopes)
  }

  /// A thread that is about to dispatch in a scope and its outer scopes.
  package struct LoudThread: Sendable {
    fileprivate let thread: ThreadIdentity
    fileprivate let scopes: [EffectScope]

    /// Calls a closure that dispatches an action, and then removes the thread from the
    /// dispatching threads of the scopes.
    ///
    /// Call this method exactly once.
    package func run(_ dispatch: () -> Void) {
      dispatch()
      for scope in scopes { scope.quieten(thread) }
    }
  }

  private func quieten(_ thread: ThreadIdentity) {
    let waiting = tasks.withLock { tasks -> [@Sendable () -> Void] in
      if let index = tasks.loud.lastIndex(of: thread) { tasks.loud.remove(at: index) }
      guard tasks.loud.isEmpty else { return [] }
      defer { tasks.waitingForQuiet = [] }
      return tasks.waitingForQuiet
    }
    for act in waiting { act() }
  }

  /// A Boolean value that indicates whether a thread is dispatching an action in the scope or in
  /// a nested scope.
  package var isLoud: Bool { tasks.withLock { !$0.loud.isEmpty } }

  /// A Boolean value that indicates whether another thread is dispatching an action in the scope
  /// or in a nested scope.
  package var isLoudElsewhere: Bool {
    let thread = ThreadIdentity.current
    return tasks.withLock { $0.loud.contains { $0 != thread } }
  }

  /// Waits until no thread is dispatching an action in the scope or in a nested scope.
  package func untilQuiet() async {
    await withCheckedContinuation { continuation in whenQuiet { continuation.resume() } }
  }

  /// Calls a closure once when no thread is dispatching an action in the scope or in a nested
  /// scope.
  ///
  /// If no thread is dispatching an action, the method calls the closure immediately.
  package func whenQuiet(_ act: @escaping @Sendable () -> Void) {
    let isQuiet = tasks.withLock { tasks in
      if tasks.loud.isEmpty { return true }
      tasks.waitingForQuiet.append(act)
      return false
    }
    if isQuiet { act() }
  }

  /// The numbers of pieces of work that were recorded in this scope and in nested scopes.
  package var work: WorkCount { tasks.withLock { $0.work } }

  /// Changes the recorded numbers of pieces of work in this scope and its outer scopes.
  package func count(_ change: (inout WorkCount) -> Void) {
    for scope in belonging { scope.tasks.withLock { change(&$0.work) } }
  }
}
