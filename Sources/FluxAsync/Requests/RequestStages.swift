/// The stages of a request, from its arrival to its outcome.
///
/// The first outcome, which is the result of the work or an abort, settles the request. If the
/// outcome is known while the pending event is being dispatched, the outcome is reported after the
/// dispatch, so that each pending event precedes its outcome.
struct RequestStages: Hashable, Sendable {
  private enum Stage: Hashable, Sendable {
    /// No event has been dispatched.
    case waiting
    /// The pending event is being dispatched.
    case sending
    /// The pending event is being dispatched, and the outcome is known.
    case sendingSettled
    case pending
    case settled
  }

  /// The way in which an outcome is reported.
  enum Report: Hashable, Sendable {
    /// Dispatch the event of the outcome, and then resume the callers that wait.
    case event
    /// Resume the callers that wait, because the request was never pending.
    case withoutEvent
    /// Report the outcome after the pending event is dispatched.
    case later
    /// Report nothing, because the request already has an outcome.
    case nothing
  }

  private var stage = Stage.waiting

  /// A Boolean value that indicates whether no event has been dispatched and no outcome is known.
  var isWaiting: Bool { stage == .waiting }

  /// Records that a thread is about to dispatch the pending event.
  ///
  /// - Returns: `false` if the request already has an outcome.
  mutating func began() -> Bool {
    guard stage == .waiting else { return false }
    stage = .sending
    return true
  }

  /// Records that the pending event was dispatched.
  ///
  /// - Returns: A Boolean value that indicates whether the outcome became known during the
  ///   dispatch, so that the thread reports it with its event.
  mutating func sent() -> Bool {
    let isSettled = stage == .sendingSettled
    stage = isSettled ? .settled : .pending
    return isSettled
  }

  /// Records that an outcome is known.
  mutating func settled() -> Report {
    switch stage {
    case .waiting:
      stage = .settled
      return .withoutEvent
    case .sending:
      stage = .sendingSettled
      return .later
    case .pending:
      stage = .settled
      return .event
    case .sendingSettled, .settled: return .nothing
    }
  }
}
