// Work whose scope this is, or that arrives in the scope.

extension EffectScope {
  /// Records that an action that carries work has arrived in the scope.
  ///
  /// The thread calls ``Errands/perform()`` after the action is reduced, and then ``reduced()``
  /// of the scope of the work.
  ///
  /// - Parameters:
  ///   - id: The identity of the work.
  ///   - rules: The rules that determine whether and when the work begins.
  ///   - hasFirstStep: A Boolean value that indicates whether the work has a step that is
  ///     performed before its operation.
  ///   - now: The current time.
  ///   - make: A closure that creates the work with its scope. The closure must not call user
  ///     code.
  package func arrive<Work: EngineWork>(
    _ id: WorkID, _ rules: WorkRules, hasFirstStep: Bool, at now: Duration,
    make: (EffectScope, WorkStateMachine.Step) -> Work
  ) -> WorkEngine.Arrival<Work> {
    guard let elsewhere else {
      return engine.arrive(
        id, rules, hasFirstStep: hasFirstStep, in: self, at: now, entryElsewhere: nil, make: make)
    }
    guard let entry = elsewhere.enter() else {
      engine.countArrival(in: node, isIdle: true)
      return WorkEngine.Arrival(
        work: nil, step: .drops, isRefused: true, isFollowing: false, errands: Errands())
    }
    var workScope: EffectScope?
    var arrival = engine.arrive(
      id, rules, hasFirstStep: hasFirstStep, in: self, at: now, entryElsewhere: entry
    ) { scope, step in
      workScope = scope
      return make(scope, step)
    }
    if let workScope {
      arrival.errands.append(entry.represent(workScope))
    } else {
      entry.leave(countingWork: true)
    }
    return arrival
  }

  /// Counts a piece of work that ends immediately, or whose end cannot be determined.
  package func countIdleArrival() {
    engine.countArrival(in: node, isIdle: true)
    elsewhere?.countIdleArrival()
  }

  /// Returns the steps that cancel the work that a subject selects.
  package func markCancelled(_ subject: WorkStateMachine.Subject, because reason: String?) -> Errands {
    engine.markCancelled(subject, because: reason)
  }

  // MARK: The events of the work whose scope this is

  /// Records that the action that carries the work was reduced.
  package func reduced() -> WorkStateMachine.Progress { engine.reduced(node) }

  /// Stores the task that performs the work.
  package func setTask(_ task: Task<Void, Never>) {
    engine.setTask(task, of: node)
  }

  /// Records that the debounce or throttle interval of the work has ended.
  package func woke(at now: Duration) {
    engine.woke(node, at: now)
  }

  /// Waits until the work can begin.
  package func proceed() async -> WorkStateMachine.Progress { await engine.proceed(node) }

  /// Records that a thread has performed the first step of the work.
  ///
  /// - Returns: A Boolean value that indicates whether the work was canceled.
  package func began() -> Bool { engine.began(node) }

  /// Calls a closure that dispatches the result of the work, unless the work was canceled.
  package func settle(_ dispatch: () -> Void) {
    guard engine.settled(node) else { return }
    dispatch()
    engine.endDispatch(in: node)
  }

  /// Records that the operation of the work has returned, or will never run.
  package func returned(isIdle: Bool) {
    engine.returned(node, isIdle: isIdle)
  }

  /// A Boolean value that indicates whether the work was canceled.
  package var isCancelled: Bool { engine.isCancelled(node) }

  /// Cancels the work and everything that it has started.
  package func cancelWork(because reason: String?) {
    engine.markCancelled(node, because: reason).perform()
  }

  // MARK: Attempts

  /// Records that the operation of the attempt whose scope this is has returned or thrown an
  /// error.
  ///
  /// - Returns: `false` if the time limit passed before, or the work was canceled.
  package func attemptReturned() -> Bool { engine.attemptReturned(node) }

  /// Records that the time limit of the attempt has passed, and cancels the attempt.
  ///
  /// - Returns: `false` if the attempt returned before, or the work was canceled.
  package func attemptTimedOut() -> Bool { engine.attemptTimedOut(node) }

  /// Drops the actions that the attempt itself dispatches from now on.
  package func close() {
    engine.close(node)
  }

  // MARK: Races

  /// Opens the scope of a dispatch that takes part in the race whose scope this is.
  ///
  /// - Returns: The scope, or `nil` if the race is decided or canceled.
  package func openRacer() -> EffectScope? {
    engine.openRacer(in: node).map { EffectScope($0, below: self, at: node) }
  }

  /// Records that the action of the racer whose scope this is was dispatched.
  package func racerDispatched() {
    engine.racerDispatched(node)
  }

  /// A Boolean value that indicates whether the race is neither decided nor canceled.
  package var isRacing: Bool { engine.read { $0.isRacing(node) } }

  /// Waits until the race is decided, or until all racers are done.
  package func untilDecided() async {
    await withCheckedContinuation { continuation in engine.whenDecided(node) { continuation.resume() } }
  }
}
