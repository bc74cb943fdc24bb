import Synchronization

/// An executor that performs the steps of tasks for a test, and receives the events that affect
/// later steps.
///
/// A test sets the executor with ``Timeline/ofTest``. The executor of the system receives no
/// events.
@usableFromInline
package protocol StepExecutor: TaskExecutor {
  /// Reports that the present step is the first step of work or of an attempt.
  ///
  /// If the work is canceled before, the step does not run code of the user.
  func workBegins()

  /// Receives the end of the task whose step the executor performs.
  func taskEnds()

  /// Reports that the present step changes something that other steps can observe, or observes
  /// something that other steps can change.
  ///
  /// An executor does not receive this event for dispatches, and for events that it receives
  /// anyway.
  func stepAffectsOthers()

  /// Reports that the order of the ends of work is observed, for example by a caller that waits
  /// until work has ended.
  func endsAreObserved()

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
  func storeIsCreated(with effects: EffectScope)
}

// An executor that only performs steps ignores the events.
extension StepExecutor {
  package func workBegins() {}
  package func taskEnds() {}
  package func stepAffectsOthers() {}
  package func endsAreObserved() {}
  package func stepReadsState() {}
  package func stepKeepsState() {}
  package func stepReadsKeptState() {}
  package func historyIsKept() {}
  package func storeIsCreated(with effects: EffectScope) {}
}

extension Timeline {
  /// The executor of the running test, or `nil` if no test controls every step.
  @usableFromInline package static var executorOfTest: (any StepExecutor)? {
    // A read of a task-local value takes about 120 instructions.
    hasExecutors.load(ordering: .relaxed) ? ofTest?.executor : nil
  }

  /// Reports to the running test that the present step affects other steps.
  package static func stepAffectsOthers() {
    executorOfTest?.stepAffectsOthers()
  }

  /// Reports to the running test that the order of the ends of work is observed.
  package static func endsAreObserved() {
    executorOfTest?.endsAreObserved()
  }

  /// Reports to the running test that an object keeps actions or earlier states.
  package static func keepsHistory() {
    executorOfTest?.historyIsKept()
  }
}
