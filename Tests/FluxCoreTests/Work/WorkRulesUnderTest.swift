@testable import FluxCore

/// The state machine under test, with at most one planted mistake.
struct WorkRulesUnderTest: Hashable {
  typealias Node = WorkStateMachine.NodeID
  typealias Instruction = WorkStateMachine.Instruction
  typealias Instructions = WorkStateMachine.Instructions
  typealias Progress = WorkStateMachine.Progress

  var machine = WorkStateMachine()
  let mistake: WorkMistake?

  init(mistake: WorkMistake?) {
    self.mistake = mistake
  }

  // MARK: Scopes and tasks

  mutating func openScope(in parent: Node) -> Node { machine.openScope(in: parent) }

  mutating func startTask(in scope: Node) -> Node? {
    if mistake == .startsTasksInEndedScopes { machine[scope.index].isEnded = false }
    return machine.startTask(in: scope)
  }

  mutating func finishTask(_ task: Node, by thread: ThreadIdentity) -> Instructions {
    let parent = machine[task.index].parent
    let instructions = machine.finishTask(task, by: thread)
    if mistake == .miscountsFinishedTasks { machine[parent].unfinished += 1 }
    return withoutIdleWaits(instructions)
  }

  private func withoutIdleWaits(_ instructions: Instructions) -> Instructions {
    instructions.without(mistake == .forgetsIdleWaits) { if case .resumeIdle = $0 { true } else { false } }
  }

  mutating func awaitIdle(_ scope: Node) -> Bool {
    machine.awaitIdle(scope) || mistake == .waitsForNothing
  }

  // MARK: Dispatches

  mutating func beginDispatch(in scope: Node, by thread: ThreadIdentity) -> Bool {
    if mistake == .dispatchesInEndedScopes { machine[scope.index].isEnded = false }
    guard machine.beginDispatch(in: scope, by: thread) else { return false }
    if mistake == .forgetsDispatches {
      machine.forEachBelowRoot(from: scope.index) { machine, index in
        machine[index].dispatchers.remove(thread)
      }
    }
    return true
  }

  mutating func endDispatch(in scope: Node, by thread: ThreadIdentity) -> Instructions {
    if mistake == .keepsDispatchers { return Instructions() }
    return withoutFollowers(machine.endDispatch(in: scope, by: thread))
  }

  private func withoutFollowers(_ instructions: Instructions) -> Instructions {
    instructions.without(mistake == .forgetsFollowers) { if case .resume = $0 { true } else { false } }
  }

  // MARK: Work

  mutating func arrive(
    _ id: WorkID, _ rules: WorkRules, hasFirstStep: Bool, in scope: Node, at now: Duration,
    by thread: ThreadIdentity
  ) -> WorkStateMachine.Arrival {
    var rules = rules
    switch (mistake, rules.overlap) {
    case (.runsEachLatest, .latest), (.runsEachLeading, .leading), (.runsTheWholeQueue, .queue):
      rules.overlap = .every
    case (.dropsEachLeading, .leading) where machine.laneOfID[id] == nil:
      // The first work is dropped because of work that does not exist.
      _ = machine.lane(of: id, at: now)
      machine.lanes[Int(machine.laneOfID[id]!)].running += 1
    default: break
    }
    if mistake == .wakesTooEarly, case .debounced = rules.pace { rules.pace = .debounced(.seconds(1)) }
    if mistake == .keepsWaitingWork, let lane = machine.laneOfID[id] {
      machine.lanes[Int(lane)].waiting = WorkStateMachine.none
    }
    if mistake == .startsWorkInEndedScopes { machine[scope.index].isEnded = false }
    var hidden: [Int32] = []
    if mistake == .putsWorkIntoWorkOfItsLane {
      for index in machine.nodes.indices
      where machine.nodes[index].kind == .work && machine.nodes[index].work.stage < .completing {
        hidden.append(Int32(index))
      }
    }
    let stages = hidden.map { machine[$0].work.stage }
    for index in hidden { machine[index].work.stage = .left }
    let arrival = machine.arrive(id, rules, hasFirstStep: hasFirstStep, in: scope, at: now, by: thread)
    for (index, stage) in zip(hidden, stages) where machine[index].work.stage == .left {
      machine[index].work.stage = stage
    }
    let lane = Int(machine.laneOfID[id]!)
    if mistake == .dropsEachLeading, rules.overlap == .leading {
      machine.lanes[lane].running = max(0, machine.lanes[lane].running - 1)
    }
    if mistake == .forgetsTheWindow { machine.lanes[lane].windowEnd = .zero }
    if mistake == .reversesTheQueue { machine.lanes[lane].queue.reverse() }
    if mistake == .forgetsTheQueue { machine.lanes[lane].queue = [] }
    if let work = arrival.work {
      if mistake == .followsNothing { machine.followed[work.index] = nil }
      if mistake == .forgetsToCountWork { machine[machine[work.index].parent].unfinished -= 1 }
    }
    return arrival
  }

  mutating func reduced(_ work: Node, by thread: ThreadIdentity) -> Progress {
    if mistake == .beginsCanceledWork, machine[work.index].work.isCancelled,
      machine[work.index].work.hasFirstStep
    {
      machine[work.index].work.stage = .beginning
      machine.insertDispatcher(thread, in: work.index)
      return .begins
    }
    if mistake == .forgetsWorkThatBegins {
      let machine = machine
      self.machine.followed[work.index]?.removeAll { machine[$0.index].work.stage == .beginning }
    }
    return machine.reduced(work, by: thread)
  }

  mutating func woke(_ work: Node, at now: Duration, by thread: ThreadIdentity) -> Instructions {
    if mistake == .forgetsToWake { return Instructions() }
    return machine.woke(work, at: now, by: thread)
  }

  mutating func proceed(_ work: Node, by thread: ThreadIdentity) -> Progress {
    if mistake == .runsCanceledWork, machine[work.index].work.isCancelled { return .runs }
    return machine.proceed(work, by: thread)
  }

  mutating func began(_ work: Node, by thread: ThreadIdentity) -> Instructions {
    if mistake == .leavesTheCancelerInCharge {
      let reporter = machine[work.index].work.reporter
      machine[work.index].work.reporter = nil
      defer { machine[work.index].work.reporter = reporter }
      return machine.began(work, by: thread)
    }
    return machine.began(work, by: thread)
      .without(mistake == .forgetsToReportAfterTheFirstStep) { if case .report = $0 { true } else { false } }
  }

  mutating func settled(_ work: Node, by thread: ThreadIdentity) -> Bool {
    guard machine.settled(work, by: thread) else {
      guard mistake == .settlesCanceledWork else { return false }
      machine.insertDispatcher(thread, in: work.index)
      return true
    }
    if mistake == .forgetsSettledWork { machine.removeFromDispatching(work.index) }
    return true
  }

  mutating func returned(_ work: Node, isIdle: Bool) -> Instructions {
    let hidden = machine[work.index]
    if mistake == .completesDuringADispatch { machine[work.index].dispatchers = DispatchingThreads() }
    if mistake == .completesBeforeItsTasks { machine[work.index].unfinished = 0 }
    let instructions = machine.returned(work, isIdle: isIdle)
    machine[work.index].dispatchers = hidden.dispatchers
    machine[work.index].unfinished = hidden.unfinished
    return instructions.without(mistake == .neverCompletes) { if case .complete = $0 { true } else { false } }
  }

  mutating func leave(_ work: Node, by thread: ThreadIdentity) -> Instructions {
    if mistake == .neverLeaves { return Instructions() }
    return withoutIdleWaits(machine.leave(work, by: thread))
  }

  // MARK: Attempts and races

  mutating func attemptReturned(_ attempt: Node) -> Bool {
    let counts = machine.attemptReturned(attempt)
    if mistake == .endsAttemptsTwice { machine[attempt.index].isOver = false }
    return counts
  }

  mutating func attemptTimedOut(_ attempt: Node, by thread: ThreadIdentity) -> Instructions? {
    let instructions = machine.attemptTimedOut(attempt, by: thread)
    if mistake == .continuesAfterTheTimeLimit { machine[attempt.index].isEnded = false }
    return instructions
  }

  mutating func attemptFailed(_ attempt: Node, by thread: ThreadIdentity) -> Instructions {
    let instructions = machine.end(attempt, by: thread)
    if mistake == .keepsFailedAttempts { machine[attempt.index].isEnded = false }
    return instructions
  }

  mutating func close(_ attempt: Node) {
    machine.close(attempt)
    if mistake == .dispatchesInClosedAttempts { machine[attempt.index].isClosed = false }
    if mistake == .endsClosedAttempts { machine[attempt.index].isEnded = true }
  }

  mutating func awaitDispatches(_ scope: Node) -> Bool {
    if mistake == .retriesDuringADispatch { return false }
    return machine.awaitDispatches(scope)
  }

  mutating func openRacer(in race: Node) -> Node? {
    if mistake == .startsRacersAfterTheEnd { machine[race.index].isOver = false }
    return machine.openRacer(in: race)
  }

  mutating func racerDispatched(_ racer: Node, by thread: ThreadIdentity) -> Instructions {
    let instructions = machine.racerDispatched(racer, by: thread)
    if mistake == .decidesNoRace { machine[racer.index].isDispatched = false }
    return instructions
  }

  mutating func awaitRace(_ race: Node) -> Bool {
    let waits = machine.awaitRace(race)
    return mistake == .endsRacesEarly ? false : waits
  }

  // MARK: Cancellation

  mutating func takeNotice(of work: Node, by thread: ThreadIdentity) -> String?? {
    let before = machine[work.index].work
    if mistake == .reportsDuringTheFirstStep, before.stage == .beginning {
      machine[work.index].work.stage = .running
      defer { machine[work.index].work.stage = .beginning }
      return machine.takeNotice(of: work, by: thread)
    }
    if mistake == .forgetsTheReportingThread, before.notice == .pending, before.stage != .beginning {
      machine[work.index].work.notice = .taken
      return .some(before.reason)
    }
    let notice = machine.takeNotice(of: work, by: thread)
    if mistake == .reportsTwice, notice != nil { machine[work.index].work.notice = .pending }
    return notice
  }

  mutating func reported(_ work: Node) -> Instructions { withoutFollowers(machine.reported(work)) }

  mutating func end(_ scope: Node, by thread: ThreadIdentity) -> Instructions {
    let before = machine
    let instructions = machine.end(scope, by: thread)
    if mistake == .endsOnlyTheScopeItself {
      machine = before
      machine[scope.index].isEnded = true
      return Instructions()
    }
    return planted(instructions)
  }

  mutating func cancel(_ subject: WorkStateMachine.Subject, by thread: ThreadIdentity) -> Instructions {
    planted(machine.cancel(subject, because: nil, by: thread))
  }

  /// Plants mistakes of cancellations.
  private mutating func planted(_ instructions: Instructions) -> Instructions {
    instructions.forEach { instruction in
      guard case .report(let work) = instruction else { return }
      switch mistake {
      case .cancelsOnlyTheWorkItself:
        var child = machine[work.index].firstChild
        while child != WorkStateMachine.none {
          machine[child].isEnded = false
          child = machine[child].next
        }
      case .keepsCanceledWorkActive: machine.lanes[Int(machine[work.index].work.lane)].running += 1
      case .forgetsThatTheCancelerReports:
        guard let thread = machine[work.index].work.reporter.take() else { return }
        machine.forEachBelowRoot(from: work.index) { machine, index in
          machine[index].dispatchers.remove(thread)
        }
      default: break
      }
    }
    var instructions = instructions.without(mistake == .forgetsToResumeCanceledWork) {
      if case .resume = $0 { true } else { false }
    }
    if mistake == .resumesTwice {
      instructions.forEach { if case .resume = $0 { instructions.append($0) } }
    }
    return instructions
  }
}

extension WorkStateMachine.Instructions {
  /// Returns the instructions without some of them, if a mistake is planted.
  fileprivate func without(
    _ isPlanted: Bool, _ isMeant: (WorkStateMachine.Instruction) -> Bool
  ) -> WorkStateMachine.Instructions {
    guard isPlanted else { return self }
    var others = WorkStateMachine.Instructions()
    forEach { if !isMeant($0) { others.append($0) } }
    return others
  }
}
