// The events of work, from its arrival to its end.

extension WorkEngine {
  /// The response to work that has arrived.
  package struct Arrival: Sendable {
    /// The work, or `nil` if the work never begins.
    package let work: Work?
    package let step: WorkStateMachine.Step
    /// A Boolean value that indicates whether the scope of the work has ended.
    package let isRefused: Bool
    /// A Boolean value that indicates whether another thread may still be dispatching the last
    /// action of earlier work.
    package let isFollowing: Bool
  }

  /// Records that an action that carries work has arrived in a scope, and adds the steps that
  /// cancel the work that this work replaces.
  func arrive(
    _ id: WorkID, _ rules: WorkRules, _ steps: any WorkSteps, _ context: ActionContext,
    in scope: EffectScope, at now: Duration, entryElsewhere: EffectTask?, _ errands: inout Errands
  ) -> Arrival {
    let thread = ThreadIdentity.current
    let (hasFirstStep, serviceUser) = (steps.hasFirstStep, steps.serviceUser)
    return withContents { contents in
      let arrival = contents.machine.arrive(
        id, rules, hasFirstStep: hasFirstStep, in: scope.node, at: now, by: thread)
      contents.resolve(arrival.instructions, by: thread, &errands)
      var work: Work?
      if let node = arrival.work {
        work = Work(
          node, below: scope, at: contents.machine.parent(of: node), context, serviceUser,
          until: arrival.step.deadline)
        contents.reserve(node)
        contents[node].insert(work, steps, entryElsewhere)
        contents.started += 1
      }
      return Arrival(
        work: work, step: arrival.step, isRefused: arrival.isRefused, isFollowing: arrival.isFollowing)
    }
  }

  /// The next step of a thread or task that performs work, and the steps of the work, which are
  /// `nil` if the work has ended.
  @usableFromInline
  package typealias NextStep = (progress: WorkStateMachine.Progress, steps: (any WorkSteps)?)

  func reduced(_ work: NodeID) -> NextStep {
    let thread = ThreadIdentity.current
    return withContents { ($0.machine.reduced(work, by: thread), $0[work].steps) }
  }

  func woke(_ work: NodeID, at now: Duration) {
    update { contents, thread, errands in
      contents.resolve(contents.machine.woke(work, at: now, by: thread), by: thread, &errands)
    }
  }

  /// Returns the next step of the task that performs the work.
  ///
  /// If the step is to wait, the task calls ``untilResumed(_:)``.
  func proceed(_ work: NodeID) -> NextStep {
    let thread = ThreadIdentity.current
    return withContents { ($0.machine.proceed(work, by: thread), $0[work].steps) }
  }

  /// Waits until another thread resumes the task that performs the work.
  nonisolated(nonsending) func untilResumed(_ work: NodeID) async {
    await withUnsafeContinuation { continuation in
      let isResumed = withContents { contents in
        guard contents[work].isResumed else {
          contents[work].suspended = continuation
          return false
        }
        contents[work].isResumed = false
        return true
      }
      if isResumed { continuation.resume() }
    }
  }

  /// Records that a thread has performed the first step of work.
  ///
  /// - Returns: A Boolean value that indicates whether the work was canceled.
  func began(_ work: NodeID) -> Bool {
    update { contents, thread, errands in
      let isCancelled = contents.machine.isCancelled(work)
      contents.resolve(contents.machine.began(work, by: thread), by: thread, &errands)
      return isCancelled
    }
  }

  func settled(_ work: NodeID) -> Bool {
    let thread = ThreadIdentity.current
    return withContents { $0.machine.settled(work, by: thread) }
  }

  func returned(_ work: NodeID, isIdle: Bool) {
    // The steps are released after the lock, because they contain objects of the user.
    var steps: (any WorkSteps)?
    update { contents, thread, errands in
      if contents.machine.isReported(work) { steps = contents[work].steps.take() }
      contents.resolve(contents.machine.returned(work, isIdle: isIdle), by: thread, &errands)
    }
    withExtendedLifetime(steps) {}
  }

  func isCancelled(_ work: NodeID) -> Bool { read { $0.isCancelled(work) } }

  // MARK: Cancellation

  /// Marks work, and everything that it has started, as canceled.
  func markCancelled(_ work: NodeID, because reason: String?) -> Errands {
    Timeline.stepAffectsOthers()
    return mark { contents, thread, errands in
      contents.resolve(
        contents.machine.cancel(work, because: reason, by: thread), by: thread, &errands)
    }
  }

  /// Marks the work that a subject selects, and everything that it has started, as canceled.
  func markCancelled(_ subject: WorkStateMachine.Subject, because reason: String?) -> Errands {
    mark { contents, thread, errands in
      contents.resolve(
        contents.machine.cancel(subject, because: reason, by: thread), by: thread, &errands)
    }
  }

  /// Reports that work was canceled, unless a thread has already reported it.
  func report(_ work: NodeID) {
    let thread = ThreadIdentity.current
    let notice = withContents { contents -> (steps: (any WorkSteps)?, reason: String?)? in
      guard let reason = contents.machine.takeNotice(of: work, by: thread) else { return nil }
      return (contents[work].steps, reason)
    }
    guard let notice else { return }
    notice.steps?.cancelled(because: notice.reason)
    var steps: (any WorkSteps)?
    update { contents, thread, errands in
      if contents.machine.hasReturned(work) { steps = contents[work].steps.take() }
      contents.resolve(contents.machine.reported(work), by: thread, &errands)
    }
    withExtendedLifetime(steps) {}
  }

  // MARK: Work in several stores

  /// Makes an entry in this store represent work in another store.
  ///
  /// - Returns: The steps that cancel the work, if the entry was canceled.
  func represent(_ work: EffectScope, by entry: NodeID) -> Errands {
    mark { contents, thread, errands in
      guard contents.machine.contains(entry) else { return }
      contents[entry].workElsewhere = work
      if contents.machine.hasEnded(entry) { errands.append(.markElsewhere(work)) }
    }
  }

  // MARK: Attempts and races

  func attemptReturned(_ attempt: NodeID) -> Bool { withContents { $0.machine.attemptReturned(attempt) } }

  func attemptTimedOut(_ attempt: NodeID) -> Bool {
    update { contents, thread, errands in
      guard let instructions = contents.machine.attemptTimedOut(attempt, by: thread) else { return false }
      contents.resolve(instructions, by: thread, &errands)
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
    update { contents, thread, errands in
      contents.resolve(contents.machine.racerDispatched(racer, by: thread), by: thread, &errands)
    }
  }
}
