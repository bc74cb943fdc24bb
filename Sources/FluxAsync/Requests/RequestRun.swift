import FluxCore

/// One run of a request, which tasks can wait for and abort.
@usableFromInline
final class RequestRun: Sendable {
  private struct Contents: Sendable {
    var stages = RequestStages()
    /// The outcome, which is stored while the pending event is being dispatched, and after the
    /// outcome was reported.
    var outcome: RequestOutcome?
    /// A Boolean value that indicates whether the outcome was reported.
    var isReported = false
    var work: Work?
    /// The reason for an abort that was requested before the work arrived, or `nil` if no abort
    /// was requested.
    var earlyAbort: String??
    /// The number of tasks that are waiting for the outcome.
    var waiting = 0
    /// The tasks to resume when the outcome is reported.
    var callers = SmallArray<WaitingCaller>()
    var lastCaller: UInt64 = 0
  }

  let id: RequestID
  let context: ActionContext
  /// The scope that the request belongs to.
  private let scope: EffectScope?
  private let contents = Locked(Contents())
  /// A closure that is called once when the request has ended.
  private let onEnd: (@Sendable (RequestID) -> Void)?

  init(_ id: RequestID, in context: ActionContext, onEnd: (@Sendable (RequestID) -> Void)? = nil) {
    self.id = id
    self.onEnd = onEnd
    self.context = context
    scope = EffectScope.current
  }

  // MARK: Events

  /// Stores the work of the request, and cancels the work if an abort was requested before.
  ///
  /// The work is not stored if another thread has already ended the run.
  func arrived(as work: Work) {
    let abort = contents.withLock { contents in
      if !contents.isReported { contents.work = work }
      return contents.earlyAbort
    }
    if let abort { work.cancel(because: abort) }
  }

  /// Dispatches the pending event, unless the request already has an outcome.
  ///
  /// - Parameter pending: The pending event.
  /// - Returns: `false` if the request already had an outcome.
  func begin(dispatching pending: any RequestEvent) -> Bool {
    guard contents.withLock({ $0.stages.began() }) else { return false }
    dispatch(pending)
    return true
  }

  /// Records that the pending event was dispatched, and returns the outcome that became known
  /// during the dispatch.
  func sent() -> RequestOutcome? {
    contents.withLock { contents in
      guard contents.stages.sent() else { return nil }
      return contents.outcome.take()
    }
  }

  /// Records an outcome, and returns the way in which the thread reports it.
  func settled(_ outcome: RequestOutcome) -> RequestStages.Report {
    contents.withLock { contents in
      let report = contents.stages.settled()
      if report == .later { contents.outcome = outcome }
      return report
    }
  }

  /// Dispatches the event of an outcome.
  ///
  /// If a plug-in defers the event, the run ends by itself after the event has been handled.
  ///
  /// - Returns: A Boolean value that indicates whether the event has been handled, and the caller
  ///   must end the run.
  func dispatched(_ outcome: RequestOutcome, with event: any RequestEvent) -> Bool {
    guard context.defersActions else {
      dispatch(event)
      return true
    }
    context.dispatching {
      dispatch(event)
    } then: {
      self.end(outcome)
    }
    return false
  }

  /// Stores the outcome, and resumes the tasks that wait for it.
  func end(_ outcome: RequestOutcome) {
    let (work, callers) = contents.withLock { contents in
      contents.outcome = outcome
      contents.isReported = true
      return (contents.work.take(), contents.callers.take())
    }
    withExtendedLifetime(work) {}
    onEnd?(id)
    callers.forEach { $0.resume(isCancelled: false) }
  }

  /// Dispatches an event in the scope that the request belongs to.
  ///
  /// The scope of the work is not used, because that scope may already be canceled.
  private func dispatch(_ event: any RequestEvent) {
    context.dispatch(event, belongingTo: scope)
  }

  // MARK: Waiting

  /// The number of tasks that are waiting for the outcome.
  var waiting: Int { contents.withLock { $0.waiting } }

  /// Waits for the outcome, and aborts the request when the last waiting task is canceled.
  nonisolated(nonsending) func wait() async -> RequestOutcome {
    let isReported = await waitUntilReported()
    let (outcome, isLast) = contents.withLock { contents in
      contents.waiting -= 1
      return (contents.outcome, contents.waiting == 0)
    }
    if isReported, let outcome { return outcome }
    guard isLast else { return .ended(.aborted(reason: "the awaiting task was canceled")) }
    // Aborting the request calls the user's code. A cancellation handler must not call the user's
    // code, because the handler runs while the waiting task is locked.
    abort("all tasks that awaited the request were canceled")
    _ = await withUnsafeContinuation { add(WaitingCaller(0, $0)) }
    return contents.withLock { $0.outcome } ?? .ended(.aborted(reason: nil))
  }

  /// Waits until the outcome is reported or the waiting task is canceled.
  ///
  /// - Returns: `false` if the task was canceled first.
  private nonisolated(nonsending) func waitUntilReported() async -> Bool {
    let number = contents.withLock { contents in
      contents.waiting += 1
      contents.lastCaller += 1
      return contents.lastCaller
    }
    return await withTaskCancellationHandler {
      await withUnsafeContinuation { continuation in
        add(WaitingCaller(number, continuation))
        // The handler may have been called before the caller was added.
        if Task.isCancelled { stopWaiting(number) }
      }
    } onCancel: {
      stopWaiting(number)
    }
  }

  /// Resumes a caller when the outcome is reported, or immediately if it was reported.
  private func add(_ caller: WaitingCaller) {
    let isReported = contents.withLock { contents in
      if !contents.isReported { contents.callers.append(caller) }
      return contents.isReported
    }
    if isReported { caller.resume(isCancelled: false) }
  }

  private func stopWaiting(_ number: UInt64) {
    contents.withLock { $0.callers.remove { $0.number == number } }?.resume(isCancelled: true)
  }

  /// Aborts the request, unless the run is settled.
  func abort(_ reason: String?) {
    let work = contents.withLock { contents in
      // A request that a plug-in has deferred has no work yet.
      if contents.work == nil, contents.stages.isWaiting { contents.earlyAbort = .some(reason) }
      return contents.work
    }
    work?.cancel(because: reason)
  }
}
