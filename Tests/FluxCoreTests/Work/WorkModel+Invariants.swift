@testable import FluxCore

extension WorkStateMachine {
  /// Returns whether work waits for its time; `nil` for no work.
  func stillWaits(_ node: NodeID?) -> Bool? {
    node.map { self[$0.index].work.place == .waiting }
  }
}

extension WorkModel {
  /// Returns whether a node contains another node, or is the other node.
  func contains(node outer: Node?, _ inner: Node?) -> Bool {
    guard let outer, let inner else { return false }
    var index = inner.index
    while index != WorkStateMachine.none {
      if index == outer.index { return true }
      index = machine[index].parent
    }
    return false
  }

  // MARK: Events

  func checkArrival(
    _ arrival: WorkStateMachine.Arrival, of spec: WorkScenario.Action, in scope: Node
  ) throws(WorkViolation) {
    let hasEnded = machine.hasEnded(scope)
    if arrival.isRefused {
      if !hasEnded { throw WorkViolation("work is refused by a scope that has not ended") }
      return
    }
    guard spec.rules.pace == .immediate else { return }
    let others = instances.filter {
      $0.lane == spec.lane && $0.node != nil && !$0.mustStop
        && machine[$0.node!.index].work.stage < .completing
    }
    let isBlocked = others.contains { !$0.isSettled || machine[$0.node!.index].work.place == .running }
    if arrival.step == .drops, spec.rules.overlap != .leading || others.isEmpty {
      throw WorkViolation("work is dropped without a reason")
    }
    if spec.rules.overlap == .leading, arrival.step == .runs, isBlocked,
      others.contains(where: { machine[$0.node!.index].work.stage < .settled })
    {
      throw WorkViolation("work runs although other work is leading")
    }
    if spec.rules.overlap == .queue, arrival.step == .runs, !others.isEmpty {
      throw WorkViolation("work runs before its turn")
    }
  }

  /// Checks that work may perform its first step, or its operation.
  func checkBegin(of newer: Int, by agent: Int, _ scenario: WorkScenario) throws(WorkViolation) {
    let rules = scenario.actions[instances[newer].action].rules
    if !instances[newer].isReduced { throw WorkViolation("work begins before its action is reduced") }
    if now < instances[newer].earliest { throw WorkViolation("work begins too early") }
    for older in instances[..<newer] where older.lane == instances[newer].lane && older.node != nil {
      switch rules.overlap {
      case .latest:
        if older.isPending, older.outcomes == 0, !contains(node: older.node, node(newer)),
          !isBeingBegun(newer)
        {
          throw WorkViolation("work begins before older work has ended")
        }
        if older.mustStop, older.inFlight > 0, !contains(node: older.node, node(newer)) {
          throw WorkViolation("work begins while older work dispatches")
        }
      case .leading:
        if older.isPending, older.outcomes == 0, !isBeingBegun(newer) {
          throw WorkViolation("work begins before older work has ended")
        }
      case .queue:
        let neverBegan = older.mustStop && !older.isPending && !older.hasBegun
        if !neverBegan, !older.hasReturned || older.inFlight > 0 {
          throw WorkViolation("work begins before its turn")
        }
      case .every: break
      }
    }
  }

  /// Returns whether work has performed its first step already, so that only its operation begins.
  private func isBeingBegun(_ instance: Int) -> Bool {
    instances[instance].isPending && instances[instance].mustStop
  }

  func checkCompletion(of instance: Int) throws(WorkViolation) {
    if !instances[instance].hasReturned { throw WorkViolation("work is completed before it has returned") }
    if instances[instance].inFlight > 0 { throw WorkViolation("work is completed while it dispatches") }
    if instances[instance].isPending, instances[instance].outcomes == 0 {
      throw WorkViolation("a request is completed without an outcome")
    }
  }

  // MARK: States

  /// Checks that the counts of the tree are right.
  func checkTree() throws(WorkViolation) {
    for index in machine.nodes.indices where machine.nodes[index].kind != .removed {
      let node = machine.nodes[index]
      var child = node.firstChild
      var unfinished: Int32 = 0
      while child != WorkStateMachine.none {
        let below = machine[child]
        unfinished += below.unfinished
        if below.kind == .task || (below.kind == .work && below.work.stage != .left) { unfinished += 1 }
        if node.isEnded, !below.isEnded { throw WorkViolation("a node has not ended within an ended one") }
        child = below.next
      }
      if unfinished != node.unfinished { throw WorkViolation("a node miscounts what is unfinished") }
    }
    for agent in agents {
      guard case .idle(let handle) = agent.wait, let scope = handles[handle] else { continue }
      guard machine[scope.index].unfinished > 0 || agents.contains(where: { $0.isAbout(toResume: scope) })
      else {
        throw WorkViolation("a wait continues although nothing is unfinished")
      }
    }
  }

  /// Checks that nothing is left when nothing can happen anymore.
  func checkEnd(_ scenario: WorkScenario) throws(WorkViolation) {
    for agent in agents where agent.wait != .none { throw WorkViolation("a wait never ends: \(agent.wait)") }
    for instance in instances {
      if instance.node != nil, !instance.isCompleted { throw WorkViolation("work is never completed") }
      if instance.node != nil, !instance.mustStop, !instance.hasBegun {
        throw WorkViolation("work never begins")
      }
      if instance.isPending, instance.outcomes != 1 {
        throw WorkViolation("a request has \(instance.outcomes) outcomes")
      }
    }
    if machine.unfinished(in: machine.root) != 0 { throw WorkViolation("the store has unfinished work") }
    for node in machine.nodes where !node.dispatchers.isEmpty {
      throw WorkViolation("a thread still counts as dispatching")
    }
    for lane in machine.lanes
    where !lane.isIdle(at: .seconds(1_000)) || lane.queued + lane.running + lane.settled != 0 {
      throw WorkViolation("a lane is not idle")
    }
    if !machine.followed.isEmpty || !machine.followers.isEmpty {
      throw WorkViolation("work still follows other work")
    }
  }
}

extension WorkModel.Agent {
  /// Returns whether the agent has the instruction to resume the callers that wait for a scope.
  func isAbout(toResume scope: WorkModel.Node) -> Bool {
    frames.contains { frame in
      if case .execute(let instructions) = frame { instructions.contains(.resumeIdle(scope)) } else { false }
    }
  }
}
