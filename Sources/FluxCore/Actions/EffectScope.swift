/// A scope for the tasks that a store's actions start: they end with it.
///
/// A store owns one, and ends it when it goes. The tasks are unstructured to the caller, who does not wait,
/// and structured to the scope, which can cancel them all and wait for them all.
///
/// Scopes nest: a task of a scope made within others is a task of those too. Safe from any thread. Starting and ending a
/// task is O(1) for each scope it is in.
public final class EffectScope: Sendable {
  private struct Tasks {
    var running: [UInt64: EffectTask] = [:]
    /// Who is told when none runs.
    var waiting: [@Sendable () -> Void] = []
    var started: UInt64 = 0
    var hasEnded = false
    /// The threads that dispatch for it, and who is told when none does.
    var loud: [ThreadIdentity] = []
    var waitingForQuiet: [@Sendable () -> Void] = []
    var work = WorkCount()
  }

  /// The work that has arrived in a scope.
  package struct WorkCount: Sendable {
    /// How much has come.
    package var arrived = 0
    /// Of how much it is known that it did nothing, or not known when it is done.
    package var idle = 0
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
  ///   any lock, before it or anything that is cancelled along with it learns of it.
  package func task(
    priority: TaskPriority? = nil, onCancel: EffectTask.CancellationMark? = nil,
    _ operation: @escaping @Sendable () async -> Void
  ) -> EffectTask? {
    guard let effect = enter(onCancel: onCancel) else { return nil }
    let weak = Weak(scope: outer.isEmpty ? self : nil)
    effect.run(
      Task(priority: priority) { [kept = outer.isEmpty ? nil : self] in
        // Not to what was current where the task was started, which may be another dispatch.
        await EffectScope.$current.withValue(kept) { await operation() }
        guard let scope = kept ?? weak.scope else { return effect.finish() }
        scope.leave(effect)
      })
    return effect
  }

  private struct Weak: Sendable {
    weak var scope: EffectScope?
  }

  /// Notes something that is to be waited for, and is cancelled with the scope, until it leaves; returns `nil` if the scope
  /// has ended.
  ///
  /// It need not have a task all the time.
  package func enter(onCancel: EffectTask.CancellationMark? = nil) -> EffectTask? {
    let effect = EffectTask(onCancel: onCancel)
    let scopes = andOuter
    for (index, scope) in scopes.enumerated() where !scope.add(effect) {
      for scope in scopes[..<index] { scope.remove(effect) }
      return nil
    }
    return effect
  }

  /// Forgets what was noted, from the inside out.
  package func leave(_ effect: EffectTask) {
    effect.finish()
    for scope in andOuter { scope.remove(effect) }
  }

  /// This scope and all that it is in.
  package var andOuter: [EffectScope] { [self] + outer }

  /// Whether this scope is another one, or in it.
  package func isWithin(_ other: EffectScope) -> Bool {
    self === other || outer.contains { $0 === other }
  }

  /// Runs a closure whose dispatches start their work in this scope, or in one within it if that is current.
  package func gather(_ dispatch: () -> Void) {
    if let current = EffectScope.current, current.isWithin(self) { return dispatch() }
    EffectScope.$current.withValue(self, operation: dispatch)
  }

  // MARK: Cancelling

  /// Cancels every task that runs now, in the order in which they were started; later ones may be started.
  public func cancelAll() {
    var cancellation = Cancellation()
    cancelAll(&cancellation)
    cancellation.carryOut()
  }

  private func cancelAll(_ cancellation: inout Cancellation) {
    let running = tasks.withLock { Array($0.running.values) }
    for task in running.sorted(by: { $0.number < $1.number }) { task.cancel(&cancellation) }
  }

  /// Cancels every task and lets no new one start.
  @usableFromInline
  package func end() {
    var cancellation = Cancellation()
    end(&cancellation)
    cancellation.carryOut()
  }

  /// Lets no new task start, and marks every task as cancelled, as part of a larger cancellation.
  package func end(_ cancellation: inout Cancellation) {
    tasks.withLock { $0.hasEnded = true }
    cancelAll(&cancellation)
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
    await withCheckedContinuation { continuation in whenFinished { continuation.resume() } }
  }

  /// Has a closure called once no task runs: at once if none does, else on the thread where the last one ends.
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

// MARK: - What is dispatched, and what work there is

extension EffectScope {
  /// The scopes that what is dispatched here belongs to: not the store's own, to which everything does.
  private var belonging: [EffectScope] { andOuter.filter { !$0.outer.isEmpty } }

  /// Runs a closure that dispatches for the scope, and for those it is in; who waits for one of them to be quiet waits for
  /// its end.
  ///
  /// Whether the scope has ended is to be asked inside: so a thread that ends it either is seen, or sees this.
  package func whileLoud(_ dispatch: () -> Void) {
    becomeLoud().run(dispatch)
  }

  /// Counts this thread among those that dispatch for the scope, until it has run what it is about to.
  package func becomeLoud() -> LoudThread {
    let (thread, scopes) = (ThreadIdentity.current, belonging)
    for scope in scopes { scope.tasks.withLock { $0.loud.append(thread) } }
    return LoudThread(thread: thread, scopes: scopes)
  }

  /// A thread that is about to dispatch for scopes.
  package struct LoudThread: Sendable {
    fileprivate let thread: ThreadIdentity
    fileprivate let scopes: [EffectScope]

    /// Runs the closure that dispatches; to be called once.
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

  /// Whether a thread dispatches for the scope, or for one in it.
  package var isLoud: Bool { tasks.withLock { !$0.loud.isEmpty } }

  /// Whether another thread than this one dispatches for the scope, or for one in it.
  package var isLoudElsewhere: Bool {
    let thread = ThreadIdentity.current
    return tasks.withLock { $0.loud.contains { $0 != thread } }
  }

  /// Waits until no thread dispatches for the scope, or for one in it.
  package func untilQuiet() async {
    await withCheckedContinuation { continuation in whenQuiet { continuation.resume() } }
  }

  /// Has a closure called once no thread dispatches for the scope, or for one in it: at once if none does.
  package func whenQuiet(_ act: @escaping @Sendable () -> Void) {
    let isQuiet = tasks.withLock { tasks in
      if tasks.loud.isEmpty { return true }
      tasks.waitingForQuiet.append(act)
      return false
    }
    if isQuiet { act() }
  }

  /// The work that has arrived here, and in scopes within.
  package var work: WorkCount { tasks.withLock { $0.work } }

  /// Counts work, here and in the scopes that this is in.
  package func count(_ change: (inout WorkCount) -> Void) {
    for scope in belonging { scope.tasks.withLock { change(&$0.work) } }
  }
}
