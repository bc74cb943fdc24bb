// The events of work, from its arrival to its end.

extension WorkEngine {
  /// The response to work that has arrived.
  package struct Arrival<Work: EngineWork>: Sendable {
    /// The work, or `nil` if it never begins.
    package let work: Work?
    package let step: WorkStateMachine.Step
    /// A Boolean value that indicates whether the scope of the work has ended.
    package let isRefused: Bool
    /// A Boolean value that indicates whether another thread may still be dispatching the last
    /// action of earlier work.
    package let isFollowing: Bool
    /// The steps that cancel the work that this work replaces.
    package var errands: Errands
  }

  /// Records that an action that carries work has arrived in a scope.
  ///
  /// - Parameter make: A closure that creates the work with its scope. The closure is called
  ///   while the lock is held, so that a cancellation finds the work.
  func arrive<Work: EngineWork>(
    _ id: WorkID, _ rules: WorkRules, hasFirstStep: Bool, in scope: EffectScope, at now: Duration,
    entryElsewhere: EffectTask?, make: (EffectScope, WorkStateMachine.Step) -> Work
  ) -> Arrival<Work> {
    let thread = ThreadIdentity.current
    return withContents { [self] contents in
      var errands = Errands()
      let arrival = contents.machine.arrive(
        id, rules, hasFirstStep: hasFirstStep, in: scope.node, at: now, by: thread)
      contents.resolve(arrival.instructions, by: thread, of: self, &errands)
      var work: Work?
      if let node = arrival.work {
        let own = EffectScope(node, below: scope, at: contents.machine.parent(of: node))
        work = make(own, arrival.step)
        contents.reserve(node)
        contents[node] = NodeObjects(work: work, scope: own, entryElsewhere: entryElsewhere)
        contents.started += 1
      }
      return Arrival(
        work: work, step: arrival.step, isRefused: arrival.isRefused, isFollowing: arrival.isFollowing,
        errands: errands)
    }
  }

  func reduced(_ work: NodeID) -> WorkStateMachine.Progress {
    let thread = ThreadIdentity.current
    return withContents { $0.machine.reduced(work, by: thread) }
  }

  func woke(_ work: NodeID, at now: Duration) {
    update { [self] contents, thread, errands in
      contents.resolve(contents.machine.woke(work, at: now, by: thread), by: thread, of: self, &errands)
    }
  }

  /// Waits until the work can begin, and returns the next step of the task that performs the
  /// work.
  func proceed(_ work: NodeID) async -> WorkStateMachine.Progress {
    while true {
      let progress = await withUnsafeContinuation { continuation in
        let thread = ThreadIdentity.current
        let progress = withContents { contents in
          let progress = contents.machine.proceed(work, by: thread)
          if progress == .waits { contents[work].suspended = continuation }
          return progress
        }
        if progress != .waits { continuation.resume(returning: progress) }
      }
      if progress != .waits { return progress }
    }
  }

  /// Records that a thread has performed the first step of work.
  ///
  /// - Returns: A Boolean value that indicates whether the work was canceled.
  func began(_ work: NodeID) -> Bool {
    update { [self] contents, thread, errands in
      let isCancelled = contents.machine.isCancelled(work)
      contents.resolve(contents.machine.began(work, by: thread), by: thread, of: self, &errands)
      return isCancelled
    }
  }

  func settled(_ work: NodeID) -> Bool {
    let thread = ThreadIdentity.current
    return withContents { $0.machine.settled(work, by: thread) }
  }

  func returned(_ work: NodeID, isIdle: Bool) {
    update { [self] contents, thread, errands in
      if contents.machine.isReported(work), let object = contents[work].work.take() {
        errands.steps.append(.release(object))
      }
      contents.resolve(contents.machine.returned(work, isIdle: isIdle), by: thread, of: self, &errands)
    }
  }

  func isCancelled(_ work: NodeID) -> Bool { read { $0.isCancelled(work) } }

  // MARK: Cancellation

  /// Marks work, and everything that it has started, as canceled.
  func markCancelled(_ work: NodeID, because reason: String?) -> Errands {
    mark { [self] contents, thread, errands in
      contents.resolve(
        contents.machine.cancel(work, because: reason, by: thread), by: thread, of: self, &errands)
    }
  }

  /// Marks the work that a subject selects, and everything that it has started, as canceled.
  func markCancelled(_ subject: WorkStateMachine.Subject, because reason: String?) -> Errands {
    mark { [self] contents, thread, errands in
      contents.resolve(
        contents.machine.cancel(subject, because: reason, by: thread), by: thread, of: self, &errands)
    }
  }

  /// Reports that work was canceled, unless a thread has already reported it.
  func report(_ work: NodeID) {
    let thread = ThreadIdentity.current
    let notice = withContents { contents -> (work: (any EngineWork)?, reason: String?)? in
      guard let reason = contents.machine.takeNotice(of: work, by: thread) else { return nil }
      return (contents[work].work, reason)
    }
    guard let notice else { return }
    notice.work?.reportCancellation(because: notice.reason)
    update { [self] contents, thread, errands in
      if contents.machine.hasReturned(work), let object = contents[work].work.take() {
        errands.steps.append(.release(object))
      }
      contents.resolve(contents.machine.reported(work), by: thread, of: self, &errands)
    }
  }

  // MARK: Work in several stores

  /// Makes an entry in this store represent work in another store.
  ///
  /// - Returns: The steps that cancel the work, if the entry was canceled.
  func represent(_ work: EffectScope, by entry: NodeID) -> Errands {
    mark { contents, thread, errands in
      guard contents.machine.contains(entry) else { return }
      contents[entry].workElsewhere = work
      if contents.machine.hasEnded(entry) { errands.elsewhere.append(work) }
    }
  }

  // MARK: Attempts and races

  func attemptReturned(_ attempt: NodeID) -> Bool { withContents { $0.machine.attemptReturned(attempt) } }

  func attemptTimedOut(_ attempt: NodeID) -> Bool {
    update { [self] contents, thread, errands in
      guard let instructions = contents.machine.attemptTimedOut(attempt, by: thread) else { return false }
      contents.resolve(instructions, by: thread, of: self, &errands)
      return true
    }
  }

  func close(_ attempt: NodeID) { withContents { $0.machine.close(attempt) } }

  func openRacer(in race: NodeID) -> NodeID? {
    withContents { contents in
      guard let racer = contents.machine.openRacer(in: race) else { return nil }
      contents.reserve(racer)
      return racer
    }
  }

  func racerDispatched(_ racer: NodeID) {
    update { [self] contents, thread, errands in
      contents.resolve(contents.machine.racerDispatched(racer, by: thread), by: thread, of: self, &errands)
    }
  }

  /// Calls a closure when a race is decided, or when all racers are done.
  func whenDecided(_ race: NodeID, _ act: @escaping @Sendable () -> Void) {
    let waits = withContents { contents in
      guard contents.machine.awaitRace(race) else { return false }
      contents[race].waitingForIdle.append(act)
      return true
    }
    if !waits { act() }
  }
}
