// Scopes, tasks, and dispatches, and the callers that wait for them.

extension WorkStateMachine {
  // MARK: Scopes and tasks

  /// Adds a scope to another scope.
  ///
  /// If the other scope has ended, the new scope has ended too.
  package mutating func openScope(in parent: NodeID) -> NodeID {
    let scope = insert(.scope, under: index(parent))
    return id(scope)
  }

  /// Removes a scope, or work that no longer counts as unfinished.
  ///
  /// The scope must not contain anything, and no thread may be dispatching an action in it.
  package mutating func removeScope(_ scope: NodeID) {
    remove(index(scope))
  }

  /// Adds a task to a scope.
  ///
  /// - Returns: The task, or `nil` if the scope has ended.
  package mutating func startTask(in scope: NodeID) -> NodeID? {
    let parent = index(scope)
    guard !self[parent].isEnded else { return nil }
    let task = insert(.task, under: parent)
    countUnfinished(above: task)
    return id(task)
  }

  /// Records that a task has finished, and removes the task.
  package mutating func finishTask(_ task: NodeID, by thread: ThreadIdentity) -> Instructions {
    var instructions = Instructions()
    let index = index(task)
    let parent = self[index].parent
    remove(index)
    finished(below: parent, by: thread, &instructions)
    return inOrder(instructions)
  }

  /// Marks a task as canceled, unless it has finished or was already canceled.
  package mutating func cancelTask(_ task: NodeID) -> Instructions {
    var instructions = Instructions()
    guard contains(task), !self[task.index].isEnded else { return instructions }
    self[task.index].isEnded = true
    instructions.append(.cancelTask(task))
    return instructions
  }

  /// Returns a Boolean value that indicates whether a scope has ended, and therefore starts no
  /// more tasks or work.
  package func hasEnded(_ scope: NodeID) -> Bool { self[index(scope)].isEnded }

  /// Returns the number of unfinished tasks and pieces of work in a scope.
  package func unfinished(in scope: NodeID) -> Int { Int(self[index(scope)].unfinished) }

  /// Counts a piece of work that arrived in a scope and has no node there.
  package mutating func countArrival(in scope: NodeID, isIdle: Bool) {
    forEachBelowRoot(from: index(scope)) { machine, index in
      machine[index].arrived += 1
      if isIdle { machine[index].idle += 1 }
    }
  }

  /// Returns a Boolean value that indicates whether any work in a scope did something.
  ///
  /// If no work has arrived in the scope, the method returns `true`.
  package func isProductive(_ scope: NodeID) -> Bool {
    let node = self[index(scope)]
    return node.arrived == 0 || node.idle < node.arrived
  }

  mutating func countUnfinished(above index: Int32) {
    var above = self[index].parent
    while above != Self.none {
      self[above].unfinished += 1
      above = self[above].parent
    }
  }

  /// Records that a task or work below a node is no longer unfinished.
  mutating func finished(
    below index: Int32, by thread: ThreadIdentity, _ instructions: inout Instructions
  ) {
    var index = index
    while index != Self.none {
      self[index].unfinished -= 1
      if self[index].unfinished == 0 { becameIdle(index, by: thread, &instructions) }
      index = self[index].parent
    }
  }

  private mutating func becameIdle(
    _ index: Int32, by thread: ThreadIdentity, _ instructions: inout Instructions
  ) {
    if self[index].awaitsIdle {
      self[index].awaitsIdle = false
      instructions.append(.resumeIdle(id(index)))
    }
    completeIfDone(index, &instructions)
    decideRace(index, by: thread, &instructions)
  }

  // MARK: Waits

  /// Records that a caller is waiting until all tasks and work in a scope have finished.
  ///
  /// - Returns: A Boolean value that indicates whether the caller has to wait for
  ///   ``Instruction/resumeIdle(_:)``.
  package mutating func awaitIdle(_ scope: NodeID) -> Bool {
    let index = index(scope)
    guard self[index].unfinished > 0 else { return false }
    self[index].awaitsIdle = true
    return true
  }

  /// Records that a caller is waiting until no thread is dispatching an action in a scope.
  ///
  /// - Returns: A Boolean value that indicates whether the caller has to wait for
  ///   ``Instruction/resumeAfterDispatches(_:)``.
  package mutating func awaitDispatches(_ scope: NodeID) -> Bool {
    let index = index(scope)
    guard !self[index].dispatchers.isEmpty else { return false }
    self[index].awaitsDispatches = true
    return true
  }

  // MARK: Dispatches

  /// Records that a thread is about to dispatch an action in a scope.
  ///
  /// - Returns: `false` if the scope has ended or was closed and the action must be dropped. Otherwise, the
  ///   thread must call ``endDispatch(in:by:)`` after the dispatch.
  package mutating func beginDispatch(in scope: NodeID, by thread: ThreadIdentity) -> Bool {
    let index = index(scope)
    guard !self[index].isEnded, !self[index].isClosed else { return false }
    insertDispatcher(thread, in: index)
    return true
  }

  /// Records that a thread has dispatched an action in a scope.
  package mutating func endDispatch(in scope: NodeID, by thread: ThreadIdentity) -> Instructions {
    var instructions = Instructions()
    removeDispatcher(thread, in: index(scope), &instructions)
    return instructions
  }

  mutating func insertDispatcher(_ thread: ThreadIdentity, in index: Int32) {
    forEachBelowRoot(from: index) { machine, index in machine[index].dispatchers.insert(thread) }
  }

  mutating func removeDispatcher(
    _ thread: ThreadIdentity, in index: Int32, _ instructions: inout Instructions
  ) {
    var index = index
    while index != 0 {
      self[index].dispatchers.remove(thread)
      if self[index].dispatchers.isEmpty { dispatchesEnded(index, &instructions) }
      index = self[index].parent
    }
  }

  private mutating func dispatchesEnded(_ index: Int32, _ instructions: inout Instructions) {
    if self[index].awaitsDispatches {
      self[index].awaitsDispatches = false
      instructions.append(.resumeAfterDispatches(id(index)))
    }
    guard self[index].kind == .work else { return }
    removeFromDispatching(index)
    resumeFollowers(of: index, &instructions)
    completeIfDone(index, &instructions)
  }
}
