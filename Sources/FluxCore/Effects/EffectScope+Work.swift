// Work that arrives in the scope, attempts, and races.

extension EffectScope {
  /// Records that an action that carries work has arrived in the scope.
  ///
  /// The thread calls ``Errands/perform()`` after the action is reduced, and then
  /// ``Work/reduced()``.
  ///
  /// - Parameters:
  ///   - id: The identity of the work.
  ///   - rules: The rules that determine whether and when the work begins.
  ///   - steps: The steps of the work.
  ///   - context: The context in which the action was dispatched.
  ///   - now: The current time.
  ///   - errands: The steps that cancel the work that this work replaces, which the method adds.
  package func arrive(
    _ id: WorkID, _ rules: WorkRules, _ steps: any WorkSteps, in context: ActionContext, at now: Duration,
    _ errands: inout Errands
  ) -> WorkEngine.Arrival {
    guard let elsewhere else {
      return engine.arrive(id, rules, steps, context, in: self, at: now, entryElsewhere: nil, &errands)
    }
    guard let entry = elsewhere.enter() else {
      engine.countArrival(in: node, isIdle: true)
      return WorkEngine.Arrival(work: nil, step: .drops, isRefused: true, isFollowing: false)
    }
    let arrival = engine.arrive(
      id, rules, steps, context, in: self, at: now, entryElsewhere: entry, &errands)
    if let work = arrival.work {
      errands.append(entry.represent(work))
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

  /// Adds everything about the work of the store that affects later events to a hash.
  package func hashLikeness(into hasher: inout Hasher) {
    let machine = engine.read { copy $0 }
    machine.hashLikeness(into: &hasher)
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
    await engine.untilDecided(node)
  }
}
