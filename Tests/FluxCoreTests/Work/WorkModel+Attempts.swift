@testable import FluxCore

// The steps of attempts and of races.

extension WorkModel {
  /// Begins the operation of work with several attempts, or of a race.
  ///
  /// - Returns: `false` if the work has only one attempt.
  mutating func perform(
    _ instance: Int, _ agent: Int, _ scenario: WorkScenario
  ) throws(WorkViolation) -> Bool {
    let action = scenario.actions[instances[instance].action]
    if !action.racers.isEmpty {
      push(.raceEnded(instance), on: agent)
      if rules.awaitRace(node(instance)) { agents[agent].wait = .race(instance) }
      return true
    }
    guard action.mayEndAttempts else { return false }
    push(.attempt(instance, number: 1), on: agent)
    return true
  }

  mutating func performAttempt(
    _ frame: Frame, _ agent: Int, _ scenario: WorkScenario
  ) throws(WorkViolation) {
    let thread = thread(agent)
    switch frame {
    case .attempt(let instance, let number):
      let action = scenario.actions[instances[instance].action]
      if instances[instance].isTaskCancelled {
        push(.returned(instance, isIdle: false), on: agent)
        return
      }
      let scope = rules.openScope(in: node(instance))
      instances[instance].attemptFails = nil
      agents.append(Agent(frames: [.attemptReturned(instance, number: number, scope)]))
      push(.operations(action.operation, scope: scope), on: agents.count - 1)
      if let limit = action.timeLimit {
        agents.append(
          Agent(
            frames: [.attemptTimedOut(instance, scope)], wait: .time(now + limit, instance: instance)))
      }
      push(.attemptEnded(instance, number: number, scope), on: agent)
      agents[agent].wait = .outcome(instance)
    case .attemptReturned(let instance, let number, let scope):
      guard rules.attemptReturned(scope) else { return }
      let action = scenario.actions[instances[instance].action]
      try endAttempt(of: instance, fails: number < action.attempts || action.lastAttemptFails)
    case .attemptTimedOut(let instance, let scope):
      guard let instructions = rules.attemptTimedOut(scope, by: thread) else { return }
      failedAttempts.append(scope)
      execute(instructions, on: agent)
      try endAttempt(of: instance, fails: true)
    case .attemptEnded(let instance, let number, let scope):
      guard let fails = instances[instance].attemptFails else {
        push(.returned(instance, isIdle: false), on: agent)
        return
      }
      if fails {
        closedAttempts.append(scope)
        rules.close(scope)
      }
      guard fails, number < scenario.actions[instances[instance].action].attempts else {
        push(.finish(instance), on: agent)
        return
      }
      failedAttempts.append(scope)
      push(.nextAttempt(instance, number: number + 1, scope), on: agent)
      execute(rules.attemptFailed(scope, by: thread), on: agent)
    case .nextAttempt(let instance, let number, let scope):
      if rules.awaitDispatches(scope) {
        agents[agent].wait = .dispatches(scope)
        push(.nextAttempt(instance, number: number, scope), on: agent)
        return
      }
      if instances[instance].inFlight > 0 {
        throw WorkViolation("an attempt begins while the previous one dispatches")
      }
      push(.attempt(instance, number: number), on: agent)
    default: break
    }
  }

  private mutating func endAttempt(of instance: Int, fails: Bool) throws(WorkViolation) {
    if instances[instance].attemptFails != nil { throw WorkViolation("an attempt ends twice") }
    instances[instance].attemptFails = fails
    for waiting in agents.indices where agents[waiting].wait == .outcome(instance) {
      agents[waiting].wait = .none
    }
  }

  mutating func performRace(
    _ frame: Frame, _ agent: Int, _ scenario: WorkScenario
  ) throws(WorkViolation) {
    switch frame {
    case .race(let instance, let number):
      let racers = scenario.actions[instances[instance].action].racers
      guard number < racers.count, let scope = rules.openRacer(in: node(instance)) else { return }
      instances[instance].racers.append(scope)
      push(.racerDispatched(instance, number: number, scope), on: agent)
      try arrive(racers[number], in: scope, agent, scenario)
    case .racerDispatched(let instance, let number, let scope):
      push(.race(instance, number: number + 1), on: agent)
      execute(rules.racerDispatched(scope, by: thread(agent)), on: agent)
    case .raceEnded(let instance):
      try checkRace(instance)
      push(.returned(instance, isIdle: false), on: agent)
    default: break
    }
  }

  /// Returns whether a racer is done and has done something.
  private func hasWon(_ racer: Node) -> Bool {
    machine.unfinished(in: racer) == 0 && machine.isProductive(racer) && !machine.hasEnded(racer)
  }

  /// Records that the work of the racers that have lost is canceled.
  mutating func markLosers(of instance: Int) {
    let racers = instances[instance].racers
    guard racers.contains(where: { machine[$0.index].isDispatched && hasWon($0) }) else { return }
    for racer in racers where !hasWon(racer) {
      for other in instances.indices
      where contains(node: racer, instances[other].node) && !instances[other].hasReturned {
        instances[other].mustStop = true
      }
    }
  }

  private func checkRace(_ instance: Int) throws(WorkViolation) {
    if instances[instance].mustStop { return }
    let racers = instances[instance].racers
    let winners = racers.count { hasWon($0) }
    if winners > 1 { throw WorkViolation("a race has \(winners) winners") }
    if winners == 0, racers.contains(where: { machine.unfinished(in: $0) > 0 }) {
      throw WorkViolation("a race ends without a winner while work is running")
    }
    if winners == 1, racers.contains(where: { !hasWon($0) && !machine.hasEnded($0) }) {
      throw WorkViolation("a race ends without canceling the other work")
    }
  }
}
