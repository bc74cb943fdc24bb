import FluxCore

// A thread that dispatches an action begins its work, and a task performs the work.

extension Work {
  /// The settings for the work of the store.
  var settings: WorkSettings { context.settings }

  /// Begins the work after its action is reduced.
  ///
  /// - Parameters:
  ///   - steps: The steps of the work.
  ///   - deadline: The end of the debounce or throttle interval, or `nil` if the work does not wait
  ///     for one.
  ///   - isWanted: A Boolean value that indicates whether the work was wanted before the action
  ///     was reduced, or `nil` if the steps determine it when the work begins.
  func start(_ steps: any WorkSteps, at deadline: Duration?, isWanted: Bool?) {
    switch reduced() {
    case .begins:
      if begin(steps, isWanted: isWanted ?? steps.isStillWanted) { launch(steps, at: deadline) }
    case .runs, .waits: launch(steps, at: deadline)
    case .stops: end(steps, isIdle: true)
    }
  }

  /// Performs the first step, and returns whether the work continues.
  private func begin(_ steps: any WorkSteps, isWanted: Bool) -> Bool {
    let result = steps.begin(self, isWanted: isWanted)
    let isCancelled = began()
    switch result {
    case .continues where !isCancelled: return true
    case .continues, .isUnwanted: end(steps, isIdle: true)
    case .ends: end(steps, isIdle: isCancelled)
    }
    return false
  }

  private func launch(_ steps: any WorkSteps, at deadline: Duration?) {
    // The task inherits the scope, so the work of the actions that it dispatches starts there.
    EffectScope.$current.withValue(scope) {
      setTask(scope.timeline.startTask { await perform(steps, at: deadline) })
    }
  }

  private nonisolated(nonsending) func perform(_ steps: any WorkSteps, at deadline: Duration?) async {
    if let deadline { await wait(until: deadline) }
    switch await proceed() {
    case .begins: guard begin(steps, isWanted: steps.isStillWanted) else { return }
    case .runs: break
    case .waits, .stops:
      // Work that was not canceled is dropped at the end of its debounce or throttle interval.
      if !isCancelled { steps.neverBegins(isDropped: true) }
      return end(steps, isIdle: true)
    }
    do {
      try await steps.run(self)
    } catch {
      scope.whileDispatching { settings.report(error, of: steps.action) { dispatch($0) } }
    }
    end(steps, isIdle: false)
  }

  private nonisolated(nonsending) func wait(until deadline: Duration) async {
    let timeline = settings.timeline
    // If the clock fails, the work must not wait forever.
    try? await timeline.sleep(until: deadline)
    woke(at: max(deadline, timeline.now))
  }

  private func end(_ steps: any WorkSteps, isIdle: Bool) {
    steps.ended()
    returned(isIdle: isIdle)
  }
}
