public import FluxCore

/// The steps of a request.
@usableFromInline
struct RequestSteps<Request: AsyncRequest>: WorkSteps {
  private let request: Request
  private let attempts: AttemptRules?
  private let run: RequestRun

  private init(_ request: Request, _ attempts: AttemptRules?, _ run: RequestRun) {
    self.request = request
    self.attempts = attempts
    self.run = run
  }

  /// Prepares the work of a request, and returns a closure that starts the work, or that settles a
  /// request that starts no work.
  @usableFromInline
  static func start(_ request: Request, _ run: RequestRun) -> (() -> Void)? {
    let policy = run.context.policy(for: request)
    let steps = RequestSteps(request, policy.attempts, run)
    guard let state = run.context.state else { return steps.never(.notStarted) }
    guard let state = state as? Request.State else { return steps.never(.otherState) }
    guard request.isWanted(in: state) else { return steps.never(.unwanted) }
    return run.context.start(steps, of: Request.self, policy)
  }

  /// Returns a closure that settles a request that starts no work.
  ///
  /// The closure is called after the request is reduced.
  private func never(_ failure: RequestFailure<Never>) -> () -> Void {
    run.context.effects.countIdleArrival()
    return {
      if failure == .otherState {
        let error = WorkError.otherState(Request.State.self, of: request)
        run.context.settings.report(error, of: request, dispatch: run.context.dispatch)
      }
      settle(.ended(failure))
    }
  }

  // MARK: Steps

  @usableFromInline package var action: any Action { request }

  @usableFromInline package var hasFirstStep: Bool { true }

  /// A Boolean value that indicates whether the request is wanted in the current state.
  @usableFromInline package var isStillWanted: Bool {
    (run.context.state as? Request.State).map(request.isWanted) ?? false
  }

  @usableFromInline
  package func arrived(as work: Work) {
    run.arrived(as: work)
  }

  /// Dispatches the pending event, and returns whether the work continues.
  @usableFromInline
  package func begin(_ work: Work, isWanted: Bool) -> FirstStep {
    guard isWanted else {
      settle(.ended(run.context.state == nil ? .notStarted : .unwanted))
      return .isUnwanted
    }
    guard run.begin(dispatching: RequestPending(request, id: run.id)) else { return .ends }
    guard let outcome = run.sent() else { return .continues }
    run.report(outcome, with: rejected(because: outcome))
    return .ends
  }

  @usableFromInline
  package nonisolated(nonsending) func run(_ work: Work) async {
    do {
      let value: Request.Value
      if let attempts {
        value = try await work.attempt(attempts, of: self) { try await perform($0) }
      } else {
        value = try await perform(Attempt(of: work))
      }
      work.settle {
        let outcome = RequestOutcome.fulfilled(value)
        // Only a pending request can be fulfilled.
        guard run.settled(outcome) == .event else { return }
        run.report(outcome, with: RequestFulfilled(request, id: run.id, value: value))
      }
    } catch {
      let outcome = outcome(of: error)
      work.settle { settle(outcome) }
    }
  }

  private nonisolated(nonsending) func perform(_ attempt: Attempt) async throws -> Request.Value {
    guard let state = run.context.state else { throw StoreHasGone() }
    return try await request._perform(in: TaskContext(state: state, attempt, of: Request.self), as: run.id)
  }

  private func outcome(of error: any Error) -> RequestOutcome {
    switch error {
    case is StoreHasGone: .ended(.aborted(reason: nil))
    case let error as WorkError where error.code == .timedOut: .ended(.timedOut)
    case let error as Request.Failure: .failed(error)
    // The work was canceled, and the cancellation has settled the run.
    default: .ended(.aborted(reason: nil))
    }
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

  // MARK: Settling

  /// Settles a request that has no value.
  private func settle(_ outcome: RequestOutcome) {
    switch run.settled(outcome) {
    case .event: run.report(outcome, with: rejected(because: outcome))
    case .withoutEvent:
      if case .ended(.unwanted) = outcome, request.tellsWhenUnwanted {
        run.report(outcome, with: rejected(because: outcome))
      } else {
        run.end(outcome)
      }
    case .later, .nothing: break
    }
  }

  // The compiler would look up the type of the event in each caller.
  @inline(never)
  private func rejected(because outcome: RequestOutcome) -> RequestRejected<Request> {
    RequestRejected(request, id: run.id, failure: outcome.failure(of: Request.self))
  }
}

/// A request that determines whether it counts as unwanted when its policy drops it.
package protocol RequestThatMayBeDropped {
  /// A Boolean value that indicates whether a dropped request counts as unwanted.
  var isUnwantedWhenDropped: Bool { get }
}
