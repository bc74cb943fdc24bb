import FluxCore

/// A piece of work, from the time its action arrives until its operation has returned.
///
/// The store's ``/FluxCore/WorkEngine`` determines when the work begins and when it is canceled.
/// This object performs the steps of the work: the first step on the dispatching thread, and the
/// operation in a task.
final class Work: EngineWork {
  let action: any Action
  let context: ActionContext
  let policy: WorkPolicy
  let settings: WorkSettings
  /// The scope of everything that the work starts.
  let scope: EffectScope
  /// The end of the debounce or throttle interval, or `nil` if the work does not wait for one.
  private let deadline: Duration?
  private let steps: any WorkSteps

  init(
    _ action: any Action, in context: ActionContext, _ policy: WorkPolicy, _ settings: WorkSettings,
    _ steps: any WorkSteps, scope: EffectScope, first: WorkStateMachine.Step
  ) {
    self.action = action
    self.context = context
    self.policy = policy
    self.settings = settings
    self.steps = steps
    self.scope = scope
    if case .waits(let deadline) = first { self.deadline = deadline } else { deadline = nil }
  }

  /// A Boolean value that indicates whether the work was canceled.
  var isCancelled: Bool { scope.isCancelled }

  /// Cancels the work and everything that it has started.
  func cancel(because reason: String?) {
    scope.cancelWork(because: reason)
  }

  func reportCancellation(because reason: String?) {
    steps.cancelled(because: reason)
  }

  /// Dispatches an action as part of the work, unless the work was canceled.
  func dispatch(_ action: any Action) {
    context.dispatch(action, in: scope)
  }

  // MARK: Performing

  /// Begins the work after its action is reduced.
  ///
  /// - Parameter isWanted: A Boolean value that indicates whether the work was wanted before the
  ///   action was reduced, or `nil` if the work must be asked again.
  func start(isWanted: Bool?) {
    switch scope.reduced() {
    case .begins:
      if begin(isWanted: isWanted ?? (policy.rules.overlap != .leading || steps.isStillWanted)) { launch() }
    case .runs, .waits: launch()
    case .stops: end(isIdle: true)
    }
  }

  /// Performs the first step, and returns whether the work continues.
  private func begin(isWanted: Bool) -> Bool {
    let result = steps.begin(self, isWanted: isWanted)
    let isCancelled = scope.began()
    switch result {
    case .continues where !isCancelled: return true
    case .continues, .isUnwanted: end(isIdle: true)
    case .ends: end(isIdle: isCancelled)
    }
    return false
  }

  private func launch() {
    scope.setTask(
      Task {
        await EffectScope.$current.withValue(scope) { await perform() }
      })
  }

  private func perform() async {
    if let deadline {
      // If the clock fails, the work must not wait forever.
      try? await settings.timeline.sleep(until: deadline)
      scope.woke(at: max(deadline, settings.timeline.now))
    }
    switch await scope.proceed() {
    case .begins: guard begin(isWanted: steps.isStillWanted) else { return }
    case .runs: break
    case .waits, .stops:
      // Work that was not canceled is dropped at the end of its debounce or throttle interval.
      if !isCancelled { steps.neverBegins(isDropped: true) }
      return end(isIdle: true)
    }
    do {
      try await steps.run(self)
    } catch {
      scope.whileDispatching { settings.report(error, of: action) { dispatch($0) } }
    }
    end(isIdle: false)
  }

  private func end(isIdle: Bool) {
    steps.ended()
    scope.returned(isIdle: isIdle)
  }
}
