/// The scenario in which the exploration finds each planted mistake, and the words with which it
/// reports the mistake.
enum WorkMistakeSymptoms {
  static func symptom(of mistake: WorkMistake) -> (scenario: String, words: String) {
    switch mistake {
    case .dispatchesInEndedScopes: ("the end of the store", "canceled work dispatches")
    case .startsTasksInEndedScopes:
      ("a dispatch that is awaited and canceled", "a node has not ended within an ended one")
    case .endsOnlyTheScopeItself: ("the end of the store", "a node has not ended within an ended one")
    case .cancelsOnlyTheWorkItself:
      ("a dispatch that is awaited and canceled", "a node has not ended within an ended one")
    case .endsClosedAttempts:
      (
        "a task whose only attempt fails, and which has started a task and work",
        "a node has not ended within an ended one"
      )
    case .startsWorkInEndedScopes: ("the end of the store", "work dispatches after the end of the store")
    case .forgetsDispatches:
      ("the latest task replaces a task that dispatches", "work begins while older work dispatches")
    case .keepsDispatchers: ("a request that is canceled with its dispatch", "work is never completed")
    case .neverCompletes: ("an observer of the action cancels its work", "work is never completed")
    case .miscountsFinishedTasks:
      ("work that is retried, and whose task starts a task", "a node miscounts what is unfinished")
    case .forgetsToCountWork: ("two requests run concurrently", "a node miscounts what is unfinished")
    case .waitsForNothing:
      ("a dispatch that is awaited and canceled", "a wait continues although nothing is unfinished")
    case .forgetsIdleWaits:
      ("a dispatch that is awaited and canceled", "a wait continues although nothing is unfinished")
    case .keepsCanceledWorkActive:
      ("a leading request, twice by one thread", "work is dropped without a reason")
    case .dropsEachLeading: ("a leading request", "work is dropped without a reason")
    case .beginsCanceledWork: ("an observer of the action cancels its work", "canceled work begins")
    case .runsCanceledWork:
      ("an observer of the pending event replaces the request", "canceled work begins")
    case .keepsWaitingWork: ("debounced work", "canceled work begins")
    case .startsRacersAfterTheEnd: ("a race with work that is dropped", "canceled work begins")
    case .settlesCanceledWork: ("the end of the store", "canceled work has a result")
    case .forgetsToResumeCanceledWork:
      ("an observer of the rejection sends a request", "a wait never ends: resumption(1)")
    case .forgetsToReportAfterTheFirstStep:
      ("an observer of the pending event replaces the request", "a wait never ends: resumption(1)")
    case .forgetsTheQueue: ("a queue", "a wait never ends: resumption(1)")
    case .forgetsFollowers:
      ("an observer of the pending event replaces the request", "a wait never ends: resumption(1)")
    case .reportsTwice: ("the end of the store", "a request ends twice")
    case .reportsDuringTheFirstStep:
      ("the end of the store", "a request is completed without an outcome")
    case .putsWorkIntoWorkOfItsLane:
      ("the latest request replaces the older one", "a request is completed without an outcome")
    case .completesDuringADispatch: ("the end of the store", "a request is completed without an outcome")
    case .leavesTheCancelerInCharge:
      ("the latest request replaces the older one", "work begins before older work has ended")
    case .forgetsTheReportingThread:
      ("a leading request, twice by one thread", "work begins before older work has ended")
    case .runsEachLatest:
      ("an observer of the pending event replaces the request", "work begins before older work has ended")
    case .followsNothing:
      ("an observer of the pending event replaces the request", "work begins before older work has ended")
    case .forgetsWorkThatBegins:
      ("an observer of the pending event replaces the request", "work begins before older work has ended")
    case .forgetsSettledWork:
      ("a leading request, twice by one thread", "work begins before older work has ended")
    case .startsBeforeTheReduction:
      ("a thread replaces its request", "work begins before its action is reduced")
    case .forgetsThatTheCancelerReports:
      ("an observer of the action cancels its work", "a lane is not idle")
    case .runsEachLeading: ("a leading request", "work runs although other work is leading")
    case .runsTheWholeQueue: ("a queue", "work runs before its turn")
    case .reversesTheQueue: ("a queue of three", "work begins before its turn")
    case .forgetsToWake: ("debounced latest work that is canceled", "work never begins")
    case .wakesTooEarly: ("debounced latest work that is canceled", "work begins too early")
    case .forgetsTheWindow: ("throttled work", "throttled work begins too early")
    case .endsAttemptsTwice: ("a request with a time limit, which is canceled", "an attempt ends twice")
    case .continuesAfterTheTimeLimit:
      ("a retried request with a time limit", "a failed attempt dispatches")
    case .keepsFailedAttempts:
      ("work that is retried, and whose task starts a task", "a failed attempt starts a task")
    case .dispatchesInClosedAttempts:
      (
        "a task whose only attempt fails, and which has started a task and work",
        "a closed attempt dispatches"
      )
    case .retriesDuringADispatch:
      ("work that is retried", "an attempt begins while the previous one dispatches")
    case .decidesNoRace: ("a race with work that is dropped", "a race has 2 winners")
    case .endsRacesEarly:
      ("a race with work that is dropped", "a race ends without a winner while work is running")
    case .resumesTwice:
      ("an observer of the rejection sends a request", "a task is resumed that does not wait")
    case .completesBeforeItsTasks:
      ("a queue that waits for a task of its first work", "work is completed while it dispatches")
    case .neverLeaves: ("an observer of the action cancels its work", "the store has unfinished work")
    }
  }
}
