public import FluxCore

/// An object that contains the listeners of a store, and runs their effects after matching
/// actions are reduced.
///
/// ```swift
/// let listeners = Listeners<AppState>()
/// let store = Store(reducer: appReducer, plugins: [listeners.plugin], state: AppState())
///
/// listeners.start(of: Search.self, taking: .latest) { search, listener in
///   try await listener.delay(for: .milliseconds(300))
///   listener.dispatch(Found(try await listener.pause { try await api.search(search.text) }))
/// }
/// ```
///
/// **Order.** A listener receives each action exactly once, after the action is reduced, in the
/// order in which actions are reduced. A listener also receives the states immediately before and
/// after the action, even if other threads dispatch actions at the same time. Predicates are
/// called in the order in which the listeners were started. Each run of an effect begins in a
/// separate task. `dispatch` therefore returns without waiting for effects, and effects run
/// concurrently. The ``ListenerTaking`` rule of a listener determines which runs begin and which
/// runs are canceled.
///
/// **Lifetime.** Effects run in the store's scope. When the store is released, the effects are
/// canceled and the listeners are released. Listeners do not keep the store alive. An effect
/// belongs to the dispatch that caused it, so the task that ``FluxCore/Store/dispatchAsync(_:)``
/// returns can wait for the effect and cancel it. If the dispatch was canceled before its action
/// was reduced, the effect belongs only to the store. Use each instance with only one store.
/// Adding an instance to a second store stops the program with a message.
///
/// **Errors.** `onError` receives the errors that effects and predicates throw. Without
/// `onError`, an error is dispatched as ``WorkFailed``. A cancellation is not reported as an
/// error.
///
/// **Cost.** An action that matches no listener costs a lookup of its type, a comparison for each
/// suspended call to a method that waits for an action, and the calls to the predicates. Starting
/// a listener is O(m) for m listeners of the same type, and stopping a listener is O(n) for n
/// listeners. Beginning or canceling a run is amortized O(1), and ending a run is O(log n) for n
/// runs. The plug-in also observes transitions with their states. For the cost, see
/// ``/FluxCore/TransitionObserver/states(_:)``.
///
/// The class is safe to use from any thread. The design of the class comes from Redux Toolkit's
/// listener middleware, and the methods that wait for actions come from redux-saga.
public final class Listeners<State: Sendable>: Sendable {
  /// The state of the connection to the store.
  private enum Connection: Sendable {
    case none
    /// The store is being created.
    case begun(ActionContext)
    case ready(ActionContext, Way)
    case gone
  }

  /// The functions that access the store.
  ///
  /// The functions are stored in a structure, because the compiler adds a wrapper to each
  /// function in an enumeration.
  private struct Way: Sendable {
    let dispatch: DispatchFunction
    let getState: @Sendable () -> State?
  }

  private let table = Locked(ListenerTable<State>())
  private let connection = Locked(Connection.none)
  private let timeline: Timeline
  private let onError: (@Sendable (ListenerFailure) -> Void)?

  /// Creates listeners for a store that is created later.
  ///
  /// Listeners can be started before the store is created.
  ///
  /// - Parameters:
  ///   - clock: The clock that measures delays and timeouts.
  ///   - onError: A closure that receives errors. If an effect throws an error, the closure is
  ///     called in the effect's task. If a predicate throws an error, the closure is called on
  ///     the thread that delivers the action. Without a closure, errors are dispatched as
  ///     ``WorkFailed``. Errors of canceled runs are not dispatched, because they are assumed to
  ///     result from the cancellation.
  public init(
    clock: any Clock<Duration> = ContinuousClock(),
    onError: (@Sendable (_ failure: ListenerFailure) -> Void)? = nil
  ) {
    timeline = Timeline(clock)
    self.onError = onError
  }

  /// The plug-in that connects the listeners to a store.
  ///
  /// Create the store with this plug-in. The plug-in can be lifted to a part of the state. The
  /// middleware of the plug-in handles each ``ListenerAction``, and does not pass the action on.
  public var plugin: Plugin<State> {
    Plugin(
      middleware: { dispatch, getState in
        self.connect(Way(dispatch: dispatch, getState: getState))
        let own = ActionType(ListenerAction<State>.self)
        return { next in
          own.branch(
            to: { action in self.carryOut(action.knownToBe(ListenerAction<State>.self)) }, otherwise: next)
        }
      },
      onTransition: .states { transition in self.receive(transition) },
      onStoreStart: { context in self.begin(context) },
      onStoreEnd: { _ in self.end() })
  }

  // MARK: - Starting and stopping

  /// Starts a listener, and adds the listener after all active listeners.
  ///
  /// The listener receives the actions that are delivered after the call. If the listener is
  /// already listening, or if the store was released, the method has no effect.
  @discardableResult
  public func start(_ listener: Listener<State>) -> StartedListener<State> {
    Timeline.stepAffectsOthers()
    table.withLock { $0.start(listener) }
    return StartedListener(id: listener.id, listeners: self)
  }

  /// Starts a new listener for the actions of exactly one type.
  @discardableResult
  public func start<Heard: Action>(
    of type: Heard.Type, taking: ListenerTaking = .every,
    effect: @escaping @Sendable (_ action: Heard, _ listener: ListenerContext<State>) async throws -> Void
  ) -> StartedListener<State> {
    start(Listener(of: type, taking: taking, effect: effect))
  }

  /// Starts a new listener for actions whose type is exactly one of several types.
  @discardableResult
  public func start(
    of types: [any Action.Type], taking: ListenerTaking = .every,
    effect:
      @escaping @Sendable (_ action: any Action, _ listener: ListenerContext<State>) async throws -> Void
  ) -> StartedListener<State> {
    start(Listener(of: types, taking: taking, effect: effect))
  }

  /// Starts a new listener for the actions that satisfy a predicate.
  ///
  /// The predicate also receives the states after and before each action.
  @discardableResult
  public func start(
    when predicate: @escaping ListenerPredicate<State>,
    taking: ListenerTaking = .every,
    effect:
      @escaping @Sendable (_ action: any Action, _ listener: ListenerContext<State>) async throws -> Void
  ) -> StartedListener<State> {
    start(Listener(when: predicate, taking: taking, effect: effect))
  }

  /// Stops a listener, so that no further run begins after this method returns.
  ///
  /// Runs of the listener continue unless they are canceled. A run cannot subscribe a stopped
  /// listener again with ``ListenerContext/subscribe()``, but ``start(_:)`` can start the
  /// listener again.
  ///
  /// - Parameters:
  ///   - id: The identity of the listener.
  ///   - cancellingActive: A Boolean value that indicates whether to cancel the runs of the
  ///     listener. The code of the cancellation is ``ListenerError/Code/listenerStopped``. The
  ///     runs are canceled even if the listener was already stopped.
  /// - Returns: A Boolean value that indicates whether there was a listener to stop.
  @discardableResult
  public func stop(_ id: ListenerID, cancellingActive: Bool = false) -> Bool {
    Timeline.stepAffectsOthers()
    let (wasThere, stopped, ending) = table.withLock {
      table -> (Bool, ListenerTable<State>.Started?, [Notice]) in
      let (wasThere, stopped) = table.stop(id)
      return (wasThere, stopped, cancellingActive ? mark(table.takeRuns(of: id), .listenerStopped) : [])
    }
    withExtendedLifetime(stopped) {}
    tell(ending)
    return wasThere
  }

  /// Stops all listeners, and cancels all runs, including runs of listeners that were already
  /// stopped.
  public func clear() {
    Timeline.stepAffectsOthers()
    let (stopped, ending) = table.withLock { ($0.clear(), mark($0.takeAllRuns(), .listenerStopped)) }
    withExtendedLifetime(stopped) {}
    tell(ending)
  }

  /// Returns a Boolean value that indicates whether a listener is listening.
  public func isListening(_ id: ListenerID) -> Bool {
    Timeline.stepAffectsOthers()
    return table.withLock { $0.isListening(id) }
  }

  private func carryOut(_ action: ListenerAction<State>) {
    switch action {
    case .start(let listener): start(listener)
    case .stop(let id, let cancellingActive): stop(id, cancellingActive: cancellingActive)
    case .clear: clear()
    }
  }

  // MARK: - The store

  private func begin(_ context: ActionContext) {
    let isFirst = connection.withLock { connection in
      guard case .none = connection else { return false }
      connection = .begun(context)
      return true
    }
    if !isFirst { Misuse.listenersOfSecondStore(self) }
  }

  private func connect(_ way: Way) {
    connection.withLock { connection in
      if case .begun(let context) = connection { connection = .ready(context, way) }
    }
  }

  private func end() {
    // The runs are canceled when the store's scope ends.
    let old = connection.exchange(.gone)
    let stopped = table.withLock { $0.end() }
    withExtendedLifetime((old, stopped)) {}
  }

  private typealias Notice = OneShot<ListenerError.Code>.Notice

  /// Marks runs as canceled while the table is locked.
  ///
  /// Each run is therefore marked as canceled before another thread can access the table.
  ///
  /// - Returns: The notices that ``tell(_:)`` uses to cancel the tasks of the runs.
  private func mark(_ runs: [ListenerTable<State>.Run], _ code: ListenerError.Code) -> [Notice] {
    runs.compactMap { $0.job.end.settle(code) }
  }

  /// Cancels the tasks of runs that are marked as canceled, outside the lock of the table.
  private func tell(_ notices: [Notice]) {
    for notice in notices { notice.tell() }
  }

  private var reached: (context: ActionContext, way: Way)? {
    guard case .ready(let context, let way) = connection.withLock({ $0 }) else { return nil }
    return (context, way)
  }

  var state: State? { reached?.way.getState() }
  var store: StoreProxy<State>? { reached?.context.store(of: State.self) }
  var services: Services { reached?.context.services ?? .ofReleasedStore }

  func dispatch(_ action: any Action) { reached?.way.dispatch(action) }

  // MARK: - Actions

  private static var failed: ActionType { ActionType(WorkFailed.self) }

  private func receive(_ transition: StateTransition<State>) {
    let (listeners, waiters) = table.withLock { $0.candidates(for: transition.action) }
    if listeners.isEmpty, waiters.isEmpty { return }
    // Without this check, a listener that fails to handle a failure would receive its own
    // failures forever.
    if Self.failed.matches(transition.action),
      transition.action.knownToBe(WorkFailed.self).action is WorkFailed
    {
      return
    }
    for started in listeners where matches(started.listener.subject, transition) { run(started, transition) }
    for waiter in waiters where matches(waiter.subject, transition) { waiter.tell(transition) }
  }

  /// Returns whether a transition matches a subject that contains either types or a predicate.
  ///
  /// If the subject contains types, the result is `true`, because the table has already compared
  /// the type of the action.
  private func matches(_ subject: ListenerSubject<State>, _ transition: StateTransition<State>) -> Bool {
    switch subject {
    case .types: return true
    case .predicate(let predicate):
      do {
        return try predicate(transition.action, transition.after, transition.before)
      } catch {
        report(error, transition.action, .predicate, wasCancelled: false)
        return false
      }
    }
  }

  private func run(_ started: ListenerTable<State>.Started, _ transition: StateTransition<State>) {
    guard let store = reached?.context.scope else { return }
    // The action was reduced, so the listener receives it, even if the dispatch was canceled.
    let belonging = transition.scope.flatMap { $0.hasEnded ? nil : $0 }
    let scope = store.joined(by: belonging)
    let job = ListenerJob(in: scope, of: store, on: timeline)
    let (beginning, ending) = table.withLock { table -> (ListenerTable<State>.Beginning, [Notice]) in
      let beginning = table.begin(started, job)
      guard case .begun(_, let superseded) = beginning else { return (beginning, []) }
      return (beginning, mark(superseded, .listenerSuperseded))
    }
    tell(ending)
    guard case .begun(let run, _) = beginning else { return }
    // The `finally` closure is called when the run ends, even if the effect never began.
    let context = ListenerContext(
      after: transition, listener: started.listener, run: run, listeners: self)
    EffectScope.withCurrent(belonging) {
      job.start(completing: .listenerCompleted) {
        do {
          try await started.listener.effect(transition.action, context)
        } catch {
          self.report(error, transition.action, .effect, wasCancelled: job.end.value != nil)
        }
      } finally: {
        self.table.withLock { $0.finish(run) }
      }
    }
  }

  private func report(
    _ error: any Error, _ action: any Action, _ origin: ListenerFailure.Origin, wasCancelled: Bool
  ) {
    if error is CancellationError || error is ListenerError { return }
    if let onError {
      onError(ListenerFailure(error: error, action: action, origin: origin, wasCancelled: wasCancelled))
    } else if !wasCancelled {
      dispatch(WorkFailed(error: error, action: action))
    }
  }

  // MARK: - For the context

  func cancelActive(before run: ListenerTable<State>.Run) {
    tell(table.withLock { mark($0.takeRuns(of: run.listener, before: run), .listenerSuperseded) })
  }

  func pause(_ id: ListenerID) {
    withExtendedLifetime(table.withLock { $0.pause(id) }) {}
  }

  func resume(_ listener: Listener<State>) {
    table.withLock { $0.resume(listener) }
  }

  /// Waits for an action, or until a job ends.
  ///
  /// The method calls the `start` closure after it has begun to wait.
  ///
  /// - Returns: The transition, or `nil` if the time limit has passed.
  func wait(
    for subject: ListenerSubject<State>, timeout: Duration?, doing start: () -> Void, in job: ListenerJob
  ) async throws -> StateTransition<State>? {
    try job.check()
    let result = OneShot<Result<StateTransition<State>?, any Error>>()
    let waiter = table.withLock { table in
      table.wait(for: subject) { transition in result.fire(.success(transition)) }
    }
    defer { withExtendedLifetime(table.withLock { $0.stopWaiting(waiter) }) {} }
    let timer = timeout.flatMap { timeout in
      job.startTimer(timeout) { over in result.fire(over.map { nil }) }
    }
    defer { timer?.cancel() }
    start()
    return try await job.wait(for: result)
  }
}
