import FluxCore
import Testing

/// Shows that the exploration detects mistakes: each test plants one mistake, which has to be
/// found.
@Suite("Delivery, with a planted mistake")
struct DeliveryInterleavingMistakeTests {
  @Test("each planted mistake is found, and reported by its name", arguments: DeliveryRules.Mistake.allCases)
  func isFound(mistake: DeliveryRules.Mistake) throws {
    let (scenario, words) = Self.symptom(of: mistake)
    let exploration = DeliveryExploration(of: scenario, mistake: mistake)
    let finding = try #require(exploration.finding, "not found in \(exploration.states) states")
    #expect(finding.violation.text.contains(words), "found, but as: \(finding)")
  }

  /// The scenario that reveals a mistake, and the message.
  private static func symptom(of mistake: DeliveryRules.Mistake) -> (DeliveryScenario, String) {
    switch mistake {
    case .forgetsTheSecondPass: (.dispatches, "has not seen version")
    case .passesDuringABatch: (.batches, "a pass begins while a batch is open")
    case .passesToMainDuringABatch: (.mainActorAndBatches, "a pass begins while a batch is open")
    case .forgetsTheFlush: (.batches, "has not seen version")
    case .letsNestedCommitTakeOver: (.nestedDispatches, "begins to deliver while it delivers")
    case .letsForeignCommitTakeOver: (.dispatches, "begins to deliver while thread")
    case .passesBeforeTransitions: (.transitions, "begins before its transition was delivered")
    case .passesToMainBeforeTransitions:
      (.mainActorAndTransitions, "begins before its transition was delivered")
    case .forgetsTransitionsMeanwhile: (.transitionsAlone, "nobody delivers, and a transition is left")
    case .passesAfterTheEnd: (.ending, "a pass begins after the end")
    case .forgetsTransitionsAtTheEnd: (.ending, "the store ends before a transition")
    case .forgetsTheNewObserverOfTransitions:
      (.transitionObserversThatJoin, "begins before its transition was delivered")
    case .keepsRecordingTransitions: (.transitionObserversThatJoin, "is delivered after transition")
    case .finishesTwice: (.ending, "the store finishes twice")
    case .neverFinishes: (.ending, "the store has gone without a finish")
    case .joinsWithoutALook: (.subscribing, "has not seen version")
    case .forgetsToReclaim: (.handingOver, "the phase is not idle")
    case .reclaimsWhatWasTaken: (.handingOver, "nobody delivers, and observer")
    case .forgetsToWakeMain: (.mainActor, "the main lane is not idle")
    case .wakesMainNoMoreAfterPatience: (.mainActorNested, "the main lane is not idle")
    case .beginsAMainPassInAMainPass: (.mainActorNested, "a main pass begins in a main pass")
    case .passesForAReplacedReducer: (.dispatches, "an event is told for a replaced reducer")
    case .goesRoundForEver: (.dispatches, "the threads can go round for ever")
    case .neverStopsPassing: (.dispatches, "the threads go on for more than")
    case .notifiesBeforeCommit: (.dispatches, "is told of before it is committed")
    case .callsWhatWasCancelled: (.cancelling, "is called after it was cancelled")
    case .keepsTheCancelledInTheList: (.cancellingAgainstALook, "is called after it was cancelled")
    case .callsWhoseFirstCallIsRunning: (.subscribing, "is called twice at once")
    case .callsAfterTheEnd: (.ending, "is called after it was cancelled")
    case .forgetsWhatWasSeen: (.subscribing, "is called with version")
    case .passesInAnyOrder: (.subscribing, "is called after observer")
    case .deliversTransitionsNewestFirst: (.transitions, "is delivered after transition")
    }
  }
}

/// Shows that the exploration itself visits the right states.
@Suite("The exploration of interleavings")
struct DeliveryInterleavingExplorationTests {
  @Test("threads that do not interact make as many states as there are combinations of their positions")
  func countsStates() {
    let scenario = DeliveryScenario(
      title: "nobody hears",
      programs: [[.dispatch, .dispatch], [.dispatch, .dispatch], [.dispatch, .dispatch]])
    let exploration = DeliveryExploration(of: scenario)
    // Each of three threads is at one of three positions, and each of its two steps can be made in
    // nine states.
    #expect(exploration.states == 27)
    #expect(exploration.transitions == 3 * 2 * 9)
    #expect(exploration.ends == 1)
  }

  @Test("a finding lists every step that leads to it")
  func tellsThePath() throws {
    let scenario = DeliveryScenario(
      title: "one thread in a batch", programs: [[.openBatch, .dispatch, .closeBatch]], observers: [.init()])
    let exploration = DeliveryExploration(of: scenario, mistake: .passesDuringABatch)
    #expect(
      try #require(exploration.finding).description == """
        a pass begins while a batch is open:
          1. thread 0 does openBatch (version 0, idle)
          2. thread 0 does dispatch (version 1, thread 0 delivers) <- here
        """)
  }

  @Test("the same exploration finds the same path again")
  func isDeterministic() throws {
    let explorations = (0..<2).map { _ in
      DeliveryExploration(of: .dispatches, mistake: .letsForeignCommitTakeOver)
    }
    #expect(try #require(explorations[0].finding).path == #require(explorations[1].finding).path)
    #expect(explorations[0].states == explorations[1].states)
  }
}
