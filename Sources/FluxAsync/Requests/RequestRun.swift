import FluxCore

/// One request on its way: it is settled once, by its answer or by whoever is faster.
final class RequestRun<Request: AsyncRequest>: Sendable {
  typealias Outcome = Result<Request.Value, RequestFailure<Request.Failure>>

  private enum Stage: Sendable {
    /// Nothing was sent.
    case waiting
    /// That it is pending is being dispatched; an outcome that comes meanwhile is told after that.
    case sending(Outcome?)
    case pending
    case settled
  }

  private struct Contents: Sendable {
    var stage = Stage.waiting
    var reason: String?
    var work: Work?
  }

  let id: RequestID
  /// What has come of it, for who waits.
  let outcome = OneShot<Outcome>()
  private let request: Request
  private let context: ActionContext
  private let dispatch: DispatchFunction
  /// What the request belongs to.
  private let scope: EffectScope?
  private let contents = Locked(Contents())

  init(_ request: Request, in context: ActionContext) {
    self.request = request
    self.context = context
    dispatch = context.dispatch
    scope = EffectScope.current
    id = context.nextRequestID()
  }

  // MARK: The way

  func start() {
    guard let state = context.state else { return settle(.failure(.notStarted)) }
    guard let state = state as? Request.State else {
      let error = WorkError.otherState(Request.State.self, of: request)
      context.settings.report(error, of: request, dispatch: dispatch)
      return settle(.failure(.otherState))
    }
    guard request.isWanted(in: state) else { return settle(.failure(.unwanted)) }
    let steps = WorkSteps(
      arrived: { self.arrived($0) }, begin: { self.begin($0, wasHeld: $1) },
      ended: { self.settle(.failure(.notStarted)) }, run: { await self.perform($0, $1) })
    if !context.start(request, policy: request.policy, steps) { settle(.failure(.notStarted)) }
  }

  private func arrived(_ work: Work) {
    contents.withLock { $0.work = work }
    work.onCancel {
      let reason = self.contents.withLock { $0.reason }
      self.settle(.failure(.aborted(reason: reason)))
    }
  }

  /// Tells that it is pending; returns whether to go on.
  private func begin(_ work: Work, wasHeld: Bool) -> Bool {
    if wasHeld {
      guard let state = context.state as? Request.State, request.isWanted(in: state) else {
        settle(.failure(.unwanted))
        return false
      }
    }
    let begins = contents.withLock { contents in
      guard case .waiting = contents.stage else { return false }
      contents.stage = .sending(nil)
      return true
    }
    guard begins else { return false }
    tell(RequestPending(request, id: id))
    let outcome = contents.withLock { contents -> Outcome? in
      guard case .sending(let outcome) = contents.stage else { return nil }
      contents.stage = .pending
      return outcome
    }
    guard let outcome else { return true }
    settle(outcome)
    return false
  }

  private func perform(_ work: Work, _ environment: WorkEnvironment) async {
    let outcome: Outcome
    do {
      outcome = .success(
        try await environment.attempt(work) { [self] attempt in
          guard let store = context.store(of: Request.State.self), let state = store.state else {
            throw CancellationError()
          }
          let guarded = store.dispatching { [dispatch] in work.dispatch($0, for: attempt, by: dispatch) }
          return try await request.perform(in: RequestContext(store: guarded, id: id, state: state))
        })
    } catch let error as WorkError where error.code == .timedOut {
      outcome = .failure(.timedOut)
    } catch let error as Request.Failure {
      outcome = .failure(.failed(error))
    } catch {
      // The store has gone, or it was cancelled, which has settled it.
      outcome = .failure(.aborted(reason: nil))
    }
    // Loud before it is settled: a newer request that finds it settled waits until it is told.
    work.whileLoud { settle(outcome) }
  }

  // MARK: The end

  /// Has it rejected, unless it is settled.
  func abort(_ reason: String?) {
    let (isSettled, work) = contents.withLock { contents -> (Bool, Work?) in
      if case .settled = contents.stage { return (true, nil) }
      contents.reason = reason
      return (false, contents.work)
    }
    if !isSettled { work?.cancel() }
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
    case (.pending, .success(let value)): tell(RequestFulfilled(request, id: id, value: value))
    case (.pending, .failure(let failure)): tell(RequestRejected(request, id: id, failure: failure))
    case (.waiting, .failure(.unwanted)) where request.tellsWhenUnwanted:
      tell(RequestRejected(request, id: id, failure: .unwanted))
    case (.waiting, _): break
    case (.sending, _), (.settled, _): return
    }
    let work = contents.withLock { $0.work.take() }
    withExtendedLifetime(work) {}
    self.outcome.fire(outcome)
  }

  /// Dispatches an event, as part of what the request belongs to and not of its work, which may just have been cancelled.
  private func tell(_ event: some RequestEvent) {
    EffectScope.$current.withValue(scope) { dispatch(event) }
  }
}
