public import FluxCore

/// What a run of a listener's effect is given: the store, ways to wait, and a say in what else listens and runs.
///
/// ```swift
/// listeners.start(of: SignIn.self) { signIn, listener in
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
/// **Cancellation.** A run is over when its effect has ended, or before that when it is cancelled. All its waits then
/// throw a ``ListenerError`` with the reason, at once, whatever else they wait for; a wait that is begun after that throws
/// it too, and its forked tasks are cancelled. A run that is cancelled has its task cancelled, so that other waits of the
/// effect learn of it as usual. One that is cancelled before its task got to run is not run at all.
///
/// It may be kept and used from any thread and task. When the task that waits is cancelled for a reason of its own, the
/// wait throws `CancellationError`. The shape is that of Redux Toolkit's `listenerApi`.
public struct ListenerContext<State: Sendable>: Sendable {
  /// The state before the action was reduced.
  ///
  /// Exact, and there as long as the run is: unlike Redux Toolkit, which gives it only until the effect first waits. A
  /// run that goes on for long keeps that old state alive, and what it shares with no newer one takes memory; an effect
  /// that is to go on for ever had better be the work of a task that keeps no context.
  public let originalState: State

  private let listener: Listener<State>
  private let run: ListenerTable<State>.Run
  private let listeners: Listeners<State>

  init(
    originalState: State, listener: Listener<State>, run: ListenerTable<State>.Run,
    listeners: Listeners<State>
  ) {
    self.originalState = originalState
    self.listener = listener
    self.run = run
    self.listeners = listeners
  }

  // MARK: - The store

  /// The state as it is now; `nil` once the store has gone.
  ///
  /// Other actions may have been reduced since the one that the run is for.
  public var state: State? { listeners.state }

  /// The store, to subscribe to and to hand on; it is not kept alive.
  ///
  /// `nil` once the store has gone, and where the plug-in is lifted to a part of the state.
  public var store: StoreProxy<State>? { listeners.store }

  /// Sends an action through the store's whole chain; once the store has gone it does nothing.
  ///
  /// What it causes belongs to the dispatch that caused the run. A run that was cancelled may still dispatch.
  @Sendable
  public func dispatch(_ action: any Action) {
    listeners.dispatch(action)
  }

  // MARK: - Cancellation

  /// Why the run is over, or has to be; `nil` while it goes on.
  public var cancellation: ListenerError.Code? { run.job.end.value }

  /// Whether the run is over, or has to be.
  public var isCancelled: Bool { cancellation != nil }

  /// Throws if the run is over, or has to be.
  public func checkCancellation() throws(ListenerError) { try run.job.check() }

  /// Cancels this run, with ``ListenerError/Code/listenerCancelled``; what it does not wait for goes on.
  public func cancel() {
    run.job.end.fire(.listenerCancelled)
  }

  /// Cancels the runs of this listener whose actions came before this run's, with
  /// ``ListenerError/Code/listenerSuperseded``.
  ///
  /// Not those whose actions came later, as Redux Toolkit does: there an effect begins before `dispatch` returns, so that
  /// at its first line all others are earlier ones. Here tasks begin when they get to run, and of two runs that cancelled
  /// each other the older one might stay. As it is, the newest one does. ``ListenerTaking/latest`` does the same before
  /// the run begins.
  public func cancelActiveListeners() {
    listeners.cancelActive(before: run)
  }

  // MARK: - Listening

  /// Ends the listening of this listener; what runs of it goes on.
  ///
  /// Actions that came before the task got here have started runs of their own: where that matters,
  /// ``ListenerTaking/once`` and ``ListenerTaking/leading`` are exact.
  public func unsubscribe() {
    listeners.pause(listener.id)
  }

  /// Takes the listening of this listener up again, behind all that listen then, if it was ended by ``unsubscribe()``.
  ///
  /// It may be called after the run is over. A listener that was stopped from outside stays stopped.
  public func subscribe() {
    listeners.resume(listener)
  }

  // MARK: - Waiting

  /// Waits for a time, on the clock of the ``Listeners``.
  ///
  /// - Throws: ``ListenerError`` as soon as the run is cancelled or over; an error of the clock.
  public func delay(for duration: Duration) async throws {
    try await run.job.delay(for: duration)
  }

  /// Runs work in a task of its own, and waits for it as long as the run lasts.
  ///
  /// When the run is cancelled this throws at once. The task of the work is cancelled, too; where the work does not look
  /// at that it goes on, and what comes of it is dropped. It belongs to the store's effects until it has ended.
  ///
  /// - Returns: What the work returns.
  /// - Throws: What the work throws; ``ListenerError`` as soon as the run is cancelled or over.
  public func pause<Value: Sendable>(
    for work: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    try await run.job.pause(work)
  }

  /// Runs a body in a task of its own, beside the effect.
  ///
  /// It is cancelled when the run is cancelled or over, unless the run is to wait for it.
  ///
  /// - Parameters:
  ///   - autoJoin: Whether the run is not over, when the effect has ended, before this task is.
  ///   - body: The work; not run at all if it is cancelled before it begins.
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
