import FluxCore

/// One run of a request.
///
/// The first outcome, which is the result of the work or an abort, settles the run.
final class RequestRun<Request: AsyncRequest>: WorkSteps {
  typealias Outcome = Result<Request.Value, RequestFailure<Request.Failure>>

  private enum Stage: Sendable {
    /// No event has been dispatched.
    case waiting
    /// The pending event is being dispatched. If the outcome arrives before the dispatch has
    /// ended, the outcome is reported after the dispatch.
    case sending(Outcome?)
    case pending
    case settled
  }

  private struct Contents: Sendable {
    var stage = Stage.waiting
    var work: Work?
    /// The reason for an abort that was requested before the work arrived, or `nil` if no abort
    /// was requested.
    var earlyAbort: String??
    /// The number of tasks that are waiting for the outcome.
    var waiting = 0
  }

  let id: RequestID
  /// The outcome of the request, as a value that tasks can wait for.
  let outcome = OneShot<Outcome>()
  private let request: Request
  private let context: ActionContext
  private let dispatch: DispatchFunction
  /// The scope that the request belongs to.
  private let scope: EffectScope?
  private let contents = Locked(Contents())

  init(_ request: Request, in context: ActionContext) {
    self.request = request
    self.context = context
    dispatch = context.dispatch
    scope = EffectScope.current
    id = context.nextRequestID()
  }

  // MARK: Running

  func start() -> (() -> Void)? {
    guard let state = context.state else { return never(.notStarted) }
    guard let state = state as? Request.State else { return never(.otherState) }
    guard request.isWanted(in: state) else { return never(.unwanted) }
    return context.start(request, policy: request.policy, self)
  }

  /// Returns a closure that settles a request that starts no work.
  ///
  /// The closure is called after the request is reduced.
  private func never(_ failure: RequestFailure<Request.Failure>) -> () -> Void {
    context.effects.countIdleArrival()
    return { [self] in
      if case .otherState = failure {
        let error = WorkError.otherState(Request.State.self, of: request)
        context.settings.report(error, of: request, dispatch: dispatch)
      }
      settle(.failure(failure))
    }
  }

  // MARK: Steps

  var hasFirstStep: Bool { true }

  /// A Boolean value that indicates whether the request is wanted in the current state.
  var isStillWanted: Bool { (context.state as? Request.State).map(request.isWanted) ?? false }

  func arrived(as work: Work) {
    let abort = contents.withLock { contents in
      contents.work = work
      return contents.earlyAbort
    }
    if let abort { work.cancel(because: abort) }
  }

  /// Dispatches the pending event, and returns whether the work continues.
  func begin(_ work: Work, isWanted: Bool) -> FirstStep {
    guard isWanted else {
      settle(.failure(context.state == nil ? .notStarted : .unwanted))
      return .isUnwanted
    }
    let begins = contents.withLock { contents in
      guard case .waiting = contents.stage else { return false }
      contents.stage = .sending(nil)
      return true
    }
    guard begins else { return .ends }
    tell(RequestPending(request, id: id))
    let outcome = contents.withLock { contents -> Outcome? in
      guard case .sending(let outcome) = contents.stage else { return nil }
      contents.stage = .pending
      return outcome
    }
    guard let outcome else { return .continues }
    settle(outcome)
    return .ends
  }

  func run(_ work: Work) async {
    let outcome = await outcome(of: work)
    work.scope.settle { settle(outcome) }
  }

  private func outcome(of work: Work) async -> Outcome {
    do {
      return .success(
        try await work.attempt { [self] attempt in
          guard let store = context.store(of: Request.State.self), let state = store.state else {
            throw StoreHasGone()
          }
          let guarded = store.used(by: ServiceUser(Request.self)).dispatching { attempt.dispatch($0) }
          return try await request.perform(
            in: RequestContext(
              store: guarded, id: id, state: state, attempt: attempt.number, lastError: attempt.lastError))
        })
    } catch is StoreHasGone {
      return .failure(.aborted(reason: nil))
    } catch let error as WorkError where error.code == .timedOut {
      return .failure(.timedOut)
    } catch let error as Request.Failure {
      return .failure(.failed(error))
    } catch {
      // The work was canceled, and the cancellation has settled the run.
      return .failure(.aborted(reason: nil))
    }
  }

  func neverBegins(isDropped: Bool) {
    let request = request as? any RequestThatMayBeDropped
    let isUnwanted = isDropped && request?.isUnwantedWhenDropped == true
    settle(.failure(isUnwanted ? .unwanted : .notStarted))
  }

  func cancelled(because reason: String?) {
    settle(.failure(.aborted(reason: reason)))
  }

  // MARK: Settling

  /// The number of tasks that are waiting for the outcome.
  var waiting: Int { contents.withLock { $0.waiting } }

  /// Waits for the outcome, and aborts the request when the last waiting task is canceled.
  func wait() async -> Outcome {
    contents.withLock { $0.waiting += 1 }
    let end = OneShot<Outcome?>()
    let request = outcome.whenFired { end.fire($0) }
    let found = await end.wait(ifCancelled: nil)
    let isLast = contents.withLock { contents in
      contents.waiting -= 1
      return contents.waiting == 0
    }
    if let found { return found }
    // Aborting the request calls the user's code. The cancellation handler must not call the
    // user's code, because the handler runs while the waiting task is locked.
    if isLast { abort("all tasks that awaited the request were canceled") }
    outcome.forget(request)
    return isLast ? await outcome.wait() : .failure(.aborted(reason: "the awaiting task was canceled"))
  }

  /// Aborts the request, unless the run is settled.
  func abort(_ reason: String?) {
    let work = contents.withLock { contents in
      // A request that a plug-in has deferred has no work yet.
      if contents.work == nil, case .waiting = contents.stage { contents.earlyAbort = .some(reason) }
      return contents.work
    }
    work?.cancel(because: reason)
  }

  private func settle(_ outcome: Outcome) {
    let before = contents.withLock { contents in
      let before = contents.stage
      switch before {
      case .waiting, .pending: contents.stage = .settled
      case .sending(nil): contents.stage = .sending(outcome)
      case .sending, .settled: break
      }
      return before
    }
    switch (before, outcome) {
    case (.pending, .success(let value)):
      context.dispatching {
        tell(RequestFulfilled(request, id: id, value: value))
      } then: {
        self.end(outcome)
      }
    case (.pending, .failure(let failure)):
      context.dispatching {
        tell(RequestRejected(request, id: id, failure: failure))
      } then: {
        self.end(outcome)
      }
    case (.waiting, .failure(.unwanted)) where request.tellsWhenUnwanted:
      context.dispatching {
        tell(RequestRejected(request, id: id, failure: .unwanted))
      } then: {
        self.end(outcome)
      }
    case (.waiting, _): end(outcome)
    case (.sending, _), (.settled, _): return
    }
  }

  /// Resumes the tasks that wait for the outcome, after the event that reports the outcome has
  /// been handled.
  private func end(_ outcome: Outcome) {
    let work = contents.withLock { $0.work.take() }
    withExtendedLifetime(work) {}
    self.outcome.fire(outcome)
  }

  /// Dispatches an event in the scope that the request belongs to.
  ///
  /// The scope of the work is not used, because that scope may already be canceled.
  private func tell(_ event: some RequestEvent) {
    EffectScope.$current.withValue(scope) { dispatch(event) }
  }
}

/// A request that determines whether it counts as unwanted when its policy drops it.
package protocol RequestThatMayBeDropped {
  /// A Boolean value that indicates whether a dropped request counts as unwanted.
  var isUnwantedWhenDropped: Bool { get }
}
