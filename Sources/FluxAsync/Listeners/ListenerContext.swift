public import FluxCore

/// The context of one run of a listener's effect.
///
/// The context provides access to the store, methods that wait for actions or durations, and
/// control of the listener and its runs.
///
/// ```swift
/// listeners.start(of: SignIn.self) { signIn, listener in
///   let api = try listener.services((any SessionService).self)
///   let session = try await listener.pause { try await api.signIn(signIn.name) }
///   listener.dispatch(SignedIn(session))
///   let refreshing = listener.fork { task in
///     while true {
///       try await task.delay(for: .seconds(60))
///       listener.dispatch(Refresh())
///     }
///   }
///   try await listener.take(of: SignOut.self)
///   refreshing.cancel()
/// }
/// ```
///
/// **Cancellation.** A run is over when its effect has ended. If a run is over or was canceled,
/// its forked tasks are canceled, and all suspended calls to its context immediately throw a
/// ``ListenerError`` with the reason. Waiting methods that are called later also throw the error.
/// The task of a canceled run is canceled too, so other calls that suspend the effect end as they
/// do in any canceled task. If a run is canceled before its task begins, the effect does not run.
///
/// You can keep the context, and use it from any thread and task. If a waiting task is canceled
/// while the run continues, the waiting method throws a `CancellationError`. The design of the
/// context comes from Redux Toolkit's `listenerApi`.
public struct ListenerContext<State: Sendable>: Sendable {
  /// The state before the action was reduced.
  ///
  /// The original state is the state immediately before the action, and is available during the
  /// whole run. In Redux Toolkit, the original state is available only until the effect first
  /// waits. A long run keeps the old state in memory, except for storage that the state shares
  /// with newer states. Instead of an effect that never ends, use a task that does not retain
  /// the context.
  public let originalState: State

  private let listener: Listener<State>
  private let run: ListenerTable<State>.Run
  private let listeners: Listeners<State>
  private let user: ServiceUser

  init(
    after transition: StateTransition<State>, listener: Listener<State>, run: ListenerTable<State>.Run,
    listeners: Listeners<State>
  ) {
    originalState = transition.before
    user = ServiceUser(type(of: transition.action))
    self.listener = listener
    self.run = run
    self.listeners = listeners
  }

  // MARK: - The store

  /// The current state, or `nil` after the store was released.
  ///
  /// Other actions may have been reduced after the action that started the run.
  public var state: State? { listeners.state }

  /// A proxy for the store.
  ///
  /// Use the proxy to subscribe to the store, or pass the proxy to other code.
  ///
  /// The proxy does not keep the store alive. The value is `nil` after the store was released,
  /// or if the plug-in is lifted to a part of the state.
  public var store: StoreProxy<State>? { listeners.store }

  /// The services of the store, or of the lifted plug-in of the listeners.
  ///
  /// The error of a failed look-up names the action that started the run. After the store is
  /// released, each look-up throws an error.
  public var services: Services { listeners.services.used(by: user) }

  /// Dispatches an action through the store's whole chain.
  ///
  /// After the store was released, the method has no effect.
  ///
  /// Work that the action starts belongs to the dispatch that caused the run. A canceled run can
  /// still dispatch actions.
  @Sendable
  public func dispatch(_ action: any Action) {
    listeners.dispatch(action)
  }

  // MARK: - Cancellation

  /// The reason why the run is over or was canceled, or `nil` while the run continues.
  public var cancellation: ListenerError.Code? { run.job.end.value }

  /// A Boolean value that indicates whether the run is over or was canceled.
  public var isCancelled: Bool { cancellation != nil }

  /// Throws an error if the run is over or was canceled.
  public func checkCancellation() throws(ListenerError) { try run.job.check() }

  /// Cancels this run with ``ListenerError/Code/listenerCancelled``.
  ///
  /// The effect continues to run until it calls a waiting method, which throws a
  /// ``ListenerError``.
  public func cancel() {
    run.job.end.fire(.listenerCancelled)
  }

  /// Cancels the earlier runs of this listener with ``ListenerError/Code/listenerSuperseded``.
  ///
  /// An earlier run is a run whose action was reduced before the action that started this run. In
  /// Redux Toolkit, the method cancels all other runs. In Flux, tasks can begin in any order, so
  /// an older run could cancel a newer run if the method canceled all other runs. To cancel the
  /// earlier runs before a new run begins, use ``ListenerTaking/latest``.
  public func cancelActiveListeners() {
    listeners.cancelActive(before: run)
  }

  // MARK: - Listening

  /// Unsubscribes this listener, without canceling its runs.
  ///
  /// Actions that arrived before this call have already started runs. If the exact number of
  /// runs matters, use ``ListenerTaking/once`` or ``ListenerTaking/leading``.
  public func unsubscribe() {
    listeners.pause(listener.id)
  }

  /// Subscribes this listener again, after all other listeners, if a run of the listener has
  /// unsubscribed it.
  ///
  /// The method can be called after the run is over. The method has no effect on a listener that
  /// other code has stopped.
  public func subscribe() {
    listeners.resume(listener)
  }

  // MARK: - Waiting

  /// Waits for a duration, as measured by the clock of the ``Listeners`` instance.
  ///
  /// - Throws: A ``ListenerError`` as soon as the run is canceled or has ended, or an error that
  ///   the clock throws.
  public func delay(for duration: Duration) async throws {
    try await run.job.delay(for: duration)
  }

  /// Runs a closure in a separate task, and waits until the closure has returned or the run has
  /// ended.
  ///
  /// When the run is canceled, the method throws immediately, and the task of the work is
  /// canceled. Work that does not check for cancellation continues, and its result is dropped.
  /// The store counts the work among its effects until the work has ended.
  ///
  /// - Returns: The value that the work returns.
  /// - Throws: The error that the work throws, or a ``ListenerError`` as soon as the run is
  ///   canceled or has ended.
  public func pause<Value: Sendable>(
    for work: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    try await run.job.pause(work)
  }

  /// Runs a closure in a separate task, alongside the effect.
  ///
  /// The task is canceled when the run is canceled or has ended. With `autoJoin`, the run is
  /// not over until the task has ended.
  ///
  /// - Parameters:
  ///   - autoJoin: A Boolean value that indicates whether the run waits for this task after the
  ///     effect has ended.
  ///   - body: The closure to run. The closure does not run if the task is canceled before the
  ///     task begins.
  @discardableResult
  public func fork<Value: Sendable>(
    autoJoin: Bool = false, _ body: @escaping @Sendable (_ task: ForkContext) async throws -> Value
  ) -> ForkedTask<Value> {
    ForkedTask(of: run.job, autoJoin: autoJoin, body)
  }

  func wait(
    for subject: ListenerSubject<State>, timeout: Duration?, doing start: () -> Void
  ) async throws -> StateTransition<State>? {
    try await listeners.wait(for: subject, timeout: timeout, doing: start, in: run.job)
  }
}
