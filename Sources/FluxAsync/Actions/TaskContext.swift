public import FluxCore

/// The context in which one attempt of a task action is performed.
public struct TaskContext<State: Sendable>: Sendable {
  /// The state at the beginning of this attempt.
  @inlinable
  public var state: State {
    current.readsKeptState()
    return keptState
  }
  /// A closure that dispatches an action through the store's whole chain.
  ///
  /// You can call the closure from any thread, even after the attempt has ended. The closure does
  /// nothing after the store was released or the work was canceled. If the policy retries the work
  /// or limits its time, the closure also does nothing after this attempt has failed.
  public var dispatch: DispatchFunction { current.dispatchFunction }
  /// The number of this attempt, starting from 1.
  public var attempt: Int { current.attemptNumber }
  /// The error that the previous attempt threw, or `nil` for the first attempt.
  ///
  /// If the previous attempt exceeded the time limit, the error has the code
  /// ``WorkError/Code/timedOut``.
  public var lastError: (any Error)? { current.lastError }

  @usableFromInline let keptState: State
  @usableFromInline let current: any Attempt

  @inlinable
  init(state: State, _ attempt: any Attempt) {
    keptState = state
    self.current = attempt
  }

  /// Creates the context of an attempt for code that does not know the type of the state.
  init(_ attempt: any Attempt) where State == Void {
    self.init(state: (), attempt)
  }

  /// The current state of the store, of whatever type it is.
  ///
  /// - Throws: An error if the store was released.
  package var storeState: any FluxState {
    get throws {
      guard let state = current.context.state else { throw StoreHasGone() }
      return state
    }
  }

  /// The services of the store.
  ///
  /// The error of a failed look-up names the action. After the store is released, each look-up
  /// throws an error.
  public var services: Services { current.context.services.used(by: current.serviceUser) }

  /// The current time of the clock that the store uses for asynchronous work.
  public var time: Duration { current.context.time }
}
