import FluxCore

// The contract's rules for every state, for the beginning of a delivery, and for the end of all
// threads.
//
// The rules for a call, a transition, and the finish are checked where the model makes them.

extension DeliveryModel {
  /// Checks the rules that hold in every state.
  func checkState(_ scenario: DeliveryScenario) throws(DeliveryViolation) {
    let machine = rules.machine
    if machine.phase == .idle {
      if isLive && !expectedTransitions.isEmpty {
        throw DeliveryViolation("nobody delivers, and a transition is left")
      }
      if isLive && openBatches == 0 { try checkSeen(on: .anyThread, scenario) }
    }
    let isHeard = expectedTransitions.isEmpty && !isTransitionRunning
    if isLive && openBatches == 0 && isHeard && machine.main.phase == .idle {
      try checkSeen(on: .main, scenario)
    }
  }

  private func checkSeen(on lane: DeliveryLane, _ scenario: DeliveryScenario) throws(DeliveryViolation) {
    let version = version
    for observer in lane == .main ? mainList : list
    where observers[Int(observer)].status == .active && observers[Int(observer)].lastVersion != version {
      throw DeliveryViolation("nobody delivers, and observer \(observer) has not seen version \(version)")
    }
  }

  /// Checks the rules that hold when no thread has a step left.
  func checkQuiet(_ scenario: DeliveryScenario) throws(DeliveryViolation) {
    for (index, thread) in threads.enumerated() {
      guard thread.frames.isEmpty && Int(thread.position) == scenario.programs[index].count else {
        throw DeliveryViolation("thread \(index) cannot go on")
      }
    }
    guard mainTasks == 0 else { throw DeliveryViolation("a task of the main actor is left") }
    guard rules.machine.phase == .idle else {
      throw DeliveryViolation("all is quiet, and the phase is not idle")
    }
    guard rules.machine.main.phase == .idle else {
      throw DeliveryViolation("all is quiet, and the main lane is not idle")
    }
    guard openBatches == 0 && rules.machine.batchDepth == 0 else {
      throw DeliveryViolation("a batch is open")
    }
    guard queuedTransitions.isEmpty && expectedTransitions.isEmpty else {
      throw DeliveryViolation("a transition is left at the end")
    }
    guard observers.allSatisfy({ !$0.isRunning && $0.status != .starting }) else {
      throw DeliveryViolation("an observer is being called, or has not joined, when all is quiet")
    }
    guard isLive != hasFinished else { throw DeliveryViolation("the store has gone without a finish") }
    if isLive {
      try checkSeen(on: .anyThread, scenario)
      try checkSeen(on: .main, scenario)
    }
  }

  /// Checks the conditions for the beginning of a pass.
  func checkPass(_ scenario: DeliveryScenario) throws(DeliveryViolation) {
    guard openBatches == 0 else { throw DeliveryViolation("a pass begins while a batch is open") }
    guard expectedTransitions.isEmpty && !isTransitionRunning else {
      throw DeliveryViolation("a pass of version \(version) begins before its transition was delivered")
    }
  }

  /// Checks that an observer may be selected for a call; the call itself may come after a
  /// cancellation.
  func checkCall(_ observer: UInt8) throws(DeliveryViolation) {
    guard !observers[Int(observer)].isToldToGo else {
      throw DeliveryViolation("observer \(observer) is called after it was cancelled")
    }
  }

  /// Checks that a delivered version is in the store.
  func checkCommitted(_ version: UInt8) throws(DeliveryViolation) {
    guard version <= self.version - lateCommits else {
      throw DeliveryViolation("version \(version) is told of before it is committed")
    }
  }

  /// Checks that a thread may become the deliverer.
  func checkDeliverer(_ thread: Int) throws(DeliveryViolation) {
    for (other, state) in threads.enumerated() {
      for frame in state.frames {
        let delivers =
          switch frame {
          case .pass(let pass): pass.lane == .anyThread
          case .transitions, .finish: true
          case .script, .firstCall, .offer, .lateCommit: false
          }
        guard delivers else { continue }
        throw DeliveryViolation(
          other == thread
            ? "thread \(thread) begins to deliver while it delivers"
            : "thread \(thread) begins to deliver while thread \(other) does")
      }
    }
  }
}
