public import FluxCore

// The steps of a request, from its arrival to its outcome.

extension AsyncRequest {
  /// Prepares the request, and returns a closure that starts the request.
  ///
  /// The compiler specializes this method for the type of the request.
  @inlinable
  public func _startWork(in context: ActionContext) -> (() -> Void)? {
    start(in: context)
  }

  /// Prepares the request, as ``_startWork(in:)`` does.
  ///
  /// A request of a generic type calls this method where its type is statically known.
  @inlinable
  package func start(in context: ActionContext) -> (() -> Void)? {
    let id = context.nextRequestID()
    let run = RequestRun(of: self, RequestPending(self, id: id), id, in: context)
    guard let state = context.state(of: State.self) else { return run.neverBegins(in: State.self) }
    return isWanted(in: state) ? run.start() : run.neverBegins(because: .unwanted)
  }
}

extension RequestRun {
  /// Prepares the work of the request, and returns a closure that starts the work.
  @usableFromInline
  func start() -> (() -> Void)? {
    context.start(self, of: type(of: request), policy)
  }

  /// Returns a closure that settles a request for which no state of a type is available.
  ///
  /// If the state is of another type, the closure reports the error.
  @usableFromInline
  func neverBegins(in type: Any.Type) -> () -> Void {
    guard !context.hasStoreGone else { return neverBegins(because: .notStarted) }
    let settle = neverBegins(because: .otherState)
    return { [self] in
      context.settings.report(
        WorkError.otherState(type, of: request), of: request, dispatch: context.dispatch)
      settle()
    }
  }

  /// Returns a closure that settles a request that starts no work.
  ///
  /// The closure is called after the request is reduced.
  @usableFromInline
  func neverBegins(because failure: RequestFailure<Never>) -> () -> Void {
    context.effects.countIdleArrival()
    return { self.settle(.ended(failure)) }
  }
}

extension RequestRun: WorkSteps {
  @usableFromInline package var action: any Action { request }

  @usableFromInline package var hasFirstStep: Bool { true }

  /// A Boolean value that indicates whether the request is wanted in the current state.
  @usableFromInline package var isStillWanted: Bool { request._isWanted(in: context) }

  @usableFromInline
  package func arrived(as work: Work) {
    setWork(work)
  }

  /// Dispatches the pending event, and returns whether the work continues.
  @usableFromInline
  package func begin(_ work: Work, isWanted: Bool) -> FirstStep {
    guard isWanted else {
      settle(.ended(context.hasStoreGone ? .notStarted : .unwanted))
      return .isUnwanted
    }
    guard sendPending() else { return .ends }
    guard let outcome = sent() else { return .continues }
    report(outcome)
    return .ends
  }

  @usableFromInline @inline(__always)
  package nonisolated(nonsending) func run(_ work: Work) async {
    do {
      let fulfilled =
        if let attempts = policy.attempts {
          try await work.attempt(attempts) { try await self.perform($0) }
        } else {
          try await perform(work)
        }
      work.settle { settle(.fulfilled(fulfilled)) }
    } catch {
      let outcome = RequestOutcome(of: error)
      work.settle { settle(outcome) }
    }
  }

  @inline(__always)
  private nonisolated(nonsending) func perform(_ attempt: any Attempt) async throws -> any RequestEvent {
    try await request._perform(in: TaskContext(attempt), as: id)
  }

  @usableFromInline
  package func neverBegins(isDropped: Bool) {
    let request = request as? any RequestThatMayBeDropped
    let isUnwanted = isDropped && request?.isUnwantedWhenDropped == true
    settle(.ended(isUnwanted ? .unwanted : .notStarted))
  }

  @usableFromInline
  package func cancelled(because reason: String?) {
    settle(.ended(.aborted(reason: reason)))
  }

  /// Records an outcome, and reports it unless another outcome is known or another thread reports
  /// it.
  private func settle(_ outcome: RequestOutcome) {
    switch settled(outcome) {
    case .event: report(outcome)
    case .withoutEvent:
      if case .ended(.unwanted) = outcome, request.tellsWhenUnwanted { report(outcome) } else { end(outcome) }
    case .later, .nothing: break
    }
  }

  /// Dispatches the event of an outcome, and then resumes the tasks that wait for the outcome.
  private func report(_ outcome: RequestOutcome) {
    report(outcome, with: outcome.event(of: request, id))
  }
}

/// A request that determines whether it counts as unwanted when its policy drops it.
package protocol RequestThatMayBeDropped {
  /// A Boolean value that indicates whether a dropped request counts as unwanted.
  var isUnwantedWhenDropped: Bool { get }
}
