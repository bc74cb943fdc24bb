import FluxCore

/// The closures that perform a piece of work.
struct WorkSteps: Sendable {
  /// Records the work on the dispatching thread, before the action is reduced.
  ///
  /// The closure does not dispatch actions.
  var arrived: @Sendable (Work) -> Void = { _ in }
  /// Returns whether the work is still wanted.
  ///
  /// The closure is called if the work had to wait, or if other work may have ended since the
  /// action arrived. The closure does not dispatch actions.
  var isStillWanted: @Sendable () -> Bool = { true }
  /// Begins the work after the action is reduced, and returns whether the work continues.
  ///
  /// The closure is called on the dispatching thread, unless the work had to wait.
  var begin: @Sendable (_ work: Work, _ isWanted: Bool) -> Bool = { _, _ in true }
  /// Reports that the policy drops the work.
  ///
  /// The closure is called after the action is reduced, and before `ended` is called.
  var dropped: @Sendable () -> Void = {}
  /// Reports that the work has ended, or will never begin.
  var ended: @Sendable () -> Void = {}
  /// Performs the work in its task, including all attempts that the policy allows.
  let run: @Sendable (Work, WorkEnvironment) async throws -> Void
}

/// The values that work uses while it runs.
struct WorkEnvironment: Sendable {
  let action: any Action
  let context: ActionContext
  let policy: WorkPolicy
  let settings: WorkSettings
}

extension ActionContext {
  /// Prepares the work of an action according to the policy of the action.
  ///
  /// The method records when the action arrives, so that pieces of work are in the order in which
  /// their actions arrived. The returned closure performs all operations that can dispatch
  /// actions: it cancels replaced work, calls the `begin` closure, and starts the task.
  ///
  /// - Parameters:
  ///   - policy: The policy of the action, used unless a plug-in sets a policy for the action.
  ///   - origin: A string that distinguishes work without a key from other work of the same
  ///     type.
  /// - Returns: A closure that starts the work, or `nil` if the scope of the work has ended.
  ///   The caller calls the closure after the action is reduced.
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
    // Work that cannot run must not cancel other work.
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
    // `isStillWanted` is called with the state before the action, unless earlier work is still
    // dispatching its result.
    let isWanted = mayHaveMissed && step == .runs && !before.isDispatching ? steps.isStillWanted() : nil
    return {
      work.follow(before)
      // If an observer of the action has canceled the work, `begin` is not called here.
      let isHeld = step != .runs || work.isCancelled || work.hasToFollow
      // `begin` is called here if possible, so that its effect is visible to the next dispatch
      // on this thread.
      guard
        isHeld || work.begin({ steps.begin(work, isWanted ?? (!mayHaveMissed || steps.isStillWanted())) })
      else { return finish(work, steps.ended) }
      launch(work, action, environment, steps, step, isHeld: isHeld)
    }
  }

  /// Ends work that is dropped, or that arrives after its scope has ended.
  private func neverBegins(in effects: EffectScope, _ steps: WorkSteps) {
    effects.count { $0.idle += 1 }
    steps.ended()
  }

  private func finish(_ work: Work, _ ended: @Sendable () -> Void) {
    if work.isCancelled { work.markIdle() }
    lanes.finished(work)
    ended()
    // The work leaves its scope last, because leaving the scope resumes the tasks that wait for
    // the work.
    work.leave()
  }

  private func launch(
    _ work: Work, _ action: any Action, _ environment: WorkEnvironment, _ steps: WorkSteps,
    _ step: WorkLane.Step, isHeld: Bool
  ) {
    work.run {
      do {
        try await EffectScope.$current.withValue(work.scope) {
          guard await isItsTurn(work, environment, at: step) else { return work.markIdle() }
          await work.othersAreQuiet()
          guard !work.isCancelled else { return work.markIdle() }
          guard !isHeld || work.begin({ steps.begin(work, steps.isStillWanted()) }) else {
            return work.markIdle()
          }
          try await steps.run(work, environment)
        }
      } catch {
        work.scope.whileLoud {
          // Canceled work reports no errors.
          if !work.isCancelled { environment.settings.report(error, of: action, dispatch: dispatch) }
        }
      }
      // The work ends after everything that it has started has ended, and after its last dispatch
      // has returned, possibly on another thread. No task waits for the work to end, and only the
      // `ended` closure of `steps` is retained.
      work.scope.whenFinished { [ended = steps.ended] in work.scope.whenQuiet { finish(work, ended) } }
    }
  }

  /// Waits until the rules allow the work to begin, and returns whether the work begins.
  private func isItsTurn(
    _ work: Work, _ environment: WorkEnvironment, at first: WorkLane.Step
  ) async -> Bool {
    let timeline = environment.settings.timeline
    var step = first
    if case .waits(let deadline) = step {
      do {
        try await timeline.sleep(until: deadline)
      } catch {
        // The code below checks whether the work is canceled. If the clock fails for a reason
        // other than a cancellation, the work must not wait forever.
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
