import FluxCore

/// What a piece of work consists of.
struct WorkSteps: Sendable {
  /// What is done when the work begins, on the thread that dispatched if that is at once; false says not to go on.
  var begin: @Sendable (Work) -> Bool = { _ in true }
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
  /// - Parameter policy: What the action says; what was plugged in for it takes its place.
  func start(_ action: any Action, policy own: WorkPolicy, _ steps: WorkSteps) {
    let settings = settings
    let policy = settings.policy(for: action) ?? own
    let effects = effects
    let environment = WorkEnvironment(context: self, policy: policy, settings: settings)
    let id = policy.id ?? WorkID(ObjectIdentifier(type(of: action)))
    let (work, step) = lanes.arrived(
      { number in Work(number, id, within: effects) }, policy, at: settings.timeline.now)
    switch step {
    case .drops: return
    case .runs:
      // The first step here and now: whoever dispatches next finds it done.
      guard steps.begin(work) else { return lanes.finished(work) }
      launch(work, action, environment, in: effects, steps, at: step)
    case .waits, .queues: launch(work, action, environment, in: effects, steps, at: step)
    }
  }

  private func launch(
    _ work: Work, _ action: any Action, _ environment: WorkEnvironment, in effects: EffectScope,
    _ steps: WorkSteps, at step: WorkLane.Step
  ) {
    let dispatch = dispatch
    let task = effects.task(onCancel: { work.cancel() }) {
      do {
        try await EffectScope.$current.withValue(work.scope) {
          guard await isItsTurn(work, environment, at: step), step == .runs || steps.begin(work) else {
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
    }
    guard let task else { return lanes.finished(work) }
    work.runs(in: task)
  }

  /// Waits as long as the rules say; returns whether the work is to begin then.
  private func isItsTurn(
    _ work: Work, _ environment: WorkEnvironment, at first: WorkLane.Step
  ) async -> Bool {
    let timeline = environment.settings.timeline
    var step = first
    if case .waits(let deadline) = step {
      // A clock that fails for another reason must not hold work for ever.
      try? await timeline.sleep(until: deadline)
      guard !work.isCancelled else { return false }
      step = lanes.woke(work, at: max(deadline, timeline.now))
    }
    switch step {
    case .runs: return !work.isCancelled
    case .queues: return await work.turn.value
    case .drops, .waits: return false
    }
  }
}
