/// The words with which the exploration reports each planted mistake.
enum WorkMistakeSymptoms {
  static func words(of mistake: WorkMistake) -> String {
    switch mistake {
    case .dispatchesInEndedScopes:
      "canceled work dispatches"
    case .startsTasksInEndedScopes, .endsOnlyTheScopeItself, .cancelsOnlyTheWorkItself, .endsClosedAttempts:
      "a node has not ended within an ended one"
    case .startsWorkInEndedScopes:
      "work dispatches after the end of the store"
    case .forgetsDispatches:
      "work begins while older work dispatches"
    case .keepsDispatchers, .neverCompletes:
      "work is never completed"
    case .miscountsFinishedTasks, .forgetsToCountWork:
      "a node miscounts what is unfinished"
    case .waitsForNothing, .forgetsIdleWaits:
      "a wait continues although nothing is unfinished"
    case .keepsCanceledWorkActive, .dropsEachLeading:
      "work is dropped without a reason"
    case .beginsCanceledWork, .runsCanceledWork, .keepsWaitingWork, .startsRacersAfterTheEnd:
      "canceled work begins"
    case .settlesCanceledWork:
      "canceled work has a result"
    case .forgetsToResumeCanceledWork, .forgetsToReportAfterTheFirstStep, .forgetsTheQueue, .forgetsFollowers:
      "a wait never ends: resumption(1)"
    case .reportsTwice:
      "a request ends twice"
    case .reportsDuringTheFirstStep, .putsWorkIntoWorkOfItsLane, .completesDuringADispatch:
      "a request is completed without an outcome"
    case .leavesTheCancelerInCharge, .forgetsTheReportingThread, .runsEachLatest, .followsNothing,
      .forgetsWorkThatBegins, .forgetsSettledWork:
      "work begins before older work has ended"
    case .startsBeforeTheReduction:
      "work begins before its action is reduced"
    case .forgetsThatTheCancelerReports:
      "a lane is not idle"
    case .runsEachLeading:
      "work runs although other work is leading"
    case .runsTheWholeQueue:
      "work runs before its turn"
    case .reversesTheQueue:
      "work begins before its turn"
    case .forgetsToWake:
      "work never begins"
    case .wakesTooEarly:
      "work begins too early"
    case .forgetsTheWindow:
      "throttled work begins too early"
    case .endsAttemptsTwice:
      "an attempt ends twice"
    case .continuesAfterTheTimeLimit:
      "a failed attempt dispatches"
    case .keepsFailedAttempts:
      "a failed attempt starts a task"
    case .dispatchesInClosedAttempts:
      "a closed attempt dispatches"
    case .retriesDuringADispatch:
      "an attempt begins while the previous one dispatches"
    case .decidesNoRace:
      "a race has 2 winners"
    case .endsRacesEarly:
      "a race ends without a winner while work is running"
    case .resumesTwice:
      "a task is resumed that does not wait"
    case .completesBeforeItsTasks:
      "work is completed while it dispatches"
    case .neverLeaves:
      "the store has unfinished work"
    }
  }
}
