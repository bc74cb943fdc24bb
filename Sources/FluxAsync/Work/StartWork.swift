import FluxCore

/// What a piece of work consists of.
struct WorkSteps: Sendable {
  /// What is done when the work is on its way, on the thread that dispatched.
  var arrived: @Sendable (Work) -> Void = { _ in }
  /// What is done when the work begins, on the thread that dispatched unless it was held; false says not to go on.
  var begin: @Sendable (_ work: Work, _ wasHeld: Bool) -> Bool = { _, _ in true }
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
  /// - Returns: Whether the work is on its way, or was: not when it was dropped, or the store has gone.
  @discardableResult
  func start(
    _ action: any Action, policy own: WorkPolicy, knownBy origin: String? = nil, _ steps: WorkSteps
  ) -> Bool {
    let settings = settings
    let policy = settings.policy(for: action) ?? own
    let environment = WorkEnvironment(context: self, policy: policy, settings: settings)
    let lanes = lanes
    let id = WorkID(of: type(of: action), key: policy.key ?? origin.map { WorkKey($0) })
    let effects = lanes.parent(of: id, startedIn: effects)
    // Nothing must be cancelled for work that cannot run.
    guard !effects.hasEnded else { return false }
    let (work, step) = lanes.arrived(
      { number in Work(number, id, within: effects, in: lanes) }, policy, at: settings.timeline.now)
    guard step != .drops else { return false }
    steps.arrived(work)
    // The first step here and now: whoever dispatches next finds it done.
    guard step != .runs || steps.begin(work, false) else {
      lanes.finished(work)
      work.ended()
      steps.ended()
      return true
    }
    return launch(work, action, environment, in: effects, steps, at: step)
  }

  private func launch(
    _ work: Work, _ action: any Action, _ environment: WorkEnvironment, in effects: EffectScope,
    _ steps: WorkSteps, at step: WorkLane.Step
  ) -> Bool {
    let dispatch = dispatch
    let task = effects.task(onCancel: { work.cancel() }) {
      do {
        try await EffectScope.$current.withValue(work.scope) {
          guard await isItsTurn(work, environment, at: step), step == .runs || steps.begin(work, true) else {
            return
          }
          await work.othersAreQuiet()
          try await steps.run(work, environment)
        }
      } catch {
        // Cancelled work has nothing to tell any more.
        if !work.isCancelled { environment.settings.report(error, of: action, dispatch: dispatch) }
      }
      await work.scope.finished()
      lanes.finished(work)
      work.ended()
      steps.ended()
    }
    guard let task else {
      lanes.finished(work)
      work.cancel()
      steps.ended()
      return false
    }
    work.runs(in: task)
    return true
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
