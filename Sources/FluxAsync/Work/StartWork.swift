import FluxCore

/// What a piece of work consists of.
struct WorkSteps: Sendable {
  /// Notes the work, on the thread that dispatched, before the action is reduced.
  ///
  /// It dispatches nothing.
  var arrived: @Sendable (Work) -> Void = { _ in }
  /// Returns whether the work is still wanted.
  ///
  /// It is called when the work was held, or when other work may have ended since the action arrived. It dispatches
  /// nothing.
  var isStillWanted: @Sendable () -> Bool = { true }
  /// Takes the first step of the work, once the action is reduced, and returns whether to go on.
  ///
  /// It is called on the thread that dispatched, unless the work was held.
  var begin: @Sendable (_ work: Work, _ isWanted: Bool) -> Bool = { _, _ in true }
  /// What is done when the policy drops the work, before it has ended, once the action is reduced.
  var dropped: @Sendable () -> Void = {}
  /// What is done when the work has ended, or will never begin, if it is on its way.
  var ended: @Sendable () -> Void = {}
  /// One try of it.
  let run: @Sendable (Work, WorkEnvironment) async throws -> Void
}

/// What work is done with.
struct WorkEnvironment: Sendable {
  let action: any Action
  let context: ActionContext
  let policy: WorkPolicy
  let settings: WorkSettings
}

extension ActionContext {
  /// Prepares the work of an action, as its policy says.
  ///
  /// The work takes its place among other work now, in the order in which actions arrive. Everything that may dispatch
  /// is left to the closure: the end of work that is replaced, the first step, and the task.
  ///
  /// - Parameters:
  ///   - policy: What the action says; what was plugged in for it takes its place.
  ///   - origin: What tells it from other work of the type that is not keyed.
  /// - Returns: A closure that starts the work, for when the action is reduced; `nil` if the store has gone.
  func start(
    _ action: any Action, policy own: WorkPolicy, knownBy origin: String? = nil, _ steps: WorkSteps
  ) -> (() -> Void)? {
    let settings = settings
    let policy = settings.policy(for: action) ?? own
    let environment = WorkEnvironment(action: action, context: self, policy: policy, settings: settings)
    let lanes = lanes
    let id = WorkID(of: type(of: action), key: policy.key ?? origin.map { WorkKey($0) })
    let effects = lanes.parent(of: id, startedIn: effects)
    effects.count { $0.arrived += 1 }
    // Nothing must be cancelled for work that cannot run.
    guard !effects.hasEnded else {
      neverBegins(in: effects, steps)
      return nil
    }
    let (work, step, before) = lanes.arrived(
      { number in Work(number, id, within: effects, in: lanes) }, policy, at: settings.timeline.now)
    guard step != .drops else {
      return {
        work.follow(before)
        steps.dropped()
        neverBegins(in: effects, steps)
      }
    }
    steps.arrived(work)
    guard work.enter() else {
      return {
        work.follow(before)
        work.cancel()
        finish(work, steps.ended)
      }
    }
    let mayHaveMissed = policy.overlap == .leading
    // Asked in the state that the action found, unless earlier work is just dispatching its result.
    let isWanted = mayHaveMissed && step == .runs && !before.isDispatching ? steps.isStillWanted() : nil
    return {
      work.follow(before)
      // Work that an observer of its action has cancelled takes no first step.
      let isHeld = step != .runs || work.isCancelled || work.hasToFollow
      // The first step is taken here where it can be, so that the next dispatch on this thread finds it done.
      guard
        isHeld || work.begin({ steps.begin(work, isWanted ?? (!mayHaveMissed || steps.isStillWanted())) })
      else { return finish(work, steps.ended) }
      launch(work, action, environment, steps, step, isHeld: isHeld)
    }
  }

  /// Ends work that is dropped, or that arrives when its scope has ended.
  private func neverBegins(in effects: EffectScope, _ steps: WorkSteps) {
    effects.count { $0.idle += 1 }
    steps.ended()
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
          guard !isHeld || work.begin({ steps.begin(work, steps.isStillWanted()) }) else {
            return work.isIdle()
          }
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
