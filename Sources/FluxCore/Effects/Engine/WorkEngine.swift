/// The tasks and work of a store, and the callers that wait for them.
///
/// A ``WorkStateMachine`` contains the rules, and the engine contains the objects: tasks,
/// continuations, and closures. One lock protects both. Each method reports an event to the state
/// machine while it holds the lock, and performs the resulting steps after it has released the
/// lock. While the lock is held, no object that can have user code is released, and no user code is
/// called, except for the comparison of the keys of policies.
@usableFromInline
package final class WorkEngine: Sendable {
  package typealias NodeID = WorkStateMachine.NodeID

  /// The objects of a node of the state machine.
  struct NodeObjects: Sendable {
    /// The task that performs the node's work.
    var task: StartedTask?
    /// The steps of the work, until its operation has returned and a cancellation is reported.
    var steps: (any WorkSteps)?
    /// The work, until it no longer counts as unfinished.
    var work: Work?
    /// The entry of the work in the scope of another store.
    var entryElsewhere: EffectTask?
    /// The scope of work in another store, if the node is the entry for that work.
    var workElsewhere: EffectScope?
    /// The continuation of the task that performs the work, while the task waits for its turn.
    var suspended: UnsafeContinuation<Void, Never>?
    /// A Boolean value that indicates whether the task that performs the work was resumed before
    /// it was suspended.
    var isResumed = false
    /// The callers that wait until all tasks and work in the scope have finished.
    var waitingForIdle = SmallArray<WaitingCaller>()
    /// The callers that wait until no thread is dispatching an action in the scope.
    var waitingForDispatches = SmallArray<WaitingCaller>()

    /// Stores the objects of work that has arrived.
    mutating func insert(_ work: Work?, _ steps: any WorkSteps, _ entryElsewhere: EffectTask?) {
      self.work = work
      self.steps = steps
      self.entryElsewhere = entryElsewhere
    }

    /// Releases the objects that a removed node can still have.
    mutating func remove() {
      // The operation may have returned before its task was stored. The task contains no objects
      // of the user anymore.
      task = nil
      isResumed = false
    }
  }

  struct Contents: Sendable {
    var machine = WorkStateMachine()
    var objects = [NodeObjects()]
    var started: UInt64 = 0
    var timeline = Timeline.current
    /// The number of callers that have waited.
    var callers: UInt64 = 0

    subscript(node: NodeID) -> NodeObjects {
      _read { yield objects[Int(node.index)] }
      _modify { yield &objects[Int(node.index)] }
    }

    /// Makes room for the objects of a node.
    mutating func reserve(_ node: NodeID) {
      while objects.count <= Int(node.index) { objects.append(NodeObjects()) }
    }
  }

  private let contents = Locked(Contents())

  @inline(__always)
  func withContents<Result: Sendable>(_ body: (inout Contents) -> Result) -> Result {
    contents.withLock(body)
  }

  /// Reports an event to the state machine, and performs the resulting steps.
  @inline(__always)
  func update<Result: Sendable>(
    _ event: (inout Contents, ThreadIdentity, inout Errands) -> Result
  ) -> Result {
    var errands = Errands()
    let thread = ThreadIdentity.current
    let result = contents.withLock { event(&$0, thread, &errands) }
    if !errands.isEmpty { errands.perform() }
    return result
  }

  /// Reports an event to the state machine, and returns the resulting steps.
  @inline(__always)
  func mark(_ event: (inout Contents, ThreadIdentity, inout Errands) -> Void) -> Errands {
    var errands = Errands()
    let thread = ThreadIdentity.current
    contents.withLock { event(&$0, thread, &errands) }
    return errands
  }

  @inline(__always)
  func read<Result: Sendable>(_ body: (borrowing WorkStateMachine) -> Result) -> Result {
    contents.withLock { body($0.machine) }
  }

  /// The clock and the executor of the tasks.
  var timeline: Timeline { contents.withLock { $0.timeline } }

  func use(_ timeline: Timeline) {
    // The old timeline is released outside the lock.
    _ = contents.withLock { contents in
      defer { contents.timeline = timeline }
      return contents.timeline
    }
  }

  // MARK: Scopes

  /// The total number of tasks and pieces of work that have been started.
  var started: UInt64 { contents.withLock { $0.started } }

  func openScope(in parent: NodeID) -> NodeID {
    contents.withLock { contents in
      let node = contents.machine.openScope(in: parent)
      contents.reserve(node)
      return node
    }
  }

  /// Removes the node of a scope, or of work that no longer counts as unfinished.
  func remove(_ node: NodeID) {
    contents.withLock { contents in
      contents.machine.removeScope(node)
      contents[node].remove()
    }
  }

  func end(_ scope: NodeID) {
    markEnded(scope).perform()
  }

  func markEnded(_ scope: NodeID) -> Errands {
    Timeline.stepAffectsOthers()
    return mark { contents, thread, errands in
      contents.resolve(contents.machine.end(scope, by: thread), by: thread, &errands)
    }
  }

  func cancelAll(in scope: NodeID) {
    Timeline.stepAffectsOthers()
    update { contents, thread, errands in
      contents.resolve(contents.machine.cancelAll(in: scope, by: thread), by: thread, &errands)
    }
  }

  // MARK: Dispatches

  func beginDispatch(in scope: NodeID) -> Bool {
    let thread = ThreadIdentity.current
    return contents.withLock { $0.machine.beginDispatch(in: scope, by: thread) }
  }

  func endDispatch(in scope: NodeID) {
    update { contents, thread, errands in
      contents.resolve(contents.machine.endDispatch(in: scope, by: thread), by: thread, &errands)
    }
  }

  /// Counts a piece of work that has no separate node.
  func countArrival(in scope: NodeID, isIdle: Bool) {
    contents.withLock { $0.machine.countArrival(in: scope, isIdle: isIdle) }
  }

  // MARK: Tasks

  /// Adds a task to a scope, or returns `nil` if the scope has ended.
  func startTask(in scope: NodeID) -> NodeID? {
    contents.withLock { contents in
      guard let task = contents.machine.startTask(in: scope) else { return nil }
      contents.reserve(task)
      contents.started += 1
      return task
    }
  }

  /// Stores the task of a node, and cancels the task if the node was canceled.
  func setTask(_ task: StartedTask, of node: NodeID) {
    let isCancelled = contents.withLock { contents in
      guard contents.machine.contains(node) else { return false }
      contents[node].task = task
      return contents.machine.hasEnded(node)
    }
    if isCancelled { task.cancel() }
  }

  func task(of node: NodeID) -> StartedTask? {
    contents.withLock { $0.machine.contains(node) ? $0[node].task : nil }
  }

  func finishTask(_ task: NodeID) {
    update { contents, thread, errands in
      // The task contains no objects of the user, because its operation has returned.
      contents[task].task = nil
      if let work = contents[task].workElsewhere.take() { errands.ended.append(work) }
      contents.resolve(contents.machine.finishTask(task, by: thread), by: thread, &errands)
    }
  }

  func cancelTask(_ task: NodeID) {
    update { contents, thread, errands in
      contents.resolve(contents.machine.cancelTask(task), by: thread, &errands)
    }
  }
}

extension WorkEngine.Contents {
  /// Adds the steps of instructions to the steps that a thread performs after it has released
  /// the lock.
  ///
  /// Waiting callers and tasks are determined here, while the lock is held, because callers that
  /// begin to wait later wait for another event.
  @inline(__always)
  mutating func resolve(
    _ instructions: WorkStateMachine.Instructions, by thread: ThreadIdentity, _ errands: inout Errands
  ) {
    guard !instructions.isEmpty else { return }
    execute(instructions, by: thread, &errands)
  }

  private mutating func execute(
    _ instructions: WorkStateMachine.Instructions, by thread: ThreadIdentity, _ errands: inout Errands
  ) {
    instructions.forEach { instruction in
      switch instruction {
      case .cancelTask(let node):
        if let task = self[node].task { errands.append(.cancel(task)) }
        if let work = self[node].workElsewhere { errands.append(.markElsewhere(work)) }
      case .report(let work):
        if let work = self[work].work { errands.append(.report(work)) }
      case .resume(let work):
        if let task = self[work].suspended.take() {
          errands.append(.proceed(task))
        } else {
          self[work].isResumed = true
        }
      case .resumeIdle(let scope):
        self[scope].waitingForIdle.take().forEach { errands.append(.resume($0)) }
      case .resumeAfterDispatches(let scope):
        self[scope].waitingForDispatches.take().forEach { errands.append(.resume($0)) }
      case .complete(let work):
        if let entry = self[work].entryElsewhere.take() {
          errands.append(.leave(entry, isIdle: machine.isCountedIdle(work)))
        }
        // The task contains no objects of the user, because its operation has returned.
        self[work].task = nil
        if let ended = self[work].work.take() { errands.ended.append(ended) }
        resolve(machine.leave(work, by: thread), by: thread, &errands)
      }
    }
  }
}
