/// The delivery rules of the ``Store`` contract, which determine which thread delivers, what the
/// thread delivers, and when.
///
/// The state machine is a pure value without locks, tasks, closures, or user state. Each method
/// represents an event that a thread reports under the store's lock. The method returns the
/// step that the thread executes outside the lock. Therefore, a test can explore every
/// interleaving of several threads without running any threads.
///
/// One thread at a time is the *deliverer*. The deliverer delivers the queued transitions, and
/// then delivers the newest snapshot to all observers in a pass. The deliverer continues while
/// there is a newer version. A thread that commits while another thread is the deliverer does not
/// deliver. Because the results of nested dispatches are delivered in a loop, nested dispatches
/// do not make the stack grow. Deliveries to observers on the main actor are separate, and follow
/// the same rules.
@usableFromInline
package struct DeliveryStateMachine: Hashable, Sendable {
  /// The next step that a thread executes outside the lock.
  @frozen @usableFromInline
  package enum Step: Hashable, Sendable {
    /// Return, because this thread has nothing more to deliver.
    case leave
    /// Take and deliver the queued transitions, and then request the next step.
    case deliverTransitions
    /// Deliver the newest snapshot to the observers, and then request the next step.
    case pass
    /// Yield outside the lock so that another dispatching thread can take over, and then
    /// reclaim the delivery.
    case offer
    /// Release the store's remaining values, because nothing is left to deliver.
    case finish
  }

  /// The response to an event: the next step of the thread, and whether the thread must start a
  /// delivery on the main actor.
  @frozen @usableFromInline
  package struct Response: Hashable, Sendable {
    @usableFromInline package var step: Step
    @usableFromInline package var wakesMain: Bool

    @inlinable
    package init(step: Step, wakesMain: Bool = false) {
      self.step = step
      self.wakesMain = wakesMain
    }
  }

  /// The current state of the delivery.
  @frozen @usableFromInline
  package enum Phase: Hashable, Sendable {
    case idle
    case delivering(by: ThreadIdentity)
    /// The deliverer is outside the lock, and will reclaim the delivery unless another
    /// dispatching thread takes over first.
    case offered
  }

  private enum End: Hashable, Sendable {
    case ahead
    case told
    case finished
  }

  /// The kinds of observers that a commit must notify.
  ///
  /// If the set is empty, a commit only changes the state.
  @frozen @usableFromInline
  package struct Concerns: OptionSet, Hashable, Sendable {
    @usableFromInline package let rawValue: UInt8

    @inlinable
    package init(rawValue: UInt8) {
      self.rawValue = rawValue
    }

    @inlinable package static var observers: Concerns { Concerns(rawValue: 1) }
    @inlinable package static var mainObservers: Concerns { Concerns(rawValue: 2) }
    @inlinable package static var transitions: Concerns { Concerns(rawValue: 4) }
  }

  /// The number of delivery rounds after which a deliverer offers to hand over the delivery.
  ///
  /// After a thread has called its new observer this many times, passes call the observer with
  /// the versions that other threads commit.
  @usableFromInline let patience: Int

  /// The version of the newest committed state.
  @usableFromInline package internal(set) var version: UInt64 = 0
  @usableFromInline package private(set) var concerns: Concerns = []
  @usableFromInline package private(set) var phase: Phase = .idle
  /// A Boolean value that indicates whether the newest version must still be delivered to
  /// observers.
  @usableFromInline package private(set) var isDue = false
  @usableFromInline package private(set) var batchDepth = 0
  package private(set) var observerCount = 0

  private var hasQueuedTransitions = false
  /// A Boolean value that indicates whether the deliverer is delivering transitions.
  private var isDeliveringTransitions = false
  private var lastCommitter: ThreadIdentity?
  /// The number of times that the deliverer has run a pass or delivered transitions.
  private var rounds = 0
  /// A Boolean value that indicates whether another thread has committed since the deliverer
  /// began to deliver.
  private var hasForeignCommit = false
  private var end = End.ahead
  @usableFromInline package internal(set) var main = MainLane()

  @usableFromInline
  package init(observesTransitions: Bool, patience: Int = 16) {
    self.patience = patience
    if observesTransitions { concerns.insert(.transitions) }
  }
}

// MARK: - Commits and the deliverer's steps

extension DeliveryStateMachine {
  /// Records that an action was reduced while ``concerns`` was empty, and that the action
  /// produced the next version.
  @inlinable
  package mutating func committedUnobserved() {
    version &+= 1
  }

  /// Records that this thread has reduced an action and produced the next version.
  @usableFromInline
  package mutating func committed(by thread: ThreadIdentity) -> Response {
    version &+= 1
    lastCommitter = thread
    if concerns.contains(.transitions) { hasQueuedTransitions = true }
    if concerns.contains(.observers) { isDue = true }
    if concerns.contains(.mainObservers) { main.isDue = true }
    return respond(by: thread)
  }

  /// Records that the deliverer has executed its current step, and returns the next step.
  @usableFromInline
  package mutating func next() -> Response {
    isDeliveringTransitions = false
    let step = nextStep()
    return Response(step: step, wakesMain: main.wake(isHeldBack: isMainHeldBack))
  }

  /// Records that the thread that offered to hand over the delivery has acquired the lock again.
  ///
  /// If no other thread took over, the thread continues to deliver, and offers to hand over
  /// again after the next commit by another thread.
  @usableFromInline
  package mutating func reclaimed(by thread: ThreadIdentity) -> Response {
    guard phase == .offered else { return Response(step: .leave) }
    phase = .delivering(by: thread)
    hasForeignCommit = false
    return Response(step: nextStep(), wakesMain: main.wake(isHeldBack: isMainHeldBack))
  }

  private mutating func nextStep() -> Step {
    if hasQueuedTransitions {
      guard !isImpatient else { return offer() }
      rounds += 1
      hasQueuedTransitions = false
      isDeliveringTransitions = true
      return .deliverTransitions
    }
    if end == .told {
      phase = .idle
      end = .finished
      return .finish
    }
    guard isPassDue else {
      phase = .idle
      return .leave
    }
    guard !isImpatient else { return offer() }
    rounds += 1
    isDue = false
    return .pass
  }

  private var isImpatient: Bool { rounds >= patience && hasForeignCommit }

  private mutating func offer() -> Step {
    phase = .offered
    return .offer
  }

  private var isPassDue: Bool { isDue && concerns.contains(.observers) && batchDepth == 0 }

  /// A Boolean value that indicates whether passes on the main actor must wait.
  ///
  /// Passes on the main actor cannot begin while a batch is open, or before all plug-ins have
  /// received the newest version.
  package var isMainHeldBack: Bool { batchDepth > 0 || hasQueuedTransitions || isDeliveringTransitions }

  private mutating func respond(by thread: ThreadIdentity) -> Response {
    var step = Step.leave
    switch phase {
    case .idle, .offered:
      if hasQueuedTransitions || isPassDue || end == .told { step = takeOver(by: thread) }
    case .delivering(let deliverer):
      if deliverer != thread { hasForeignCommit = true }
    }
    return Response(step: step, wakesMain: main.wake(isHeldBack: isMainHeldBack))
  }

  private mutating func takeOver(by thread: ThreadIdentity) -> Step {
    phase = .delivering(by: thread)
    rounds = 0
    hasForeignCommit = false
    return nextStep()
  }
}

// MARK: - Observers

extension DeliveryStateMachine {
  /// The next step of the subscriber after its new observer has returned from a call.
  @frozen @usableFromInline
  package enum FirstCallOutcome: Hashable, Sendable {
    /// Call the observer again, because a newer version was committed during the call.
    case again
    /// Return, because passes include the observer from now on.
    case joined(Response)
  }

  /// Records that an observer was added.
  ///
  /// Passes skip the observer until ``Observer/join(seen:)`` is called.
  @usableFromInline
  package mutating func observerAdded(on lane: DeliveryLane) {
    switch lane {
    case .anyThread:
      observerCount += 1
      concerns.insert(.observers)
    case .main:
      main.observerCount += 1
      concerns.insert(.mainObservers)
    }
  }

  /// Records that an observer was canceled.
  @usableFromInline
  package mutating func observerRemoved(from lane: DeliveryLane) {
    switch lane {
    case .anyThread:
      observerCount -= 1
      if observerCount == 0 { concerns.remove(.observers) }
    case .main:
      main.observerCount -= 1
      if main.observerCount == 0 { concerns.remove(.mainObservers) }
    }
  }

  /// Records whether an object observes transitions from now on.
  ///
  /// Transitions that are in the queue are still delivered.
  @usableFromInline
  package mutating func transitionsAreObserved(_ areObserved: Bool) {
    if areObserved { concerns.insert(.transitions) } else { concerns.remove(.transitions) }
  }

  /// Records that a new observer has returned from a call, and returns the subscriber's next
  /// step.
  ///
  /// If a batch is open, passes include the observer even if the observer has not received the
  /// newest version. The newest version is delivered when the batch closes. Passes also include
  /// the observer if the subscriber has called the observer `patience` times and another thread
  /// committed the newest version. The next pass then delivers the newest version to the
  /// observer.
  ///
  /// - Parameters:
  ///   - seen: The version that the observer was called with.
  ///   - calls: The number of times that the subscriber has called the observer.
  ///   - lane: The thread or actor on which the observer is called.
  ///   - thread: The subscribing thread.
  @usableFromInline
  package mutating func firstCallReturned(
    seen: UInt64, calls: Int, on lane: DeliveryLane, by thread: ThreadIdentity
  ) -> FirstCallOutcome {
    guard seen < version else { return .joined(Response(step: .leave)) }
    if batchDepth == 0 && (calls < patience || lastCommitter == thread) { return .again }
    switch lane {
    case .anyThread: isDue = true
    case .main: main.isDue = true
    }
    return .joined(respond(by: thread))
  }
}

// MARK: - Batches and the end

extension DeliveryStateMachine {
  /// Records that a batch was opened.
  ///
  /// No new pass starts until the last batch closes.
  @usableFromInline
  package mutating func batchOpened() {
    batchDepth += 1
  }

  /// Records that a batch was closed.
  ///
  /// When the last open batch closes, the newest version is delivered.
  @usableFromInline
  package mutating func batchClosed(by thread: ThreadIdentity) -> Response {
    batchDepth -= 1
    return respond(by: thread)
  }

  /// Records that the store was released.
  ///
  /// The queued transitions are still delivered before the final step. No state observer is
  /// called again.
  @usableFromInline
  package mutating func ended(by thread: ThreadIdentity) -> Response {
    end = .told
    concerns = []
    isDue = false
    main = MainLane()
    return respond(by: thread)
  }
}
