import FluxAsync
public import FluxCore

/// An object that records the transitions of a store, and whether the action of each transition
/// was sent by the test or came from effects.
///
/// The recorder is the outermost plug-in, and wraps the reducer. The recorder records each
/// transition on the dispatching thread, in the order of the versions. Each transition is
/// recorded before `dispatch` returns, even if another thread calls the observers. Therefore, the
/// `send` method of a test store never waits for another thread to call the observers.
@usableFromInline
final class TransitionRecorder<State: Sendable>: Sendable {
  typealias Step = TransitionLog<State>.Step

  private let log = Locked(TransitionLog<State>())

  @usableFromInline init() {}

  // MARK: - Around the store

  /// The first middleware of the store, which records the beginning and the end of each dispatch.
  @usableFromInline var middleware: Middleware<State> {
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
  /// The plug-in records transitions under the store's lock. The plug-in resumes waiting tasks
  /// outside the lock, after the transition was delivered.
  @usableFromInline var plugin: Plugin<State> {
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

  /// Dispatches an action with a function, and returns the transition of the action.
  ///
  /// - Returns: The transition, or `nil` if the action did not reach the reducer.
  func send(_ action: any Action, by dispatch: DispatchFunction) -> Step? {
    let thread = ThreadIdentity.current
    log.withLock { $0.sendBegan(by: thread) }
    dispatch(action)
    let step = log.withLock { $0.sendEnded(by: thread, type: type(of: action)) }
    wakeWaits()
    return step
  }

  /// Removes and returns the first transition from effects.
  ///
  /// If necessary, the method waits for the transition until a deadline.
  nonisolated(nonsending) func receive(
    until deadline: Duration, on timeline: Timeline
  ) async -> (step: Step?, end: WaitEnd) {
    Timeline.keepsHistory()
    while true {
      if let step = log.withLock({ $0.takeReceived() }) { return (step, .arrived) }
      let wait = OneShot<WaitEnd>()
      guard log.withLock({ $0.add(wait) }) else { continue }
      let end = await wait.wait(
        until: deadline, on: timeline, ifLate: { .timedOut }, ifCancelled: .cancelled)
      if end == .arrived { continue }
      log.withLock { $0.remove(wait) }
      return (nil, end)
    }
  }

  /// Removes and returns all transitions from effects.
  func takeAllReceived() -> [Step] {
    log.withLock { $0.takeAllReceived() }
  }

  private func wakeWaits() {
    for wait in log.withLock({ $0.takeEndedWaits() }) { wait.fire(.arrived) }
  }
}
