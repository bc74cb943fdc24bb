import FluxCore

// One step of one thread. Each follows a method of `StoreCore`, which its comment names.

extension DeliveryModel {
  /// The thread that makes the next step.
  enum Choice: Hashable {
    case thread(Int)
    /// The main thread begins the next task of the main actor.
    case mainTask(Int)
  }

  /// The values that a step needs in addition to the model.
  struct Context {
    let scenario: DeliveryScenario
    var events = DeliveryEvents()
  }

  func choices(in scenario: DeliveryScenario) -> [Choice] {
    var choices: [Choice] = []
    for (index, thread) in threads.enumerated() {
      if !thread.frames.isEmpty || Int(thread.position) < scenario.programs[index].count {
        choices.append(.thread(index))
      }
      if index == scenario.mainThread && thread.frames.isEmpty && mainTasks > 0 {
        choices.append(.mainTask(index))
      }
    }
    return choices
  }

  mutating func step(_ choice: Choice, in context: inout Context) throws(DeliveryViolation) {
    switch choice {
    case .mainTask(let thread):
      mainTasks -= 1
      try deliverOnMain(thread, &context)
    case .thread(let thread): try proceed(thread, &context)
    }
    try checkState(context.scenario)
  }

  private mutating func proceed(_ thread: Int, _ context: inout Context) throws(DeliveryViolation) {
    switch threads[thread].frames.last {
    case nil:
      let operation = context.scenario.programs[thread][Int(threads[thread].position)]
      threads[thread].position += 1
      try perform(operation, thread, &context)
    case .script(let script, let position):
      // The last operation of a script replaces the script's frame, so that nothing is left to do
      // after it.
      let operations = Self.operations(of: script, context.scenario)
      replaceTop(
        of: thread, by: Int(position) + 1 < operations.count ? .script(script, position: position + 1) : nil)
      try perform(operations[Int(position)], thread, &context)
    case .firstCall(let call): try proceed(call, thread, &context)
    case .pass(let pass): try proceed(pass, thread, &context)
    case .transitions(let versions, let position): try proceed(versions, position, thread, &context)
    case .offer:
      replaceTop(of: thread, by: nil)
      let response = rules.reclaimed(by: identity(thread))
      context.events.insert(response.step == .leave ? .foundTakenOver : .reclaimed)
      try answer(response, thread, &context)
    case .finish:
      guard !hasFinished else { throw DeliveryViolation("the store finishes twice") }
      hasFinished = true
      replaceTop(of: thread, by: nil)
    case .lateCommit:
      lateCommits -= 1
      replaceTop(of: thread, by: nil)
    }
  }

  static func operations(of script: Script, _ scenario: DeliveryScenario) -> [DeliveryScenario.Operation] {
    switch script {
    case .reaction(let observer, let call): scenario.observers[Int(observer)].reactions[Int(call)]
    case .transitionReaction(let version): scenario.transitionReactions[Int(version) - 1]
    case .dispatchOnMain: [.dispatch, .emptyMailbox]
    }
  }

  func identity(_ thread: Int) -> ThreadIdentity { ThreadIdentity(rawValue: UInt(thread) + 1) }

  private mutating func replaceTop(of thread: Int, by frame: Frame?) {
    let top = threads[thread].frames.count - 1
    if let frame { threads[thread].frames[top] = frame } else { threads[thread].frames.remove(at: top) }
  }

  private mutating func push(_ frame: Frame, on thread: Int) {
    threads[thread].frames.append(frame)
  }
}

// MARK: - Operations

extension DeliveryModel {
  private mutating func perform(
    _ operation: DeliveryScenario.Operation, _ thread: Int, _ context: inout Context
  ) throws(DeliveryViolation) {
    switch operation {
    case .dispatch: try dispatch(thread, &context)
    case .dispatchOnMain:
      push(.script(.dispatchOnMain, position: 0), on: thread)
      try proceed(thread, &context)
    case .subscribe(let observer): subscribe(UInt8(observer), thread, &context)
    case .subscribeWithoutFirstCall(let observer):
      guard isLive else { return }
      insert(UInt8(observer), lane: context.scenario.observers[observer].lane)
      join(UInt8(observer), seen: version)
      observers[observer].lastVersion = version
      context.events.insert(.observerAdded)
    case .cancel(let observer):
      guard isLive else { return }
      if remove(UInt8(observer), lane: context.scenario.observers[observer].lane) {
        context.events.insert(.observerRemoved)
      }
    case .openBatch:
      openBatches += 1
      rules.batchOpened()
      context.events.insert(.batchOpened)
    case .closeBatch:
      openBatches -= 1
      let response = rules.batchClosed(by: identity(thread))
      context.events.insert(response.step == .leave ? .batchLeft : .batchFlushed)
      try answer(response, thread, &context)
    case .replaceReducer:
      context.events.insert(.reducerReplaced)
      let machine = rules.machine
      let response = rules.reducerReplaced(by: identity(thread))
      guard rules.machine == machine else {
        throw DeliveryViolation("an event is told for a replaced reducer")
      }
      try answer(response, thread, &context)
    case .observeTransitions, .ignoreTransitions: changeTransitionObserver(by: operation, &context)
    case .emptyMailbox: try deliverOnMain(thread, &context)
    case .end: try end(thread, &context)
    }
  }

  /// Like `reduce(_:)`.
  private mutating func dispatch(_ thread: Int, _ context: inout Context) throws(DeliveryViolation) {
    guard isLive else { return }
    guard !rules.machine.concerns.isEmpty else {
      rules.machine.committedUnobserved()
      if hasTransitionObserver { expectedTransitions.append(version) }
      context.events.insert(.committedUnobserved)
      return
    }
    let isRecording = rules.machine.concerns.contains(.transitions)
    let response = rules.committed(by: identity(thread))
    if isRecording { queuedTransitions.append(version) }
    if hasTransitionObserver { expectedTransitions.append(version) }
    if rules.mistake == .notifiesBeforeCommit {
      lateCommits += 1
      push(.lateCommit, on: thread)
    }
    context.events.insert(
      response.step != .leave
        ? .committedAndTookOver : openBatches > 0 ? .committedInBatch : .committedAndLeft)
    try answer(response, thread, &context)
  }

  /// Like `observe(id:first:receive:)`, up to the first call.
  private mutating func subscribe(_ observer: UInt8, _ thread: Int, _ context: inout Context) {
    guard isLive else { return }
    insert(observer, lane: context.scenario.observers[Int(observer)].lane)
    context.events.insert(.observerAdded)
    push(.firstCall(FirstCall(observer: observer, version: version)), on: thread)
  }

  /// Like `end()`.
  private mutating func end(_ thread: Int, _ context: inout Context) throws(DeliveryViolation) {
    isLive = false
    for observer in list + mainList { markAsGone(observer, unless: .callsAfterTheEnd) }
    list = []
    mainList = []
    context.events.insert(.ended)
    try answer(rules.ended(by: identity(thread)), thread, &context)
  }
}

// MARK: - Delivery

extension DeliveryModel {
  private mutating func answer(
    _ response: DeliveryStateMachine.Response, _ thread: Int, _ context: inout Context
  ) throws(DeliveryViolation) {
    if response.wakesMain {
      mainTasks += 1
      context.events.insert(.mainWoken)
    }
    try deliver(response.step, thread, &context)
  }

  /// Like `deliver(_:_:by:)`, with `fill(_:for:)`.
  private mutating func deliver(
    _ step: DeliveryStateMachine.Step, _ thread: Int, _ context: inout Context
  ) throws(DeliveryViolation) {
    switch step {
    case .leave: return
    case .offer:
      context.events.insert(.offered)
      push(.offer, on: thread)
    case .pass:
      guard isLive else { throw DeliveryViolation("a pass begins after the end") }
      try checkDeliverer(thread)
      try checkPass(context.scenario)
      context.events.insert(.passed)
      push(.pass(Pass(lane: .anyThread, version: version, slots: list)), on: thread)
    case .deliverTransitions:
      try checkDeliverer(thread)
      guard !queuedTransitions.isEmpty else { throw DeliveryViolation("there are no transitions to deliver") }
      context.events.insert(.transitionsDelivered)
      if rules.mistake == .deliversTransitionsNewestFirst { queuedTransitions.reverse() }
      push(.transitions(queuedTransitions, position: 0), on: thread)
      queuedTransitions = []
    case .finish:
      try checkDeliverer(thread)
      guard queuedTransitions.isEmpty else { throw DeliveryViolation("the store ends before a transition") }
      guard !isTransitionRunning else { throw DeliveryViolation("the store ends during a transition") }
      context.events.insert(.finished)
      push(.finish, on: thread)
    }
  }

  /// The loop of `ObserverList.deliver(_:version:to:)` and of `deliverOnMain()`.
  private mutating func proceed(
    _ before: Pass, _ thread: Int, _ context: inout Context
  ) throws(DeliveryViolation) {
    var pass = before
    if pass.isCalling {
      observers[Int(pass.slots[Int(pass.position)])].isRunning = false
      pass.isCalling = false
      pass.position += 1
    }
    guard Int(pass.position) < pass.slots.count else { return try passEnded(pass, thread, &context) }
    let observer = pass.slots[Int(pass.position)]
    if !pass.hasLooked && !takes(observer, pass.version) {
      pass.position += 1
      replaceTop(of: thread, by: .pass(pass))
    } else if !pass.hasLooked && context.scenario.looksApart {
      try checkCall(observer)
      pass.hasLooked = true
      replaceTop(of: thread, by: .pass(pass))
    } else {
      observers[Int(observer)].seen = pass.version
      if let last = pass.lastCalled, last > observer {
        throw DeliveryViolation("observer \(observer) is called after observer \(last)")
      }
      pass.lastCalled = observer
      pass.isCalling = true
      let hasLooked = pass.hasLooked
      pass.hasLooked = false
      replaceTop(of: thread, by: .pass(pass))
      try call(observer, pass.version, hasLooked: hasLooked, thread, &context)
    }
  }

  private mutating func passEnded(
    _ pass: Pass, _ thread: Int, _ context: inout Context
  ) throws(DeliveryViolation) {
    replaceTop(of: thread, by: nil)
    switch pass.lane {
    case .anyThread: try next(thread, &context)
    case .main:
      switch rules.mainPassEnded() {
      case .again:
        context.events.insert(.mainPassAgain)
        try beginMainPass(thread, &context)
      case .wake:
        context.events.insert(.mainWokenAfterPass)
        mainTasks += 1
      case .leave: context.events.insert(.mainPassLeft)
      }
    }
  }

  private mutating func next(_ thread: Int, _ context: inout Context) throws(DeliveryViolation) {
    guard rules.machine.phase == .delivering(by: identity(thread)) else {
      throw DeliveryViolation("thread \(thread) delivers, and is not the deliverer")
    }
    let response = rules.next()
    if response.step == .pass { context.events.insert(.passedAgain) }
    try answer(response, thread, &context)
  }

  /// Like `TransitionQueue.deliver()`.
  private mutating func proceed(
    _ versions: [UInt8], _ position: UInt8, _ thread: Int, _ context: inout Context
  ) throws(DeliveryViolation) {
    if position > 0 { isTransitionRunning = false }
    guard Int(position) < versions.count else {
      replaceTop(of: thread, by: nil)
      return try next(thread, &context)
    }
    let version = versions[Int(position)]
    guard version == expectedTransitions.first else {
      throw DeliveryViolation("transition \(version) is delivered after transition \(lastTransition)")
    }
    guard !isTransitionRunning else { throw DeliveryViolation("two transitions are delivered at once") }
    guard !hasFinished else { throw DeliveryViolation("a transition is delivered after the finish") }
    try checkCommitted(version)
    lastTransition = version
    expectedTransitions.removeFirst()
    isTransitionRunning = true
    replaceTop(of: thread, by: .transitions(versions, position: position + 1))
    let reactions = context.scenario.transitionReactions
    if Int(version) <= reactions.count && !reactions[Int(version) - 1].isEmpty {
      push(.script(.transitionReaction(version: version), position: 0), on: thread)
    }
  }

  /// Calls an observer; the call lasts until the frame below makes its next step.
  private mutating func call(
    _ index: UInt8, _ version: UInt8, hasLooked: Bool, _ thread: Int, _ context: inout Context
  ) throws(DeliveryViolation) {
    var observer = observers[Int(index)]
    try checkCommitted(version)
    if hasLooked {
      if observer.isToldToGo { context.events.insert(.calledAfterLook) }
    } else {
      try checkCall(index)
    }
    guard !observer.isRunning else { throw DeliveryViolation("observer \(index) is called twice at once") }
    guard observer.lastVersion < version || (observer.calls == 0 && observer.status == .starting) else {
      throw DeliveryViolation(
        "observer \(index) is called with version \(version) after version \(observer.lastVersion)")
    }
    let reactions = context.scenario.observers[Int(index)].reactions
    let call = Int(observer.calls)
    observer.isRunning = true
    observer.lastVersion = version
    if context.scenario.countsCalls || call < max(reactions.count, 1) { observer.calls += 1 }
    observers[Int(index)] = observer
    if call < reactions.count && !reactions[call].isEmpty {
      push(.script(.reaction(observer: index, call: UInt8(call)), position: 0), on: thread)
    }
  }

  /// Like `catchUp(_:from:on:_:)`.
  private mutating func proceed(
    _ before: FirstCall, _ thread: Int, _ context: inout Context
  ) throws(DeliveryViolation) {
    var first = before
    let index = Int(first.observer)
    guard first.isCalling else {
      guard observers[index].status == .starting else { return replaceTop(of: thread, by: nil) }
      first.isCalling = true
      first.calls += 1
      replaceTop(of: thread, by: .firstCall(first))
      return try call(first.observer, first.version, hasLooked: false, thread, &context)
    }
    observers[index].isRunning = false
    replaceTop(of: thread, by: nil)
    guard isLive, observers[index].status == .starting else { return }
    switch rules.firstCallReturned(
      seen: UInt64(first.version), calls: Int(first.calls),
      on: context.scenario.observers[index].lane, by: identity(thread))
    {
    case .again:
      context.events.insert(.firstCallAgain)
      first.version = version
      first.isCalling = false
      push(.firstCall(first), on: thread)
    case .joined(let response):
      context.events.insert(first.version < version ? .joinedBehind : .joined)
      join(first.observer, seen: first.version)
      try answer(response, thread, &context)
    }
  }
}

// MARK: - The main actor

extension DeliveryModel {
  /// Like `deliverOnMain()`.
  private mutating func deliverOnMain(_ thread: Int, _ context: inout Context) throws(DeliveryViolation) {
    guard rules.mainPassBegins() else {
      context.events.insert(.mainPassRefused)
      return
    }
    guard isLive else { return }
    context.events.insert(.mainPassBegan)
    try beginMainPass(thread, &context)
  }

  private mutating func beginMainPass(_ thread: Int, _ context: inout Context) throws(DeliveryViolation) {
    let isDelivering = threads[thread].frames.contains { frame in
      if case .pass(let pass) = frame { pass.lane == .main } else { false }
    }
    guard !isDelivering else { throw DeliveryViolation("a main pass begins in a main pass") }
    try checkPass(context.scenario)
    push(.pass(Pass(lane: .main, version: version, slots: mainList)), on: thread)
  }
}
