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
  ///
  /// The method is inlined in the client's module, so that the wait needs no additional frame.
  @inlinable @inline(__always)
  nonisolated(nonsending) func wait() async -> RequestOutcome {
    let caller = nextCaller()
    let isReported = await withTaskCancellationHandler {
      await withUnsafeContinuation { wait(as: caller, $0) }
    } onCancel: {
      stopWaiting(caller)
    }
    guard let outcome = stoppedWaiting(isReported: isReported) else { return await abortAndWait() }
    return outcome
  }

  /// Counts another caller that waits, and returns its number.
  @usableFromInline
  func nextCaller() -> UInt64 {
    contents.withLock { contents in
      contents.waiting += 1
      contents.lastCaller += 1
      return contents.lastCaller
    }
  }

  /// Resumes a continuation when the outcome is reported or the waiting task is canceled.
  @usableFromInline
  func wait(as caller: UInt64, _ continuation: UnsafeContinuation<Bool, Never>) {
    add(WaitingCaller(caller, continuation))
    // The cancellation may have been handled before the caller was added.
    if Task.isCancelled { stopWaiting(caller) }
  }

  /// Resumes a caller whose task was canceled, if the caller is waiting.
  @usableFromInline
  func stopWaiting(_ caller: UInt64) {
    contents.withLock { $0.callers.remove { $0.number == caller } }?.resume(isCancelled: true)
  }

  /// Records that a caller no longer waits, and returns the outcome that the caller receives.
  ///
  /// - Parameter isReported: `false` if the task of the caller was canceled first.
  /// - Returns: The outcome, or `nil` if the caller must abort the request.
  @usableFromInline
  func stoppedWaiting(isReported: Bool) -> RequestOutcome? {
    let (outcome, isLast) = contents.withLock { contents in
      contents.waiting -= 1
      return (contents.outcome, contents.waiting == 0)
    }
    if isReported, let outcome { return outcome }
    return isLast ? nil : .ended(.aborted(reason: "the awaiting task was canceled"))
  }

  /// Aborts the request, and waits for the outcome.
  ///
  /// Aborting the request calls the user's code. A cancellation handler must not call the user's
  /// code, because the handler runs while the waiting task is locked.
  @usableFromInline
  nonisolated(nonsending) func abortAndWait() async -> RequestOutcome {
    abort("all tasks that awaited the request were canceled")
    _ = await withUnsafeContinuation { add(WaitingCaller(0, $0)) }
    return contents.withLock { $0.outcome } ?? .ended(.aborted(reason: nil))
  }

  /// Resumes a caller when the outcome is reported, or immediately if it was reported.
  private func add(_ caller: WaitingCaller) {
    let isReported = contents.withLock { contents in
      if !contents.isReported { contents.callers.append(caller) }
      return contents.isReported
    }
    if isReported { caller.resume(isCancelled: false) }
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
