import FluxCore

/// What a piece of work consists of.
struct WorkSteps: Sendable {
  /// What is done when the work is on its way, on the thread that dispatched.
  var arrived: @Sendable (Work) -> Void = { _ in }
  /// What is done when the work begins, on the thread that dispatched unless it was held; false says not to go on.
  ///
  /// It has to be asked again whether it is wanted when it was held, or when other work may have been done since that was
  /// asked, of which there is none from here on.
  var begin: @Sendable (_ work: Work, _ asksAgain: Bool) -> Bool = { _, _ in true }
  /// What is done when the policy drops the work, before it has ended.
  var dropped: @Sendable () -> Void = {}
  /// What is done when the work has ended, or will never begin, if it is on its way.
  var ended: @Sendable () -> Void = {}
  /// One try of it.
  let run: @Sendable (Work, WorkEnvironment) async throws -> Void
}

/// What work is done with.
struct WorkEnvironment: Sendable {
  let context: ActionContext
  let policy: WorkPolicy
  let settings: WorkSettings
}

extension ActionContext {
  /// Starts the work of an action, as its policy says.
  ///
  /// - Parameters:
  ///   - policy: What the action says; what was plugged in for it takes its place.
  ///   - origin: What tells it from other work of the type that is not keyed.
  /// - Returns: What lets the work go on once the action is reduced; `nil` when it has ended, was dropped, or the store has
  ///   gone.
  func start(
    _ action: any Action, policy own: WorkPolicy, knownBy origin: String? = nil, _ steps: WorkSteps
  ) -> (() -> Void)? {
    let settings = settings
    let policy = settings.policy(for: action) ?? own
    let environment = WorkEnvironment(context: self, policy: policy, settings: settings)
    let lanes = lanes
    let id = WorkID(of: type(of: action), key: policy.key ?? origin.map { WorkKey($0) })
    let effects = lanes.parent(of: id, startedIn: effects)
    effects.count { $0.arrived += 1 }
    // Nothing must be cancelled for work that cannot run.
    guard !effects.hasEnded else { return neverBegins(in: effects, steps) }
    let (work, step) = lanes.arrived(
      { number in Work(number, id, within: effects, in: lanes) }, policy, at: settings.timeline.now)
    guard step != .drops else {
      steps.dropped()
      return neverBegins(in: effects, steps)
    }
    steps.arrived(work)
    guard work.enter() else {
      work.cancel()
      finish(work, steps.ended)
      return nil
    }
    let isHeld = step != .runs || work.hasToFollow
    // The first step here and now, where it can be: whoever dispatches next finds it done.
    guard isHeld || work.begin({ steps.begin(work, policy.overlap == .leading) }) else {
      finish(work, steps.ended)
      return nil
    }
    return { launch(work, action, environment, steps, step, isHeld: isHeld) }
  }

  /// Work that is dropped, or comes when all is over.
  private func neverBegins(in effects: EffectScope, _ steps: WorkSteps) -> (() -> Void)? {
    effects.count { $0.idle += 1 }
    steps.ended()
    return nil
  }

  private func finish(_ work: Work, _ ended: @Sendable () -> Void) {
    if work.isCancelled { work.isIdle() }
    lanes.finished(work)
    ended()
    // Last: who waits for it finds the rest done.
    work.leave()
  }

  private func launch(
    _ work: Work, _ action: any Action, _ environment: WorkEnvironment, _ steps: WorkSteps,
    _ step: WorkLane.Step, isHeld: Bool
  ) {
    work.run {
      do {
        try await EffectScope.$current.withValue(work.scope) {
          guard await isItsTurn(work, environment, at: step) else { return work.isIdle() }
          await work.othersAreQuiet()
          guard !work.isCancelled else { return work.isIdle() }
          guard !isHeld || work.begin({ steps.begin(work, true) }) else { return work.isIdle() }
          try await steps.run(work, environment)
        }
      } catch {
        work.scope.whileLoud {
          // Cancelled work has nothing to tell any more.
          if !work.isCancelled { environment.settings.report(error, of: action, dispatch: dispatch) }
        }
      }
      // What it has started is part of it, and so is the telling of its end, which may go on on another thread. No task is
      // kept to wait for that, nor what the work consists of.
      work.scope.whenFinished { [ended = steps.ended] in work.scope.whenQuiet { finish(work, ended) } }
    }
  }

  /// Waits as long as the rules say; returns whether the work is to begin then.
  private func isItsTurn(
    _ work: Work, _ environment: WorkEnvironment, at first: WorkLane.Step
  ) async -> Bool {
    let timeline = environment.settings.timeline
    var step = first
    if case .waits(let deadline) = step {
      do {
        try await timeline.sleep(until: deadline)
      } catch {
        // Cancelled, which is looked at below. A clock that fails for another reason must not hold work for ever.
      }
      guard !work.isCancelled else { return false }
      step = lanes.woke(work, environment.policy, at: max(deadline, timeline.now))
    }
    switch step {
    case .runs: return !work.isCancelled
    case .queues: return await work.turn.wait()
    case .drops, .waits: return false
    }
  }
}
