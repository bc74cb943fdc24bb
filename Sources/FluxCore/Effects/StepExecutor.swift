/// An executor that performs the steps of tasks for a test, and receives the events that affect
/// later steps.
///
/// A test sets the executor with ``Timeline/ofTest``. The executor of the system receives no
/// events.
@usableFromInline
package protocol StepExecutor: TaskExecutor {
  /// Receives the end of the task whose step the executor performs.
  func taskEnds()

  /// Reports that the present step reads the state of a store.
  func stepReadsState()

  /// Reports that the present step keeps the state of a store for a context, which may never read
  /// it.
  func stepKeepsState()

  /// Reports that the present step reads the state that a context keeps.
  func stepReadsKeptState()

  /// Reports that an object keeps actions or earlier states, on which later steps can depend.
  func historyIsKept()

  /// Reports that a store is created.
  func storeIsCreated()
}

// An executor that only performs steps ignores the events.
extension StepExecutor {
  package func taskEnds() {}
  package func stepReadsState() {}
  package func stepKeepsState() {}
  package func stepReadsKeptState() {}
  package func historyIsKept() {}
  package func storeIsCreated() {}
}

extension Timeline {
  /// The executor of the running test, or `nil` if no test controls every step.
  @usableFromInline static var executorOfTest: (any StepExecutor)? { ofTest?.executor }

  /// Reports to the running test that an object keeps actions or earlier states.
  package static func keepsHistory() {
    executorOfTest?.historyIsKept()
  }
}
