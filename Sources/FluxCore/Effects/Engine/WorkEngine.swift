/// The tasks and work of a store, and the callers that wait for them.
///
/// A ``WorkStateMachine`` contains the rules, and the engine contains the objects: tasks,
/// continuations, and closures. One lock protects both. Each method reports an event to the state
/// machine while it holds the lock, and performs the resulting steps after it has released the
/// lock. No user code is called, and no object that can have user code is released, while the
/// lock is held.
package final class WorkEngine: Sendable {
  package typealias NodeID = WorkStateMachine.NodeID

  /// The objects of a node of the state machine.
  struct NodeObjects: Sendable {
    /// The task that performs the node's work.
    var task: Task<Void, Never>?
    /// The work, until its operation has returned and a cancellation is reported.
    var work: (any EngineWork)?
    /// The scope of work, until the work no longer counts as unfinished.
    var scope: EffectScope?
    /// The entry of the work in the scope of another store.
    var entryElsewhere: EffectTask?
    /// The scope of work in another store, if the node is the entry for that work.
    var workElsewhere: EffectScope?
    /// The continuation of the task that performs the work, while the task waits for its turn.
    var suspended: UnsafeContinuation<WorkStateMachine.Progress, Never>?
    /// The closures to call when all tasks and work in the scope have finished.
    var waitingForIdle: [@Sendable () -> Void] = []
    /// The closures to call when no thread is dispatching an action in the scope.
    var waitingForDispatches: [@Sendable () -> Void] = []
  }

  struct Contents: Sendable {
    var machine = WorkStateMachine()
    var objects = [NodeObjects()]
    var started: UInt64 = 0

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

  func withContents<Result: Sendable>(_ body: (inout Contents) -> Result) -> Result {
    contents.withLock(body)
  }

  /// Reports an event to the state machine, and performs the resulting steps.
  func update<Result: Sendable>(
    _ event: (inout Contents, ThreadIdentity, inout Errands) -> Result
  ) -> Result {
    let thread = ThreadIdentity.current
    let (result, errands) = contents.withLock { contents in
      var errands = Errands()
      let result = event(&contents, thread, &errands)
      return (result, errands)
    }
    errands.perform()
    return result
  }

  /// Reports an event to the state machine, and returns the resulting steps.
  func mark(_ event: (inout Contents, ThreadIdentity, inout Errands) -> Void) -> Errands {
    let thread = ThreadIdentity.current
    return contents.withLock { contents in
      var errands = Errands()
      event(&contents, thread, &errands)
      return errands
    }
  }

  func read<Result: Sendable>(_ body: (WorkStateMachine) -> Result) -> Result {
    contents.withLock { body($0.machine) }
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
    contents.withLock { $0.machine.removeScope(node) }
  }

  func end(_ scope: NodeID) {
    mark { [self] contents, thread, errands in
      contents.resolve(contents.machine.end(scope, by: thread), by: thread, of: self, &errands)
    }.perform()
  }

  func cancelAll(in scope: NodeID) {
    mark { [self] contents, thread, errands in
      contents.resolve(contents.machine.cancelAll(in: scope, by: thread), by: thread, of: self, &errands)
    }.perform()
  }

  /// Calls a closure when all tasks and work in a scope have finished.
  func whenIdle(_ scope: NodeID, _ act: @escaping @Sendable () -> Void) {
    let waits = contents.withLock { contents in
      guard contents.machine.awaitIdle(scope) else { return false }
      contents[scope].waitingForIdle.append(act)
      return true
    }
    if !waits { act() }
  }

  /// Calls a closure when no thread is dispatching an action in a scope.
  func whenDispatched(_ scope: NodeID, _ act: @escaping @Sendable () -> Void) {
    let waits = contents.withLock { contents in
      guard contents.machine.awaitDispatches(scope) else { return false }
      contents[scope].waitingForDispatches.append(act)
      return true
    }
    if !waits { act() }
  }

  // MARK: Dispatches

  func beginDispatch(in scope: NodeID) -> Bool {
    let thread = ThreadIdentity.current
    return contents.withLock { $0.machine.beginDispatch(in: scope, by: thread) }
  }

  func endDispatch(in scope: NodeID) {
    update { [self] contents, thread, errands in
      contents.resolve(contents.machine.endDispatch(in: scope, by: thread), by: thread, of: self, &errands)
    }
  }

  /// Counts a piece of work that has no node of its own.
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
  func setTask(_ task: Task<Void, Never>, of node: NodeID) {
    let isCancelled = contents.withLock { contents in
      guard contents.machine.contains(node) else { return false }
      contents[node].task = task
      return contents.machine.hasEnded(node)
    }
    if isCancelled { task.cancel() }
  }

  func task(of node: NodeID) -> Task<Void, Never>? {
    contents.withLock { $0.machine.contains(node) ? $0[node].task : nil }
  }

  func finishTask(_ task: NodeID) {
    update { [self] contents, thread, errands in
      errands.steps.append(.release(contents[task]))
      contents[task] = NodeObjects()
      contents.resolve(contents.machine.finishTask(task, by: thread), by: thread, of: self, &errands)
    }
  }

  func cancelTask(_ task: NodeID) {
    mark { [self] contents, thread, errands in
      contents.resolve(contents.machine.cancelTask(task), by: thread, of: self, &errands)
    }.perform()
  }
}

extension WorkEngine.Contents {
  /// Adds the steps of instructions to the steps that a thread performs after it has released
  /// the lock.
  ///
  /// Waiting callers and tasks are determined here, while the lock is held, because callers that
  /// begin to wait later wait for another event.
  mutating func resolve(
    _ instructions: WorkStateMachine.Instructions, by thread: ThreadIdentity, of engine: WorkEngine,
    _ errands: inout Errands
  ) {
    instructions.forEach { instruction in
      switch instruction {
      case .cancelTask(let node):
        if let task = self[node].task { errands.tasks.append(task) }
        if let work = self[node].workElsewhere { errands.elsewhere.append(work) }
      case .report(let work): errands.steps.append(.report(engine, work))
      case .resume(let work):
        if let task = self[work].suspended.take() { errands.steps.append(.resume(task)) }
      case .resumeIdle(let scope):
        for act in self[scope].waitingForIdle { errands.steps.append(.call(act)) }
        self[scope].waitingForIdle = []
      case .resumeAfterDispatches(let scope):
        for act in self[scope].waitingForDispatches { errands.steps.append(.call(act)) }
        self[scope].waitingForDispatches = []
      case .complete(let work):
        let isIdle = machine.isCountedIdle(work)
        if let entry = self[work].entryElsewhere.take() {
          errands.steps.append(.leave(entry, isIdle: isIdle))
        }
        let (scope, task) = (self[work].scope.take(), self[work].task.take())
        errands.steps.append(.release((scope, task)))
        resolve(machine.leave(work, by: thread), by: thread, of: engine, &errands)
      }
    }
  }
}
