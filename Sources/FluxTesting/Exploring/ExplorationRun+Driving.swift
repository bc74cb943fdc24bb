import FluxCore
import FluxMiddleware

#if canImport(Testing)
  import Testing
#endif

// The driver performs the events of a run, one after another, on one thread.

extension ExplorationRun {
  /// The result of a run.
  struct Outcome: Sendable {
    let failures: [String]
    let story: [String]
    /// The events of the order, without the steps of tasks.
    let events: [PendingEvent]
    let chooser: OrderChooser
    /// The deviations of the order from first come, first served.
    let replay: ReplayText
    /// The parts of the order that tasks can observe.
    let extent: Observations.Extent

    var isFailure: Bool { !failures.isEmpty }
  }

  /// Runs a test in one order.
  func perform(
    _ test: @escaping @Sendable (ExplorationRun) async throws -> Void, choosing chooser: OrderChooser
  ) async -> Outcome {
    var chooser = chooser
    var replay = ReplayText()
    let task = Timeline.$ofTest.withValue(timeline) {
      timeline.startTask { [self] in await testRuns(test) }
    }
    var count = 0
    while !isFinished, let next = await nextEvents() {
      count += 1
      guard count <= Self.eventLimit else {
        fail(
          "The order does not end: \(Self.eventLimit) events happened. End repeating work before the test ends."
        )
        break
      }
      switch next {
      case .ownStep(let job): performStep(job, of: Self.test, isOfTest: true)
      case .timer(let job): performTimer(job)
      case .resumption: resumeTest()
      case .choice(let events):
        let index = choose(events, &chooser, &replay)
        let isIndependent = perform(
          events[index].event, events[index].performed, isDeviation: index > 0)
        if isIndependent, events.count > 1, cutsOrders { chooser.chosenEventIsIndependent() }
      }
    }
    chooser.end()
    await finish(task)
    return contents.withLock {
      Outcome(
        failures: $0.history.failures, story: $0.history.story, events: $0.history.eventsWithoutSteps,
        chooser: chooser, replay: replay, extent: $0.observations.extent)
    }
  }

  /// Runs the test's own code, and collects the failures of its expectations.
  private func testRuns(_ test: @Sendable (ExplorationRun) async throws -> Void) async {
    #if canImport(Testing)
      if let current = Test.current {
        // An issue of an order is part of the report, and is not recorded by itself.
        let issues = IssueHandlingTrait.compactMapIssues { [self] issue in
          fail(issue.message)
          return nil
        }
        await catching {
          try await issues.provideScope(for: current, testCase: Test.Case.current) { [self] in
            try await test(self)
          }
        }
        return endTest()
      }
    #endif
    await catching { try await test(self) }
    endTest()
  }

  private func catching(_ test: () async throws -> Void) async {
    do { try await test() } catch { fail("The test threw an error: \(error)") }
  }

  private func endTest() {
    contents.withLock { $0.events.test = .ended }
  }

  /// A Boolean value that indicates whether the order has ended, and the remaining possible events
  /// do not happen.
  private var isFinished: Bool { contents.withLock { $0.isFinished } }

  // MARK: Events

  private typealias Event = (event: PendingEvent, performed: PendingEvents.Performed)

  private enum Next {
    case timer(Int)
    case ownStep(Int)
    case resumption
    case choice([Event])
  }

  /// Returns what happens next, or `nil` if the order has ended.
  private func nextEvents() async -> Next? {
    for _ in 0..<Self.patience {
      if let next = pendingEvents() { return next }
      if contents.withLock({ $0.events.test == .ended && $0.effects.allSatisfy { $0.scope.count == 0 } }) {
        return nil
      }
      // Code outside the run may still make a step ready. The run cannot know when, because it
      // controls neither the threads nor the clock of that code. Only failing orders wait here.
      let now = Timeline.system.now
      try? await Timeline.system.sleep(until: now + .milliseconds(1))
    }
    return nil
  }

  /// The largest number of events of an order, so that work that repeats forever is a failure.
  static var eventLimit: Int { 10_000 }

  /// The number of milliseconds for which a run waits for code outside the run.
  private static var patience: Int { 200 }

  private func pendingEvents() -> Next? {
    let deadline = clock.nextDeadline?.offset
    return contents.withLock { contents in
      if !contents.timerSteps.isEmpty { return .timer(contents.timerSteps.removeFirst()) }
      if !contents.ownSteps.isEmpty { return .ownStep(contents.ownSteps.removeFirst()) }
      if contents.waiting != nil, contents.events.isQuiet, !contents.events.hasPossible(deadline) {
        return .resumption
      }
      let events = contents.events.events(deadline: deadline)
      return events.isEmpty ? nil : .choice(events)
    }
  }

  private func choose(
    _ events: [Event], _ chooser: inout OrderChooser, _ replay: inout ReplayText
  ) -> Int {
    guard events.count > 1 else { return 0 }
    let names = events.map(\.event)
    let moment = chooser.usesMoments && cutsOrders ? moment(names) : nil
    let index = chooser.choose(names, moment: moment)
    if index > 0 {
      replay.deviate(at: chooser.choices.count - 1, to: names[index], past: chooser.past)
    }
    return index
  }

  /// A Boolean value that indicates whether the run cuts orders.
  ///
  /// A moment cannot be compared with others if the run does not know the state of a store.
  private var cutsOrders: Bool {
    memory != nil && contents.withLock { !$0.states.isEmpty && $0.states.count == $0.createdStores }
  }

  /// Performs an event.
  ///
  /// - Returns: A Boolean value that indicates whether the event is independent of each event that
  ///   can happen instead.
  private func perform(
    _ event: PendingEvent, _ performed: PendingEvents.Performed, isDeviation: Bool
  ) -> Bool {
    var isIndependent = false
    var task: PendingEvents.Name?
    let held = contents.withLock { contents -> CheckedContinuation<Int, any Error>? in
      contents.driver = .current
      if case .step(let job) = performed { task = contents.events.task(ofStep: job) }
      contents.events.perform(performed)
      contents.history.happened(event, isDeviation: isDeviation)
      contents.observations.happened(event.hash)
      switch performed {
      case .answer(let id, _), .possible(let id): return contents.held.removeValue(forKey: id)
      case .step, .deadline, .rest: return nil
      }
    }
    switch performed {
    case .step(let job): if let task { isIndependent = performStep(job, of: task) }
    case .answer(_, let outcome): performingOnlyStep { held?.resume(returning: outcome) }
    case .possible: performingOnlyStep { held?.resume(returning: 0) }
    case .deadline:
      performingOnlyStep { if let deadline = clock.nextDeadline { clock.advance(to: deadline) } }
    case .rest: rest()
    }
    contents.withLock { $0.driver = nil }
    return isIndependent
  }

  private func rest() {
    switch contents.withLock({ $0.events.test }) {
    case .ended: contents.withLock { $0.isFinished = true }
    // Nothing else can continue the test, unless code outside the run continues it.
    case .running: contents.withLock { $0.events.removePossible() }
    case .waiting: resumeTest()
    }
  }

  /// Performs an event that makes steps ready.
  ///
  /// If only one step becomes ready, the step is part of the event. An event that makes no step
  /// ready before another event has the same effect as the later event.
  private func performingOnlyStep(_ act: () -> Void) {
    let before = contents.withLock { $0.events.readySteps }
    act()
    let step = contents.withLock { contents in
      contents.events.readySteps == before + 1 ? contents.events.takeLastStep() : nil
    }
    if let step { performStep(step.job, of: step.task) }
  }

  /// The name of the test's own task.
  private static let test = PendingEvents.Name(text: "the test", hash: "the test".stableHash)

  /// Performs a step.
  ///
  /// - Returns: A Boolean value that indicates whether the step is independent of each event that
  ///   can happen instead.
  @discardableResult
  private func performStep(
    _ job: Int, of task: PendingEvents.Name, isOfTest: Bool = false
  ) -> Bool {
    let time = hashOfTime
    contents.withLock { contents in
      contents.driver = .current
      contents.running = task.text
      contents.isTestRunning = isOfTest
      // The test's own code can keep everything that it reads.
      contents.observations.stepBegan(
        of: task.hash, states: contents.hashOfStates, time: time, readsStates: isOfTest)
    }
    executor.perform(job)
    return contents.withLock { contents in
      defer { (contents.running, contents.driver, contents.isTestRunning) = (nil, nil, false) }
      return contents.observations.stepEnded()
    }
  }

  private func performTimer(_ job: Int) {
    contents.withLock { $0.driver = .current }
    timers.perform(job)
    contents.withLock { $0.driver = nil }
  }

  // MARK: Moments

  private var hashOfTime: UInt64 {
    let time = clock.unreadNow.offset.components
    return UInt64(bitPattern: time.seconds &* 1_000_003 ^ time.attoseconds)
  }

  /// Returns the identity of the present moment.
  private func moment(_ events: [PendingEvent]) -> OrderSearch.Moment {
    var first = Hasher()
    first.combine(hashOfTime)
    first.combine(events.reduce(0) { $0 &+ $1.hash })
    let stores = contents.withLock { contents in
      first.combine(contents.hashOfStates)
      contents.observations.hash(into: &first)
      return contents.effects
    }
    for store in stores { store.scope.hashLikeness(into: &first) }
    var second = first
    second.combine(0)
    return OrderSearch.Moment(first: first.finalize(), second: second.finalize())
  }

  private func resumeTest() {
    let waiting = contents.withLock { contents in
      contents.driver = .current
      contents.events.test = .running
      return contents.waiting.take()
    }
    waiting?.resume()
  }

  // MARK: Steps

  func receive(_ report: QueueingExecutor.Report) {
    if case .ready(let job, let task) = report { return stepIsReady(job, of: task, by: .current) }
    let isCancelled = Task.isCancelled
    contents.withLock { contents in
      switch report {
      case .ready: break
      case .beginning: contents.observations.workBegan()
      case .end: contents.observations.taskEnded(isCancelled: isCancelled)
      case .readsState: contents.observations.stepReadsStates(isCancelled: isCancelled)
      case .readsTime: contents.observations.stepReadsTime(isCancelled: isCancelled)
      case .keepsState: contents.observations.stepKeepsState()
      case .readsKeptState: contents.observations.stepReadsKeptState(isCancelled: isCancelled)
      case .effect: contents.observations.stepAffectsOthers(isCancelled: isCancelled)
      case .observesEnds: contents.observations.beginningsAndEndsAreObserved()
      case .keepsHistory: contents.observations.historyIsKept()
      case .store(let scope):
        contents.createdStores += 1
        contents.effects.append((scope, nil))
      }
    }
  }

  func receiveFromTimer(_ report: QueueingExecutor.Report) {
    guard case .ready(let job, _) = report else { return }
    let isCancelled = Task.isCancelled
    contents.withLock { contents in
      contents.timerSteps.append(job)
      contents.observations.stepAffectsOthers(isCancelled: isCancelled)
    }
  }

  private func stepIsReady(_ job: Int, of task: Int?, by thread: ThreadIdentity) {
    let (isNew, action) = contents.withLock { contents in
      (task.map { !contents.events.isKnown(task: $0) } ?? false, contents.dispatching.last)
    }
    // The description of an action is code of the user, which does not run under a lock.
    let name = isNew ? action?.text ?? "a task" : ""
    let isCancelled = Task.isCancelled
    contents.withLock { contents in
      if contents.driver != thread, contents.ownTask != nil { contents.noteEscape(of: task) }
      if contents.ownTask == nil { contents.ownTask = task }
      if let task, task == contents.ownTask || contents.isDeclaring {
        contents.observations.stepAffectsOthers(isCancelled: isCancelled)
        // The first step of a possible event only declares the event, and is a step of the test.
        if task != contents.ownTask { contents.events.taskBegan(task, name: name) }
        return contents.ownSteps.append(job)
      }
      contents.addStep(job, of: task ?? 0, task == nil ? "an actor" : name, isCancelled: isCancelled)
    }
  }
}

extension ExplorationRun.Contents {
  fileprivate var hashOfStates: UInt64 { states.reduce(0) { $0 &* 1_000_003 &+ $1 } }

  fileprivate mutating func addStep(_ job: Int, of task: Int, _ name: String, isCancelled: Bool) {
    let isNew = !events.isKnown(task: task)
    if isNew { events.taskBegan(task, name: name) }
    events.stepIsReady(job, of: task)
    observations.stepIsReady(
      of: events.name(ofTask: task).hash, isNew: isNew, isCancelled: isCancelled)
  }

  fileprivate mutating func noteEscape(of task: Int?) {
    guard escaped == nil, !isOver else { return }
    let name = task == ownTask ? "the test" : task.map { events.name(ofTask: $0).text } ?? "an actor"
    escaped = "code outside the run continued \(name)"
  }
}

#if canImport(Testing)
  extension Issue {
    /// The description of the issue, without its severity.
    fileprivate var message: String {
      let text = "\(self)"
      return text.hasSuffix(" (error)") ? String(text.dropLast(" (error)".count)) : text
    }
  }
#endif
