/// A mistake that a test plants in the state machine, to show that the exploration finds it.
enum WorkMistake: String, CaseIterable, Hashable, Sendable {
  // Dispatches and tasks
  case dispatchesInEndedScopes
  case startsTasksInEndedScopes
  case startsWorkInEndedScopes
  case forgetsDispatches
  case keepsDispatchers
  case miscountsFinishedTasks
  case forgetsToCountWork
  case waitsForNothing
  case forgetsIdleWaits

  // Cancellation
  case endsOnlyTheScopeItself
  case cancelsOnlyTheWorkItself
  case keepsCanceledWorkActive
  case beginsCanceledWork
  case runsCanceledWork
  case settlesCanceledWork
  case forgetsToResumeCanceledWork
  case reportsTwice
  case reportsDuringTheFirstStep
  case forgetsToReportAfterTheFirstStep
  case leavesTheCancelerInCharge
  case forgetsTheReportingThread
  case forgetsThatTheCancelerReports

  // Policies
  case runsEachLatest
  case runsEachLeading
  case dropsEachLeading
  case runsTheWholeQueue
  case reversesTheQueue
  case forgetsTheQueue
  case keepsWaitingWork
  case forgetsToWake
  case wakesTooEarly
  case forgetsTheWindow
  case putsWorkIntoWorkOfItsLane

  // Attempts and races
  case endsAttemptsTwice
  case continuesAfterTheTimeLimit
  case keepsFailedAttempts
  case dispatchesInClosedAttempts
  case endsClosedAttempts
  case retriesDuringADispatch
  case startsRacersAfterTheEnd
  case decidesNoRace
  case endsRacesEarly

  // Order
  case startsBeforeTheReduction
  case followsNothing
  case forgetsWorkThatBegins
  case forgetsSettledWork
  case forgetsFollowers
  case resumesTwice
  case completesDuringADispatch
  case completesBeforeItsTasks
  case neverCompletes
  case neverLeaves
}
