// A thread that dispatches an action begins its work, and a task performs the work.

extension Work {
  /// Begins the work after its action is reduced.
  ///
  /// - Parameter wasWanted: A Boolean value that indicates whether the work was wanted before the
  ///   action was reduced, or `nil` if the steps determine it when the work begins.
  func start(wasWanted: Bool?) {
    let next = reduced()
    guard let steps = next.steps else { return }
    switch next.progress {
    case .begins: if begin(steps, isWanted: wasWanted) { launch() }
    case .runs, .waits: launch()
    case .stops: end(steps, isIdle: true)
    }
  }

  /// Performs the first step, and returns whether the work continues.
  ///
  /// - Parameters:
  ///   - steps: The steps of the work.
  ///   - isWanted: A Boolean value that indicates whether the work is wanted, or `nil` if the steps
  ///     determine it.
  private func begin(_ steps: any WorkSteps, isWanted: Bool?) -> Bool {
    let result = steps.begin(self, isWanted: isWanted ?? steps.isStillWanted)
    let isCancelled = began()
    switch result {
    case .continues where !isCancelled: return true
    case .continues, .isUnwanted: end(steps, isIdle: true)
    case .ends: end(steps, isIdle: isCancelled)
    }
    return false
  }

  private func launch() {
    // The task inherits the scope, so the work of the actions that it dispatches starts there.
    EffectScope.withCurrent(self) { setTask(timeline.startTask(self)) }
  }

  private func end(_ steps: any WorkSteps, isIdle: Bool) {
    steps.ended()
    returned(isIdle: isIdle)
  }
}

extension Work: TaskOperation {
  /// Performs the work in its task.
  @usableFromInline @inline(__always)
  package nonisolated(nonsending) func run() async {
    if let deadline { await wait(until: deadline) }
    var next = proceed()
    while next.progress == .waits {
      await untilResumed()
      next = proceed()
    }
    guard let steps = next.steps, continues(steps, after: next.progress) else { return }
    do {
      try await steps.run(self)
    } catch {
      steps.failed(self, error)
    }
    end(steps, isIdle: false)
  }

  // The frame of the task remains small because this method has its own frame.
  @inline(never)
  private nonisolated(nonsending) func wait(until deadline: Duration) async {
    let timeline = timeline
    // If the clock fails, the work must not wait forever.
    try? await timeline.sleep(until: deadline)
    woke(at: max(deadline, timeline.now))
  }

  /// Performs the first step if necessary, and returns whether the work continues.
  private func continues(_ steps: any WorkSteps, after progress: WorkStateMachine.Progress) -> Bool {
    switch progress {
    case .begins: return begin(steps, isWanted: nil)
    case .runs: return true
    case .waits, .stops:
      // Work that was not canceled is dropped at the end of its debounce or throttle interval.
      if !isCancelled { steps.neverBegins(isDropped: true) }
      end(steps, isIdle: true)
      return false
    }
  }
}
