public import FluxCore

/// The steps of a request.
///
/// The type is not generic. The methods that use the type of the request are requirements of
/// ``AsyncRequest``, which the compiler specializes for each request. The handle of a request
/// retains its ``RequestRun``, but not the steps and the request.
@usableFromInline
final class RequestSteps: WorkSteps {
  private let request: any AsyncRequest
  /// The event that reports that the request was sent.
  private let pending: any RequestEvent
  private let policy: WorkPolicy
  private let run: RequestRun

  /// Creates the steps and the run of a request that has arrived at the end of the chain.
  @usableFromInline
  init(
    _ request: any AsyncRequest, _ pending: any RequestEvent, _ id: RequestID, in context: ActionContext,
    _ policy: WorkPolicy? = nil, onEnd: (@Sendable (RequestID) -> Void)? = nil
  ) {
    self.request = request
    self.pending = pending
    self.policy = policy ?? context.policy(for: request)
    run = RequestRun(id, in: context, onEnd: onEnd)
    DispatchTicket.current?.claim(run, for: request, in: context)
  }

  /// Prepares the work of the request, and returns a closure that starts the work.
  @usableFromInline
  func start() -> WorkStart? {
    run.context.start(self, of: type(of: request), policy)
  }

  /// Returns a closure that settles a request for which no state of a type is available.
  ///
  /// If the state is of another type, the closure reports the error.
  @usableFromInline
  func neverBegins(in type: Any.Type) -> WorkStart {
    guard run.context.state != nil else { return neverBegins(because: .notStarted) }
    let settle = neverBegins(because: .otherState)
    return { [request] context in
      context.settings.report(
        WorkError.otherState(type, of: request), of: request, dispatch: context.dispatch)
      settle(context)
    }
  }

  /// Returns a closure that settles a request that starts no work.
  ///
  /// The closure is called after the request is reduced.
  @usableFromInline
  func neverBegins(because failure: RequestFailure<Never>) -> WorkStart {
    run.context.effects.countIdleArrival()
    return { _ in self.settle(.ended(failure)) }
  }

  // MARK: Steps

  @usableFromInline package var action: any Action { request }

  @usableFromInline package var hasFirstStep: Bool { true }

  /// A Boolean value that indicates whether the request is wanted in the current state.
  @usableFromInline package var isStillWanted: Bool { request._isWanted(in: run.context) }

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
    guard run.begin(dispatching: pending) else { return .ends }
    guard let outcome = run.sent() else { return .continues }
    if run.dispatched(outcome, with: request.rejected(because: outcome, run.id)) { run.end(outcome) }
    return .ends
  }

  @usableFromInline @inline(__always)
  package nonisolated(nonsending) func run(_ work: Work) async {
    do {
      let (event, value) =
        if let attempts = policy.attempts {
          try await work.attempt(attempts, of: self) { try await self.perform($0) }
        } else {
          try await perform(work)
        }
      let outcome = RequestOutcome.value(value)
      settle(outcome, of: work) {
        // Only a pending request can be fulfilled.
        run.settled(outcome) == .event && run.dispatched(outcome, with: event)
      }
    } catch {
      let outcome = RequestOutcome(of: error)
      settle(outcome, of: work) { dispatched(outcome) }
    }
  }

  /// Dispatches the event of an outcome, and ends the run.
  ///
  /// The run ends after the engine has recorded the end of the dispatch. A request that a task
  /// sends when it receives the result therefore does not have to wait for the dispatch.
  private func settle(_ outcome: RequestOutcome, of work: Work, dispatched: () -> Bool) {
    var isHandled = false
    work.settle { isHandled = dispatched() }
    if isHandled { run.end(outcome) }
  }

  @inline(__always)
  private nonisolated(nonsending) func perform(
    _ attempt: any Attempt
  ) async throws -> (event: any RequestEvent, value: any Sendable) {
    try await request._perform(in: TaskContext(attempt), as: run.id)
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

  /// Settles a request that has no value.
  private func settle(_ outcome: RequestOutcome) {
    if dispatched(outcome) { run.end(outcome) }
  }

  /// Dispatches the event of an outcome without a value, if it has one.
  ///
  /// - Returns: A Boolean value that indicates whether the caller must end the run.
  private func dispatched(_ outcome: RequestOutcome) -> Bool {
    switch run.settled(outcome) {
    case .event: return run.dispatched(outcome, with: request.rejected(because: outcome, run.id))
    case .withoutEvent:
      guard case .ended(.unwanted) = outcome, request.tellsWhenUnwanted else { return true }
      return run.dispatched(outcome, with: request.rejected(because: outcome, run.id))
    case .later, .nothing: return false
    }
  }
}

extension AsyncRequest {
  /// Returns the event that reports an outcome without a value.
  fileprivate func rejected(because outcome: RequestOutcome, _ id: RequestID) -> any RequestEvent {
    RequestRejected(self, id: id, failure: outcome.failure(of: Self.self))
  }
}

/// A request that determines whether it counts as unwanted when its policy drops it.
package protocol RequestThatMayBeDropped {
  /// A Boolean value that indicates whether a dropped request counts as unwanted.
  var isUnwantedWhenDropped: Bool { get }
}
