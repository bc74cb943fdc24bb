/// Decides who delivers what, and when: the rules of ``Store``'s contract, and nothing else.
///
/// A pure value. It holds no lock, no task, no closure and no state of the user's; each method is an event, told
/// under the store's lock, and returns what the thread that told it has to do once it has left the lock. So a
/// test can walk every interleaving of several threads without running any.
///
/// One thread at a time is the *deliverer*. It delivers the queued transitions, then a pass of the newest
/// snapshot to all observers, and goes on while there is something newer. Whoever commits meanwhile leaves it to
/// the deliverer, so nested dispatches become iterations and never grow the stack. Observers on the main actor
/// have a lane of their own, with the same rules.
@usableFromInline
package struct DeliveryStateMachine: Hashable, Sendable {
  /// What a thread does next, outside the lock.
  @frozen @usableFromInline
  package enum Step: Hashable, Sendable {
    /// Nothing more: leave.
    case leave
    /// Take the queued transitions and deliver them, then ask for the next step.
    case deliverTransitions
    /// Deliver the newest snapshot to the observers, then ask for the next step.
    case pass
    /// Leave the lock for a moment, so that another dispatcher may take over, then reclaim.
    case offer
    /// Take the store's remains apart: nothing is left to deliver.
    case finish
  }

  /// What a thread that has told an event does: a step, and whether to wake the main lane.
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

  /// Who delivers now.
  @frozen @usableFromInline
  package enum Phase: Hashable, Sendable {
    case idle
    case delivering(by: ThreadIdentity)
    /// The deliverer has left the lock and will reclaim, unless another dispatcher is there first.
    case offered
  }

  private enum End: Hashable, Sendable {
    case ahead
    case told
    case finished
  }

  /// What makes a commit more than a commit: while it is empty, nobody needs to hear of anything.
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

  /// How many passes a thread makes for others before it offers to hand over, and how many first calls a
  /// subscriber makes before it leaves the rest to a pass.
  @usableFromInline let patience: Int

  /// The version of the newest committed state.
  @usableFromInline package internal(set) var version: UInt64 = 0
  @usableFromInline package private(set) var concerns: Concerns = []
  @usableFromInline package private(set) var phase: Phase = .idle
  /// Whether an observer may not have seen the newest version.
  @usableFromInline package private(set) var isDue = false
  @usableFromInline package private(set) var batchDepth = 0
  package private(set) var observerCount = 0

  private var hasQueuedTransitions = false
  /// Whether the deliverer is delivering transitions.
  private var isDeliveringTransitions = false
  private var lastCommitter: ThreadIdentity?
  /// How many passes, and deliveries of transitions, the deliverer has made.
  private var rounds = 0
  /// Whether another thread has committed since the deliverer began.
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
  /// An action has been reduced, and made the next version, while ``concerns`` is empty.
  @inlinable
  package mutating func committedUnobserved() {
    version &+= 1
  }

  /// An action has been reduced on this thread, and made the next version.
  @usableFromInline
  package mutating func committed(by thread: ThreadIdentity) -> Response {
    version &+= 1
    lastCommitter = thread
    if concerns.contains(.transitions) { hasQueuedTransitions = true }
    if concerns.contains(.observers) { isDue = true }
    if concerns.contains(.mainObservers) { main.isDue = true }
    return respond(by: thread)
  }

  /// The deliverer has done its last step, and asks for the next one.
  @usableFromInline
  package mutating func next() -> Response {
    isDeliveringTransitions = false
    let step = nextStep()
    return Response(step: step, wakesMain: main.wake(isHeldBack: isMainHeldBack))
  }

  /// The thread that offered to hand over is back; if nobody took over, it goes on, and offers again soon.
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

  /// Whether no main pass may begin: a batch is open, or a plug-in has not heard of the newest version.
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
  /// What a subscriber does after a first call.
  @frozen @usableFromInline
  package enum FirstCallOutcome: Hashable, Sendable {
    /// A newer version was committed meanwhile: call again with it.
    case again
    /// The observer takes part in passes from now on.
    case joined(Response)
  }

  /// An observer has been added; until it has joined, passes leave it out.
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

  /// An observer has been cancelled.
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

  /// A first call has returned that showed the observer `seen`, the `calls`th in a row.
  ///
  /// While a batch is open the observer joins behind, for the flush to bring it up to date; so it does when
  /// other threads have been faster than its first calls again and again, for the next pass.
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
  /// A batch has been opened: no new pass starts until the last one closes.
  @usableFromInline
  package mutating func batchOpened() {
    batchDepth += 1
  }

  /// A batch has been closed; the last one flushes.
  @usableFromInline
  package mutating func batchClosed(by thread: ThreadIdentity) -> Response {
    batchDepth -= 1
    return respond(by: thread)
  }

  /// The store has gone: deliver what transitions are queued, then finish; no state observer is called again.
  @usableFromInline
  package mutating func ended(by thread: ThreadIdentity) -> Response {
    end = .told
    concerns = []
    isDue = false
    main = MainLane()
    return respond(by: thread)
  }
}
