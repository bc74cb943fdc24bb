import Synchronization

// A thread that dispatches an action begins its work, and a task performs the work.

extension Work {
  /// Begins the work after its action is reduced.
  ///
  /// - Parameter wasWanted: A Boolean value that indicates whether the work was wanted before the
  ///   action was reduced, or `nil` if the steps determine it when the work begins.
  func start(wasWanted: Bool?) {
    let (progress, steps) = reduced()
    guard let steps else { return }
    switch progress {
    case .begins: if begin(steps, isWanted: wasWanted) { launch(steps) }
    case .runs, .waits: launch(steps)
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

  private func launch(_ steps: any WorkSteps) {
    // The task inherits the scope, so the work of the actions that it dispatches starts there.
    EffectScope.withCurrent(self) { setTask(steps.startTask(of: self)) }
  }

  @usableFromInline
  func end(_ steps: any WorkSteps, isIdle: Bool) {
    steps.ended()
    returned(isIdle: isIdle)
  }
}

extension WorkSteps {
  /// Starts the task that performs the work.
  ///
  /// The compiler specializes this method for the type of the steps, so that the task calls them
  /// without another frame.
  @inlinable
  package func startTask(of work: Work) -> StartedTask {
    FluxCore.startTask(on: work.executor, WorkOperation<Self>(work))
  }
}

/// The operation of the task that performs work with steps of a known type.
@usableFromInline
package struct WorkOperation<Steps: WorkSteps>: TaskOperation {
  @usableFromInline let work: Work

  @inlinable
  init(_ work: Work) {
    self.work = work
  }

  /// Performs the work in its task.
  @inlinable @inline(__always)
  package nonisolated(nonsending) func run() async {
    guard let known = await work.stepsToPerform() else { return }
    // The task changes its executor once less often if it uses only one reference to the steps.
    let steps = unsafeDowncast(known, to: Steps.self)
    do {
      try await steps.run(work)
    } catch {
      steps.failed(work, error)
    }
    work.end(steps, isIdle: false)
  }
}

extension Work {
  /// The executor of the task, or `nil` for the executor of the system.
  @usableFromInline
  var executor: (any StepExecutor)? {
    // The timeline is read under a lock, and only in a program in which a test has set an executor.
    Timeline.hasExecutors.load(ordering: .relaxed) ? timeline.executor : nil
  }

  /// Waits for the turn of the work, and returns the steps, or `nil` if the operation of the work
  /// never runs.
  @inlinable @inline(__always)
  nonisolated(nonsending) func stepsToPerform() async -> (any WorkSteps)? {
    if let deadline { await wait(until: deadline) }
    var (progress, steps) = proceed()
    while progress == .waits {
      await untilResumed()
      (progress, steps) = proceed()
    }
    guard let steps, continues(steps, after: progress) else { return nil }
    return steps
  }

  // The frame of the task remains small because this method has its own frame.
  @usableFromInline @inline(never)
  nonisolated(nonsending) func wait(until deadline: Duration) async {
    let timeline = timeline
    // If the clock fails, the work must not wait forever.
    try? await timeline.sleep(until: deadline)
    woke(at: max(deadline, timeline.now))
  }

  /// Performs the first step if necessary, and returns whether the work continues.
  @usableFromInline
  func continues(_ steps: any WorkSteps, after progress: WorkStateMachine.Progress) -> Bool {
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
