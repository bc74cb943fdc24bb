// The stages of work: arrival, first step, operation, result, and end.

extension WorkStateMachine {
  /// The response to work that has arrived.
  package struct Arrival: Hashable, Sendable {
    /// The work, or `nil` if it never begins.
    package let work: NodeID?
    package let step: Step
    /// A Boolean value that indicates whether the scope of the work has ended.
    package let isRefused: Bool
    /// A Boolean value that indicates whether another thread may still be dispatching the last
    /// action of earlier work.
    package let isFollowing: Bool
    /// The instructions that cancel the work that this work replaces.
    ///
    /// The thread executes the instructions after the action is reduced.
    package let instructions: Instructions
  }

  /// The next step of a thread or task that performs work.
  @usableFromInline
  package enum Progress: Hashable, Sendable {
    /// Perform the first step, and then call ``began(_:by:)``.
    case begins
    /// Perform the operation, and then call ``returned(_:isIdle:)``.
    case runs
    /// Leave the next step to the task that performs the work. If the caller is this task, wait
    /// until the task is resumed.
    case waits
    /// The work never runs. Call ``returned(_:isIdle:)``.
    case stops
  }

  /// Records that an action that carries work has arrived, before the action is reduced.
  ///
  /// - Parameters:
  ///   - id: The identity of the work, which determines the lane.
  ///   - rules: The rules that determine whether and when the work begins.
  ///   - hasFirstStep: A Boolean value that indicates whether the work has a step that is
  ///     performed before its operation, such as the dispatch of an event.
  ///   - scope: The scope in which the action was dispatched.
  ///   - now: The current time.
  ///   - thread: The dispatching thread.
  package mutating func arrive(
    _ id: WorkID, _ rules: WorkRules, hasFirstStep: Bool, in scope: NodeID, at now: Duration,
    by thread: ThreadIdentity
  ) -> Arrival {
    let lane = lane(of: id, at: now)
    let parent = parent(ofWorkIn: lane, startedIn: index(scope))
    forEachBelowRoot(from: parent) { machine, index in machine[index].arrived += 1 }
    guard !self[parent].isEnded else {
      forEachBelowRoot(from: parent) { machine, index in machine[index].idle += 1 }
      return Arrival(
        work: nil, step: .drops, isRefused: true, isFollowing: false, instructions: Instructions())
    }
    let index = insert(.work, under: parent)
    self[index].work.arrive(in: lane, rules, hasFirstStep: hasFirstStep)
    var instructions = Instructions()
    let dispatchingBefore = lanes[Int(lane)].dispatching.count
    let step = place(index, at: now, by: thread, &instructions)
    if step == .drops {
      countIdle(index)
      remove(index)
      return Arrival(
        work: nil, step: .drops, isRefused: false, isFollowing: false, instructions: inOrder(instructions))
    }
    countUnfinished(above: index)
    follow(index, step, dispatchingBefore: dispatchingBefore, by: thread, &instructions)
    return Arrival(
      work: self.id(index), step: step, isRefused: false, isFollowing: hasToFollow(index, by: thread),
      instructions: inOrder(instructions))
  }

  /// Returns the parent of new work that is started in a scope.
  ///
  /// If the scope belongs to incomplete work in the lane of the new work, the method returns the
  /// parent of the earlier work. If the earlier work contained the new work, the earlier work
  /// would wait for the new work, or be canceled by the new work.
  private func parent(ofWorkIn lane: Int32, startedIn scope: Int32) -> Int32 {
    var parent = scope
    var index = scope
    while index != Self.none {
      if self[index].kind == .work, self[index].work.lane == lane, self[index].work.stage < .completing {
        parent = self[index].parent
      }
      index = self[index].parent
    }
    return parent
  }

  /// Records that the action that carries the work was reduced, and returns the next step of the
  /// dispatching thread.
  ///
  /// The dispatching thread begins the work if possible, so that the effect of the first step is
  /// visible to the next dispatch of that thread.
  package mutating func reduced(_ work: NodeID, by thread: ThreadIdentity) -> Progress {
    let index = index(work)
    if self[index].work.isCancelled { return .stops }
    guard self[index].work.place == .running, !hasToFollow(index, by: thread) else { return .waits }
    return begin(index, by: thread)
  }

  /// Records that the debounce or throttle interval of the work has ended.
  package mutating func woke(_ work: NodeID, at now: Duration, by thread: ThreadIdentity) -> Instructions {
    var instructions = Instructions()
    let index = index(work)
    guard self[index].work.place == .waiting else { return instructions }
    let dispatchingBefore = lanes[Int(self[index].work.lane)].dispatching.count
    let step = placeAfterWait(index, at: now, by: thread, &instructions)
    follow(index, step, dispatchingBefore: dispatchingBefore, by: thread, &instructions)
    return inOrder(instructions)
  }

  /// Returns the next step of the task that performs the work.
  ///
  /// If the step is ``Progress/waits``, the task must wait until a thread executes
  /// ``Instruction/resume(_:)``.
  package mutating func proceed(_ work: NodeID, by thread: ThreadIdentity) -> Progress {
    let index = index(work)
    if self[index].work.isCancelled { return .stops }
    switch self[index].work.place {
    case .outside, .waiting, .ending: return .stops
    case .queued:
      self[index].work.isSuspended = true
      return .waits
    case .running, .settled: break
    }
    let dispatching =
      followed.isEmpty ? [] : (followed.removeValue(forKey: index) ?? []).filter(isDispatching)
    guard dispatching.isEmpty else {
      for other in dispatching { followers[other.index, default: []].append(work) }
      self[index].work.following = Int32(dispatching.count)
      self[index].work.isSuspended = true
      return .waits
    }
    return self[index].work.stage == .arrived ? begin(index, by: thread) : .runs
  }

  private mutating func begin(_ index: Int32, by thread: ThreadIdentity) -> Progress {
    guard self[index].work.hasFirstStep else {
      self[index].work.stage = .running
      return .runs
    }
    self[index].work.stage = .beginning
    insertDispatcher(thread, in: index)
    return .begins
  }

  /// Records that a thread has performed the first step of work.
  ///
  /// If the work was canceled during the step, the thread reports the cancellation.
  package mutating func began(_ work: NodeID, by thread: ThreadIdentity) -> Instructions {
    var instructions = Instructions()
    let index = index(work)
    self[index].work.stage = .running
    if self[index].work.notice == .pending {
      changeReporter(of: index, to: thread)
      instructions.append(.report(work))
    }
    removeDispatcher(thread, in: index, &instructions)
    return instructions
  }

  /// Records that the result of the work is known and is about to be dispatched.
  ///
  /// Newer work begins after the result is dispatched.
  ///
  /// - Returns: `false` if the work was canceled and its result must be dropped. Otherwise, the
  ///   thread must call ``endDispatch(in:by:)`` after it has dispatched the result.
  package mutating func settled(_ work: NodeID, by thread: ThreadIdentity) -> Bool {
    let index = index(work)
    guard !self[index].work.isCancelled else { return false }
    self[index].work.stage = .settled
    settlePlace(index)
    insertDispatcher(thread, in: index)
    insertIntoDispatching(index)
    return true
  }

  /// Records that the operation of the work has returned, or will never run.
  ///
  /// The work is completed when everything that it started has finished and no thread is
  /// dispatching an action in the work.
  ///
  /// - Parameters:
  ///   - work: The work.
  ///   - isIdle: A Boolean value that indicates whether the work did nothing.
  package mutating func returned(_ work: NodeID, isIdle: Bool) -> Instructions {
    var instructions = Instructions()
    let index = index(work)
    self[index].work.stage = .returned
    if isIdle { countIdle(index) }
    completeIfDone(index, &instructions)
    return instructions
  }

  func isCompletable(_ index: Int32) -> Bool {
    self[index].kind == .work && self[index].work.stage == .returned && self[index].unfinished == 0
      && self[index].dispatchers.isEmpty
  }

  /// Completes work if its operation has returned, everything that it started has finished, and
  /// no thread is dispatching an action in the work.
  mutating func completeIfDone(_ index: Int32, _ instructions: inout Instructions) {
    guard isCompletable(index) else { return }
    self[index].work.stage = .completing
    if !followed.isEmpty { followed[index] = nil }
    if self[index].work.isCancelled { countIdle(index) }
    instructions.append(.complete(id(index)))
    leaveLane(index)
    guard let next = nextInQueue(of: Int(self[index].work.lane)) else { return }
    resume(next, &instructions)
  }

  /// Records that work has ended, and that everything that it has started has finished.
  package mutating func leave(_ work: NodeID, by thread: ThreadIdentity) -> Instructions {
    var instructions = Instructions()
    let index = index(work)
    self[index].work.stage = .left
    finished(below: self[index].parent, by: thread, &instructions)
    return inOrder(instructions)
  }

  // MARK: The state of work

  /// Returns a Boolean value that indicates whether the work was canceled.
  package func isCancelled(_ work: NodeID) -> Bool { self[index(work)].work.isCancelled }

  /// Returns a Boolean value that indicates whether the operation of the work has returned.
  package func hasReturned(_ work: NodeID) -> Bool {
    contains(work) && self[work.index].work.stage >= .returned
  }

  /// Returns a Boolean value that indicates whether no cancellation of the work must be reported.
  package func isReported(_ work: NodeID) -> Bool { self[index(work)].work.notice != .pending }

  /// Returns a Boolean value that indicates whether the work did nothing or was canceled.
  package func isCountedIdle(_ work: NodeID) -> Bool { self[index(work)].work.isCountedIdle }

  private mutating func countIdle(_ index: Int32) {
    guard !self[index].work.isCountedIdle else { return }
    self[index].work.isCountedIdle = true
    forEachBelowRoot(from: self[index].parent) { machine, index in machine[index].idle += 1 }
  }

  // MARK: Following earlier work

  /// Records the earlier work whose dispatches must end before the given work begins.
  private mutating func follow(
    _ index: Int32, _ step: Step, dispatchingBefore: Int, by thread: ThreadIdentity,
    _ instructions: inout Instructions
  ) {
    guard !lanes[Int(self[index].work.lane)].dispatching.isEmpty else { return }
    let lane = lanes[Int(self[index].work.lane)]
    let isOrdered = step == .runs && [.latest, .leading].contains(self[index].work.rules.overlap)
    let others = isOrdered ? lane.dispatching : Array(lane.dispatching[dispatchingBefore...])
    guard !others.isEmpty else { return }
    followed[index, default: []] += others
    // An outer call on this thread may have marked work as canceled without having reported the
    // cancellation. The other call continues only after this work has begun.
    for other in lane.dispatching.prefix(dispatchingBefore) where isOrdered {
      let work = self[other.index].work
      if work.notice == .pending, work.reporter == thread { instructions.append(.report(other)) }
    }
  }

  /// Returns a Boolean value that indicates whether work has to wait for earlier work.
  ///
  /// The work has to wait while the earlier work dispatches an action on another thread, or
  /// performs its first step.
  @inline(__always)
  private func hasToFollow(_ index: Int32, by thread: ThreadIdentity) -> Bool {
    // The state machine is copied for the call of a method that does not change it.
    !followed.isEmpty && isBehindDispatch(index, by: thread)
  }

  private func isBehindDispatch(_ index: Int32, by thread: ThreadIdentity) -> Bool {
    guard let others = followed[index] else { return false }
    return others.contains { other in
      guard isDispatching(other) else { return false }
      return self[other.index].dispatchers.contains(otherThan: thread)
        || self[other.index].work.stage == .beginning
    }
  }

  func isDispatching(_ work: NodeID) -> Bool {
    self[work.index].generation == work.generation && !self[work.index].dispatchers.isEmpty
  }

  mutating func resumeFollowers(of index: Int32, _ instructions: inout Instructions) {
    guard !followers.isEmpty else { return }
    for follower in followers.removeValue(forKey: index) ?? []
    where self[follower.index].generation == follower.generation {
      self[follower.index].work.following -= 1
      if self[follower.index].work.following == 0 { resume(follower.index, &instructions) }
    }
  }

  /// Resumes the task that performs the work, if the task is waiting.
  mutating func resume(_ index: Int32, _ instructions: inout Instructions) {
    guard self[index].work.isSuspended else { return }
    self[index].work.isSuspended = false
    instructions.append(.resume(id(index)))
  }
}
