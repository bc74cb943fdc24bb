@testable import FluxCore

// The steps of threads and tasks, in the order in which the store's engine executes them.

extension WorkModel {
  mutating func step(_ agent: Int, in scenario: WorkScenario) throws(WorkViolation) {
    if case .time(let deadline, let instance) = agents[agent].wait {
      agents[agent].wait = .none
      // A canceled sleep ends early.
      if !instances[instance].isTaskCancelled { now = max(now, deadline) }
    }
    let frame = agents[agent].frames.removeLast()
    try perform(frame, agent, scenario)
    for race in instances.indices where !instances[race].racers.isEmpty { markLosers(of: race) }
    try checkTree()
  }

  mutating func push(_ frame: Frame, on agent: Int) {
    switch frame {
    case .operations(let operations, _) where operations.isEmpty: break
    case .execute(let instructions) where instructions.isEmpty: break
    default: agents[agent].frames.append(frame)
    }
  }

  mutating func execute(_ instructions: WorkStateMachine.Instructions, on agent: Int) {
    var list: [Instruction] = []
    instructions.forEach { list.append($0) }
    push(.execute(list), on: agent)
  }

  private mutating func perform(
    _ frame: Frame, _ agent: Int, _ scenario: WorkScenario
  ) throws(WorkViolation) {
    let thread = thread(agent)
    switch frame {
    case .operations(var operations, let scope):
      let operation = operations.removeFirst()
      push(.operations(operations, scope: scope), on: agent)
      try perform(operation, in: scope, agent, scenario)
    case .reduce(let instance):
      instances[instance].isReduced = true
      react(scenario.actions[instances[instance].action].whenReduced, to: instance, agent)
    case .start(let instance): try start(instance, agent)
    case .firstStep(let instance):
      try checkBegin(of: instance, by: agent, scenario)
      guard scenario.actions[instances[instance].action].isRequest else {
        push(.race(instance, number: 0), on: agent)
        return
      }
      instances[instance].isPending = true
      react(scenario.actions[instances[instance].action].whenPending, to: instance, agent)
    case .began(let instance):
      push(.afterFirstStep(instance), on: agent)
      execute(rules.began(node(instance), by: thread), on: agent)
    case .afterFirstStep(let instance):
      if agents[agent].instance == instance {
        push(.run(instance), on: agent)
      } else {
        startTask(of: instance, with: .proceed(instance))
      }
    case .wake(let instance):
      push(.proceed(instance), on: agent)
      let waited = machine.stillWaits(node(instance))
      execute(rules.woke(node(instance), at: .seconds(now), by: thread), on: agent)
      let action = scenario.actions[instances[instance].action]
      if waited == true { try throttle(action, minimum: 0) }
      if waited == true, action.rules.overlap == .latest { replaceOlder(than: instance) }
      if waited == true, action.rules.overlap == .leading,
        machine[node(instance).index].work.place == .outside
      {
        instances[instance].mustStop = true
      }
    case .proceed(let instance): try proceed(instance, agent)
    case .run(let instance):
      // The first step may have canceled the work.
      if machine[node(instance).index].work.isCancelled {
        push(.returned(instance, isIdle: true), on: agent)
        return
      }
      try checkBegin(of: instance, by: agent, scenario)
      instances[instance].hasBegun = true
      if try perform(instance, agent, scenario) { return }
      push(.finish(instance), on: agent)
      push(
        .operations(scenario.actions[instances[instance].action].operation, scope: node(instance)), on: agent)
    case .attempt, .attemptReturned, .attemptTimedOut, .attemptEnded, .nextAttempt:
      try performAttempt(frame, agent, scenario)
    case .race, .racerDispatched, .raceEnded: try performRace(frame, agent, scenario)
    case .finish(let instance):
      push(.returned(instance, isIdle: false), on: agent)
      guard scenario.actions[instances[instance].action].isRequest else { return }
      guard rules.settled(node(instance), by: thread) else { return }
      if instances[instance].mustStop { throw WorkViolation("canceled work has a result") }
      instances[instance].inFlight += 1
      push(.endDispatch(node(instance)), on: agent)
      push(.result(instance), on: agent)
    case .result(let instance):
      instances[instance].inFlight -= 1
      instances[instance].isSettled = true
      try end(instance, agent, scenario)
    case .returned(let instance, let isIdle):
      instances[instance].hasReturned = true
      execute(rules.returned(node(instance), isIdle: isIdle), on: agent)
    case .leave(let instance): execute(rules.leave(node(instance), by: thread), on: agent)
    case .rejection(let instance):
      if instances[instance].isPending { try end(instance, agent, scenario) }
    case .reported(let instance): execute(rules.reported(node(instance)), on: agent)
    case .emitted(let scope):
      for instance in instances.indices where contains(node: instances[instance].node, scope) {
        instances[instance].inFlight -= 1
        if !instances[instance].isReduced {
          throw WorkViolation("work dispatches before its action is reduced")
        }
      }
    case .endDispatch(let scope): execute(rules.endDispatch(in: scope, by: thread), on: agent)
    case .finishTask(let task): execute(rules.finishTask(task, by: thread), on: agent)
    case .execute(var instructions):
      let instruction = instructions.removeFirst()
      push(.execute(instructions), on: agent)
      try perform(instruction, agent)
    }
  }

  func node(_ instance: Int) -> Node { instances[instance].node! }

  /// Lets observers react to an action of an instance.
  private mutating func react(_ operations: [Operation], to instance: Int, _ agent: Int) {
    push(.operations(operations, scope: instances[instance].scope), on: agent)
  }

  private mutating func end(_ instance: Int, _ agent: Int, _ scenario: WorkScenario) throws(WorkViolation) {
    instances[instance].outcomes += 1
    if instances[instance].outcomes > 1 { throw WorkViolation("a request ends twice") }
    react(scenario.actions[instances[instance].action].whenEnded, to: instance, agent)
  }

  private mutating func startTask(of instance: Int, with frame: Frame, wait: Wait = .none) {
    agents.append(Agent(frames: [frame], wait: wait, instance: instance))
  }

  // MARK: Operations

  private mutating func perform(
    _ operation: Operation, in scope: Node, _ agent: Int, _ scenario: WorkScenario
  ) throws(WorkViolation) {
    let thread = thread(agent)
    switch operation {
    case .dispatch(let action): try arrive(action, in: scope, agent, scenario)
    case .dispatchAsync(let action, let handle):
      let scope = rules.openScope(in: scope)
      handles[handle] = scope
      try arrive(action, in: scope, agent, scenario)
    case .emit:
      guard rules.beginDispatch(in: scope, by: thread) else { return }
      for instance in instances.indices where contains(node: instances[instance].node, scope) {
        if instances[instance].mustStop { throw WorkViolation("canceled work dispatches") }
        instances[instance].inFlight += 1
      }
      if failedAttempts.contains(where: { contains(node: $0, scope) }) {
        throw WorkViolation("a failed attempt dispatches")
      }
      if closedAttempts.contains(scope) { throw WorkViolation("a closed attempt dispatches") }
      if hasEnded { throw WorkViolation("work dispatches after the end of the store") }
      push(.endDispatch(scope), on: agent)
      push(.emitted(scope), on: agent)
    case .spawn(let operations):
      guard let task = rules.startTask(in: scope) else { return }
      if hasEnded { throw WorkViolation("a task starts after the end of the store") }
      if failedAttempts.contains(where: { contains(node: $0, scope) }) {
        throw WorkViolation("a failed attempt starts a task")
      }
      agents.append(Agent(frames: [.finishTask(task)]))
      push(.operations(operations, scope: scope), on: agents.count - 1)
    case .cancelHandle(let handle):
      guard let scope = handles[handle] else { return }
      mustStop { model, instance in model.contains(node: scope, model.instances[instance].node) }
      execute(rules.end(scope, by: thread), on: agent)
    case .cancelLane(let lane):
      mustStop { model, instance in
        model.instances.indices.contains {
          model.instances[$0].lane == lane
            && model.contains(node: model.instances[$0].node, model.instances[instance].node)
            && !model.instances[$0].isCompleted
        }
      }
      execute(rules.cancel(.id(WorkScenario.id(ofLane: lane)), by: thread), on: agent)
    case .cancelEverything:
      mustStop { _, _ in true }
      execute(rules.cancel(.all, by: thread), on: agent)
    case .endStore:
      hasEnded = true
      mustStop { _, _ in true }
      execute(rules.end(machine.root, by: thread), on: agent)
    case .awaitHandle(let handle):
      guard let scope = handles[handle], rules.awaitIdle(scope) else { return }
      agents[agent].wait = .idle(handle: handle)
    }
  }

  private mutating func mustStop(_ isMeant: (WorkModel, Int) -> Bool) {
    for instance in instances.indices where instances[instance].node != nil && isMeant(self, instance) {
      if !instances[instance].hasReturned { instances[instance].mustStop = true }
    }
  }

  mutating func arrive(
    _ action: Int, in scope: Node, _ agent: Int, _ scenario: WorkScenario
  ) throws(WorkViolation) {
    let spec = scenario.actions[action]
    let before = self
    let arrival = rules.arrive(
      WorkScenario.id(ofLane: spec.lane), spec.rules, hasFirstStep: spec.hasFirstStep, in: scope,
      at: .seconds(now), by: thread(agent))
    try before.checkArrival(arrival, of: spec, in: scope)
    let instance = instances.count
    instances.append(Instance(action: action, lane: spec.lane, scope: scope, node: arrival.work))
    if case .waits(let deadline) = arrival.step {
      instances[instance].deadline = Int(deadline.components.seconds)
    }
    if case .debounced(let quiet) = spec.rules.pace {
      instances[instance].earliest = now + Int(quiet.components.seconds)
    }
    if arrival.step == .runs { try throttle(spec, minimum: windows[spec.lane, default: 0]) }
    if arrival.step == .runs, spec.rules.overlap == .latest { replaceOlder(than: instance) }
    if spec.rules.pace != .immediate, arrival.work != nil { replaceWaiting(before: instance, in: before) }
    // The frames are performed from last to first.
    if rules.mistake == .startsBeforeTheReduction { push(.reduce(instance), on: agent) }
    push(.start(instance), on: agent)
    execute(arrival.instructions, on: agent)
    if rules.mistake != .startsBeforeTheReduction { push(.reduce(instance), on: agent) }
  }

  /// Records that a newer piece of work replaces all older work of its lane that does not wait
  /// for its time.
  mutating func replaceOlder(than newer: Int) {
    mustStop { model, instance in
      model.instances[..<newer].indices.contains { older in
        model.instances[older].lane == model.instances[newer].lane && older != newer
          && !model.instances[older].isCompleted
          && model.machine.stillWaits(model.instances[older].node) == false
          && model.contains(node: model.instances[older].node, model.instances[instance].node)
      } && instance != newer
    }
  }

  /// Records that throttled work begins.
  private mutating func throttle(_ action: WorkScenario.Action, minimum: Int) throws(WorkViolation) {
    guard case .throttled(let interval, _) = action.rules.pace else { return }
    if now < minimum { throw WorkViolation("throttled work begins too early") }
    windows[action.lane] = now + Int(interval.components.seconds)
  }

  /// Records that newer work replaces the work that waits for its time.
  private mutating func replaceWaiting(before newer: Int, in before: WorkModel) {
    for index in instances[..<newer].indices where instances[index].lane == instances[newer].lane {
      if before.machine.stillWaits(instances[index].node) == true { instances[index].mustStop = true }
    }
  }

  // MARK: Work

  private mutating func start(_ instance: Int, _ agent: Int) throws(WorkViolation) {
    guard instances[instance].node != nil else { return }
    let wasCancelled = instances[instance].mustStop
    switch rules.reduced(node(instance), by: thread(agent)) {
    case .begins:
      if wasCancelled { throw WorkViolation("canceled work begins") }
      push(.began(instance), on: agent)
      push(.firstStep(instance), on: agent)
    case .runs:
      if wasCancelled { throw WorkViolation("canceled work begins") }
      startTask(of: instance, with: .proceed(instance))
    case .waits:
      if let deadline = instances[instance].deadline {
        startTask(of: instance, with: .wake(instance), wait: .time(deadline, instance: instance))
      } else {
        startTask(of: instance, with: .proceed(instance))
      }
    case .stops: push(.returned(instance, isIdle: true), on: agent)
    }
  }

  private mutating func proceed(_ instance: Int, _ agent: Int) throws(WorkViolation) {
    let wasCancelled = instances[instance].mustStop
    switch rules.proceed(node(instance), by: thread(agent)) {
    case .begins:
      if wasCancelled { throw WorkViolation("canceled work begins") }
      push(.began(instance), on: agent)
      push(.firstStep(instance), on: agent)
    case .runs:
      if wasCancelled { throw WorkViolation("canceled work begins") }
      push(.run(instance), on: agent)
    case .waits:
      agents[agent].wait = .resumption(instance)
      push(.proceed(instance), on: agent)
    case .stops: push(.returned(instance, isIdle: true), on: agent)
    }
  }

  private mutating func perform(_ instruction: Instruction, _ agent: Int) throws(WorkViolation) {
    switch instruction {
    case .cancelTask(let node):
      guard let instance = instance(of: node) else { return }
      instances[instance].isTaskCancelled = true
      // A canceled task does not wait for the outcome of an attempt.
      for waiting in agents.indices where agents[waiting].wait == .outcome(instance) {
        agents[waiting].wait = .none
      }
    case .report(let node):
      guard rules.takeNotice(of: node, by: thread(agent)) != nil, let instance = instance(of: node) else {
        return
      }
      push(.reported(instance), on: agent)
      push(.rejection(instance), on: agent)
    case .resume(let node):
      guard let instance = instance(of: node),
        let waiting = agents.firstIndex(where: { $0.wait == .resumption(instance) })
      else { throw WorkViolation("a task is resumed that does not wait") }
      agents[waiting].wait = .none
    case .resumeIdle(let node):
      for waiting in agents.indices {
        guard case .idle(let handle) = agents[waiting].wait, handles[handle] == node else { continue }
        agents[waiting].wait = .none
      }
      guard let race = instance(of: node) else { return }
      for waiting in agents.indices where agents[waiting].wait == .race(race) { agents[waiting].wait = .none }
    case .resumeAfterDispatches(let node):
      guard let waiting = agents.firstIndex(where: { $0.wait == .dispatches(node) }) else {
        throw WorkViolation("no caller waits until the dispatches in a scope end")
      }
      agents[waiting].wait = .none
    case .complete(let node):
      guard let instance = instance(of: node) else { throw WorkViolation("unknown work is complete") }
      if instances[instance].isCompleted { throw WorkViolation("work is completed twice") }
      instances[instance].isCompleted = true
      try checkCompletion(of: instance)
      push(.leave(instance), on: agent)
    }
  }
}
