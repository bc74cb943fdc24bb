import FluxCore

/// Records a store's transitions, each with whether it was sent or came from effects.
///
/// It does so around the reducer, as the outermost of the plug-ins: on the thread that dispatches, in the order of the
/// versions, before `dispatch` returns, whoever delivers to observers meanwhile. So a `send` need not wait for another
/// thread to hear what it did.
final class TransitionRecorder<State: Sendable>: Sendable {
  typealias Step = TransitionLog<State>.Step

  private let log = Locked(TransitionLog<State>())

  // MARK: - Around the store

  /// The first middleware of the store, which sees every dispatch begin and end.
  var middleware: Middleware<State> {
    { [self] _, _ in
      { [self] next in
        { [self] action in
          let thread = ThreadIdentity.current
          log.withLock { $0.dispatchBegan(by: thread) }
          next(action)
          log.withLock { $0.dispatchEnded(by: thread) }
        }
      }
    }
  }

  /// The first plug-in of the store.
  ///
  /// It records under the store's lock, and wakes who waits outside, once the transition is delivered.
  var plugin: Plugin<State> {
    Plugin(
      wrapReducer: { [self] reducer in
        { [self] state, action in
          let before = state
          reducer(&state, action)
          let step = Step(action: action, before: before, after: state)
          log.withLock { $0.reduced(step, by: .current) }
        }
      },
      onTransition: .actions { [self] _, _ in wakeWaits() })
  }

  // MARK: - For the test

  /// Runs a closure that dispatches an action, and returns what became of just that action.
  ///
  /// - Returns: Its step, or `nil` if it did not reach the reducer.
  func send(_ action: any Action, by dispatch: DispatchFunction) -> Step? {
    let thread = ThreadIdentity.current
    log.withLock { $0.sendBegan(by: thread) }
    dispatch(action)
    let step = log.withLock { $0.sendEnded(by: thread, type: type(of: action)) }
    wakeWaits()
    return step
  }

  /// Takes the first step that came from effects, waiting for it until a deadline.
  nonisolated(nonsending) func receive(
    until deadline: Duration, on timeline: Timeline
  ) async -> (step: Step?, end: LimitedWait.End) {
    while true {
      if let step = log.withLock({ $0.takeReceived() }) { return (step, .arrived) }
      let wait = LimitedWait()
      guard log.withLock({ $0.add(wait) }) else { continue }
      let end = await wait.value(until: deadline, on: timeline)
      if end == .arrived { continue }
      log.withLock { $0.remove(wait) }
      return (nil, end)
    }
  }

  /// Takes all steps that came from effects.
  func takeAllReceived() -> [Step] {
    log.withLock { $0.takeAllReceived() }
  }

  private func wakeWaits() {
    for wait in log.withLock({ $0.takeEndedWaits() }) { wait.end(.arrived) }
  }
}
