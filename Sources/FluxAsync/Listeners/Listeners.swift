public import FluxCore

/// The listeners of a store: effects that run when certain actions have been reduced.
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
/// **Order.** A listener hears of an action after it was reduced, exactly once, in commit order, with the states around
/// that very action, whatever other threads do. Predicates are asked in the order in which listeners were started. For
/// each action that a listener takes, its effect begins as a task of its own; so `dispatch` returns without waiting for
/// it, and effects run beside each other. Where it matters which run wins, ``ListenerTaking`` decides it in commit order.
///
/// **Lifetime.** Effects run in the store's scope: when the store goes they are cancelled, and what listens is let go of.
/// Nothing here keeps the store alive. Effects belong to the dispatch that caused them, so that
/// ``FluxCore/Store/dispatchAsync(_:)`` waits for them and cancels them; those of an action that was reduced when its
/// dispatch had been cancelled already belong to the store alone. Listeners serve one store; giving them to a
/// second one stops the program with a message.
///
/// **Errors.** What an effect or a predicate throws goes to `onError`. Without one, an ordinary error is dispatched as
/// ``WorkFailed``. Cancellation is no error.
///
/// **Cost.** An action that nobody cares about costs a look-up of its type, a comparison for each
/// wait, and the predicates. Starting a listener is O(m) for m of the same type, stopping one O(n)
/// for n of all. A run's beginning and the cancellation of a run are amortized O(1), the end of a
/// run is O(log n) for n that run. The plug-in asks for states, with the price that
/// ``/FluxCore/TransitionObserver/states(_:)`` tells of.
///
/// Safe from any thread. The idea is Redux Toolkit's listener middleware; that of its way of waiting redux-saga's.
public final class Listeners<State: Sendable>: Sendable {
  /// What is known of the store.
  private enum Connection: Sendable {
    case none
    /// The store is being made.
    case begun(ActionContext)
    case ready(ActionContext, Way)
    case gone
  }

  /// How to reach the store, in a struct since functions in an enum would be wrapped in thunks.
  private struct Way: Sendable {
    let dispatch: DispatchFunction
    let getState: @Sendable () -> State?
  }

  private let table = Locked(ListenerTable<State>())
  private let connection = Locked(Connection.none)
  private let timeline: Timeline
  private let onError: (@Sendable (ListenerFailure) -> Void)?

  /// Creates listeners for a store that they are yet to be given to; they may be started before.
  ///
  /// - Parameters:
  ///   - clock: What measures delays and timeouts.
  ///   - onError: Told of what effects and predicates throw: on the effect's task, and on the thread that delivers. Without
  ///     it errors are dispatched as ``WorkFailed``, save those of runs that had been cancelled before, which are taken
  ///     for consequences of that.
  public init(
    clock: any Clock<Duration> = ContinuousClock(),
    onError: (@Sendable (_ failure: ListenerFailure) -> Void)? = nil
  ) {
    timeline = Timeline(clock)
    self.onError = onError
  }

  /// What to make the store with.
  ///
  /// It can be lifted to a part of the state. It takes ``ListenerAction``s for itself, as far behind in the chain as the
  /// plug-in stands.
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

  /// Has a listener listen, behind all that do already; one that listens goes on as it is.
  ///
  /// It hears of what is delivered from now on. Once the store has gone it does nothing.
  @discardableResult
  public func start(_ listener: Listener<State>) -> StartedListener<State> {
    table.withLock { $0.start(listener) }
    return StartedListener(id: listener.id, listeners: self)
  }

  /// Has a new listener listen for the actions of one exact type.
  @discardableResult
  public func start<Heard: Action>(
    of type: Heard.Type, taking: ListenerTaking = .every,
    effect: @escaping @Sendable (_ action: Heard, _ listener: ListenerContext<State>) async throws -> Void
  ) -> StartedListener<State> {
    start(Listener(of: type, taking: taking, effect: effect))
  }

  /// Has a new listener listen for the actions of several exact types.
  @discardableResult
  public func start(
    of types: [any Action.Type], taking: ListenerTaking = .every,
    effect:
      @escaping @Sendable (_ action: any Action, _ listener: ListenerContext<State>) async throws -> Void
  ) -> StartedListener<State> {
    start(Listener(of: types, taking: taking, effect: effect))
  }

  /// Has a new listener listen for the actions that a predicate picks, by the states after and before them.
  @discardableResult
  public func start(
    when predicate: @escaping ListenerPredicate<State>,
    taking: ListenerTaking = .every,
    effect:
      @escaping @Sendable (_ action: any Action, _ listener: ListenerContext<State>) async throws -> Void
  ) -> StartedListener<State> {
    start(Listener(when: predicate, taking: taking, effect: effect))
  }

  /// Stops a listener: when this returns, no further run of it begins.
  ///
  /// What runs of it goes on, unless it is to be cancelled, but cannot ``ListenerContext/subscribe()`` it again. It may be
  /// started anew.
  ///
  /// - Parameters:
  ///   - id: The listener's, as ``start(_:)`` gave it.
  ///   - cancellingActive: Whether to cancel what runs of it, with ``ListenerError/Code/listenerStopped``; also when it
  ///     was stopped before.
  /// - Returns: Whether it was there to be stopped.
  @discardableResult
  public func stop(_ id: ListenerID, cancellingActive: Bool = false) -> Bool {
    let (wasThere, stopped, ending) = table.withLock {
      table -> (Bool, ListenerTable<State>.Started?, [Notice]) in
      let (wasThere, stopped) = table.stop(id)
      return (wasThere, stopped, cancellingActive ? mark(table.takeRuns(of: id), .listenerStopped) : [])
    }
    withExtendedLifetime(stopped) {}
    tell(ending)
    return wasThere
  }

  /// Stops all listeners, and cancels all that runs, also of listeners that were stopped before.
  public func clear() {
    let (stopped, ending) = table.withLock { ($0.clear(), mark($0.takeAllRuns(), .listenerStopped)) }
    withExtendedLifetime(stopped) {}
    tell(ending)
  }

  /// Whether a listener listens.
  public func isListening(_ id: ListenerID) -> Bool { table.withLock { $0.isListening(id) } }

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
    // What runs is ended with the store's scope.
    let old = connection.exchange(.gone)
    let stopped = table.withLock { $0.end() }
    withExtendedLifetime((old, stopped)) {}
  }

  private typealias Notice = OneShot<ListenerError.Code>.Notice

  /// Marks runs as cancelled, under the table's lock: a run is cancelled as soon as the table no
  /// longer has it as active.
  ///
  /// - Returns: What ``tell(_:)`` needs to cancel the tasks of the runs.
  private func mark(_ runs: [ListenerTable<State>.Run], _ code: ListenerError.Code) -> [Notice] {
    runs.compactMap { $0.job.end.settle(code) }
  }

  /// Cancels the tasks of runs that were marked, outside the table's lock.
  private func tell(_ notices: [Notice]) {
    for notice in notices { notice.tell() }
  }

  private var reached: (context: ActionContext, way: Way)? {
    guard case .ready(let context, let way) = connection.withLock({ $0 }) else { return nil }
    return (context, way)
  }

  var state: State? { reached?.way.getState() }
  var store: StoreProxy<State>? { reached?.context.store(of: State.self) }

  func dispatch(_ action: any Action) { reached?.way.dispatch(action) }

  // MARK: - Actions

  private static var failed: ActionType { ActionType(WorkFailed.self) }

  private func receive(_ transition: StateTransition<State>) {
    let (listeners, waiters) = table.withLock { $0.candidates(for: transition.action) }
    if listeners.isEmpty, waiters.isEmpty { return }
    // Who fails to handle a failure is not asked to handle that: it would go on for ever.
    if Self.failed.matches(transition.action),
      transition.action.knownToBe(WorkFailed.self).action is WorkFailed
    {
      return
    }
    for started in listeners where matches(started.listener.subject, transition) { run(started, transition) }
    for waiter in waiters where matches(waiter.subject, transition) { waiter.tell(transition) }
  }

  /// Asks a predicate; who listens for types has been looked up.
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
    // The action was reduced, so it is heard, even if what it belonged to was cancelled.
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
    // Whatever ends the run, also before it began.
    let context = ListenerContext(
      originalState: transition.before, listener: started.listener, run: run, listeners: self)
    EffectScope.$current.withValue(belonging) {
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

  /// Waits for an action, as long as a job lasts, after it has run a closure.
  ///
  /// - Returns: The transition; `nil` when the time was over before.
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
