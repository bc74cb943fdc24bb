import FluxCore

/// The machine under test, or the machine with one planted mistake.
struct DeliveryRules: Hashable {
  /// A planted mistake, of the machine or of the thread that drives it.
  enum Mistake: String, CaseIterable, Hashable, Sendable {
    case forgetsTheSecondPass
    case passesDuringABatch
    case passesToMainDuringABatch
    case forgetsTheFlush
    case letsNestedCommitTakeOver
    case letsForeignCommitTakeOver
    case passesBeforeTransitions
    case passesToMainBeforeTransitions
    case forgetsTransitionsMeanwhile
    case forgetsTransitionsAtTheEnd
    case forgetsTheNewObserverOfTransitions
    case keepsRecordingTransitions
    case passesAfterTheEnd
    case finishesTwice
    case neverFinishes
    case joinsWithoutALook
    case forgetsToReclaim
    case reclaimsWhatWasTaken
    case forgetsToWakeMain
    case wakesMainNoMoreAfterPatience
    case beginsAMainPassInAMainPass
    case passesForAReplacedReducer
    case goesRoundForEver
    case neverStopsPassing
    // Mistakes outside the machine.
    case notifiesBeforeCommit
    case callsWhatWasCancelled
    case keepsTheCancelledInTheList
    case callsWhoseFirstCallIsRunning
    case callsAfterTheEnd
    case forgetsWhatWasSeen
    case passesInAnyOrder
    case deliversTransitionsNewestFirst
  }
  var machine: DeliveryStateMachine
  let mistake: Mistake?
  /// Whether a mistake has postponed a step.
  private var hasPutOff = false

  init(_ scenario: DeliveryScenario, mistake: Mistake?) {
    machine =
      if let patience = scenario.patience {
        DeliveryStateMachine(observesTransitions: scenario.observesTransitions, patience: patience)
      } else {
        DeliveryStateMachine(observesTransitions: scenario.observesTransitions)
      }
    self.mistake = mistake
  }
}

extension DeliveryRules {
  typealias Step = DeliveryStateMachine.Step
  typealias Response = DeliveryStateMachine.Response

  mutating func committed(by thread: ThreadIdentity) -> Response {
    let phase = machine.phase
    var response = machine.committed(by: thread)
    switch (mistake, phase) {
    case (.letsNestedCommitTakeOver, .delivering(by: thread)): response = machine.next()
    case (.letsForeignCommitTakeOver, .delivering(let deliverer)) where deliverer != thread:
      response = machine.next()
    default: break
    }
    return altered(response)
  }

  mutating func next() -> Response {
    if mistake == .passesBeforeTransitions && hasPutOff {
      hasPutOff = false
      return Response(step: .deliverTransitions)
    }
    switch (mistake, machine.phase) {
    case (.goesRoundForEver, .delivering) where machine.isDue:
      // Offers without end, since reclaiming changes nothing.
      return Response(step: .offer)
    case (.forgetsTheSecondPass, _):
      let response = machine.next()
      return response.step == .pass ? machine.next() : altered(response)
    case (.neverStopsPassing, .delivering(let thread)):
      let response = machine.next()
      return response.step == .leave && !machine.concerns.isEmpty ? machine.committed(by: thread) : response
    case (.forgetsTransitionsMeanwhile, _):
      let response = machine.next()
      return response.step == .deliverTransitions ? machine.next() : response
    default: return altered(machine.next())
    }
  }

  mutating func reclaimed(by thread: ThreadIdentity) -> Response {
    switch (mistake, machine.phase) {
    case (.forgetsToReclaim, .offered): Response(step: .leave)
    case (.reclaimsWhatWasTaken, .delivering): machine.next()
    case (.goesRoundForEver, .delivering(by: thread)): next()
    default: altered(machine.reclaimed(by: thread))
    }
  }

  mutating func firstCallReturned(
    seen: UInt64, calls: Int, on lane: DeliveryLane, by thread: ThreadIdentity
  ) -> DeliveryStateMachine.FirstCallOutcome {
    if mistake == .joinsWithoutALook { return .joined(Response(step: .leave)) }
    switch machine.firstCallReturned(seen: seen, calls: calls, on: lane, by: thread) {
    case .again: return .again
    case .joined(let response): return .joined(altered(response))
    }
  }

  mutating func transitionsAreObserved(_ areObserved: Bool) {
    switch (mistake, areObserved) {
    case (.forgetsTheNewObserverOfTransitions, true), (.keepsRecordingTransitions, false): break
    default: machine.transitionsAreObserved(areObserved)
    }
  }

  mutating func batchOpened() {
    if mistake != .passesDuringABatch { machine.batchOpened() }
  }

  mutating func batchClosed(by thread: ThreadIdentity) -> Response {
    if mistake == .passesDuringABatch { return Response(step: .leave) }
    if mistake == .forgetsTheFlush {
      var other = machine
      _ = other.batchClosed(by: thread)
      // The batch closes, but without a pending pass in the machine.
      machine = other
      while machine.next().step != .leave {}
      return Response(step: .leave)
    }
    if mistake == .finishesTwice && hasPutOff { return Response(step: .finish) }
    return altered(machine.batchClosed(by: thread))
  }

  mutating func reducerReplaced(by thread: ThreadIdentity) -> Response {
    guard mistake == .passesForAReplacedReducer, !machine.concerns.isEmpty else {
      return Response(step: .leave)
    }
    return machine.committed(by: thread)
  }

  mutating func ended(by thread: ThreadIdentity) -> Response {
    hasPutOff = mistake == .finishesTwice
    return altered(machine.ended(by: thread))
  }

  mutating func mainPassBegins() -> Bool {
    if mistake == .beginsAMainPassInAMainPass && machine.main.phase == .delivering { return true }
    if mistake == .passesToMainBeforeTransitions && machine.isMainHeldBack && machine.batchDepth == 0 {
      return true
    }
    if mistake == .passesToMainDuringABatch && machine.batchDepth > 0 && machine.main.isDue { return true }
    return machine.mainPassBegins()
  }

  mutating func mainPassEnded() -> MainLane.Outcome {
    let outcome = machine.mainPassEnded()
    return mistake == .wakesMainNoMoreAfterPatience && outcome == .wake ? .leave : outcome
  }

  private mutating func altered(_ response: Response) -> Response {
    var response = response
    response.step = altered(response.step)
    if mistake == .forgetsToWakeMain { response.wakesMain = false }
    return response
  }

  private mutating func altered(_ step: Step) -> Step {
    switch (mistake, step) {
    case (.passesBeforeTransitions, .deliverTransitions) where machine.isDue && machine.batchDepth == 0:
      let second = machine.next().step
      guard second == .pass else { return step }
      hasPutOff = true
      return second
    case (.forgetsTransitionsAtTheEnd, .deliverTransitions):
      var other = machine
      guard other.next().step == .finish else { return step }
      machine = other
      return .finish
    case (.neverFinishes, .finish): return .leave
    case (.passesAfterTheEnd, .finish): return .pass
    default: return step
    }
  }
}
