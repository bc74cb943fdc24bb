public import FluxCore
public import FluxMiddleware

/// One execution of an explored test, in one order of the test's events.
///
/// The closure of ``explore(_:reporter:fileID:filePath:line:column:_:)`` receives a run. Create the
/// stores of the test in the closure, so that the run controls the tasks that the stores start.
///
/// A run is safe to use from any thread.
public final class ExplorationRun: Sendable {
  struct Contents: Sendable {
    var events = PendingEvents()
    var history = OrderHistory()
    var observations: Observations
    /// The continuations of the held calls and the possible events.
    var held: [Int: CheckedContinuation<Int, any Error>] = [:]
    /// The calls that were canceled before they were held.
    var cancelled: Set<Int> = []
    var lastHeld = 0
    /// The steps of timers, which are performed at once.
    var timerSteps: [Int] = []
    /// The steps of the test's own task.
    var ownSteps: [Int] = []
    var ownTask: Int?
    var waiting: UnsafeContinuation<Void, Never>?
    /// The actions that are being dispatched, from the outermost action to the innermost.
    var dispatching: [ActionName] = []
    /// A Boolean value that indicates whether the task of a possible event is being started.
    var isDeclaring = false
    var rules: [Rule] = []
    /// The scopes of all stores, with the secrets that reports hide if the run knows the store.
    var effects: [(scope: EffectScope, redaction: Redaction?)] = []
    /// The test stores, which the run keeps until the end of the order.
    var stores: [any Sendable] = []
    /// The number of all stores that were created, including stores that the run does not know.
    var createdStores = 0
    /// The numbers of the states of the stores that the run knows.
    var states: [UInt64] = []
    /// The stores that the run knows, with their present states.
    var observed: [any StateChecking] = []
    var driver: ThreadIdentity?
    /// The name of the task that performs the present step, or `nil` between steps.
    var running: String?
    /// A Boolean value that indicates whether the present step is a step of the test's own task.
    var isTestRunning = false
    /// The first step that a thread outside the run made ready.
    var escaped: String?
    var isFinished = false
    /// A Boolean value that indicates whether everything that still runs is being ended.
    var isOver = false
  }

  /// The clock of the run, whose time passes only when the order contains a deadline.
  ///
  /// Stores, middleware, and plug-ins that are created in the run use this clock in place of a
  /// `ContinuousClock`.
  public let clock: ManualClock

  let executor = QueueingExecutor()
  let timers = QueueingExecutor()
  let timeline: Timeline
  let contents: Locked<Contents>

  /// The states of all orders, or `nil` if no orders are cut.
  let memory: ExplorationMemory?

  init(memory: ExplorationMemory?) {
    self.memory = memory
    contents = Locked(Contents(observations: Observations(memory?.extent ?? [])))
    clock = ManualClock(
      onReading: { [executor] in executor.report(.readsTime) },
      onSleeping: { [executor] in executor.report(.effect) })
    timeline = Timeline(clock, executor: executor, timerExecutor: timers)
    executor.onReport { [weak self] report in self?.receive(report) }
    timers.onReport { [weak self] report in self?.receiveFromTimer(report) }
  }

  // MARK: The stores

  /// Creates a test store whose failures are part of the run.
  ///
  /// The ``TestStore/exhaustivity`` is `.off`, because the actions from effects have another order
  /// in each run. If a test receives the same actions in all orders, it can set the value to `.on`.
  /// The run keeps the store until the end of the order.
  ///
  /// - Parameters:
  ///   - reducer: A function that changes a state for an action.
  ///   - middleware: The middleware, in the order in which an action passes through it.
  ///   - plugins: The plug-ins of the store.
  ///   - services: The services of the store.
  ///   - state: The initial state.
  ///   - redaction: The secrets in states and actions that reports hide.
  ///   - fileID: The file for reports that are sent when the test store is released.
  ///   - filePath: The path of the file.
  ///   - line: The line.
  ///   - column: The column.
  @inlinable
  public func store<State: FluxState & Equatable>(
    reducer: @escaping MutatingReducer<State>, middleware: [Middleware<State>] = [],
    plugins: [Plugin<State>] = [], services: Services = Services(), state: State,
    redacting redaction: Redaction = .none, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) -> TestStore<State> {
    let store = TestStore(
      reducer: reducer, middleware: middleware, plugins: [plugin(redacting: redaction)] + plugins,
      services: services, state: state, timeoutClock: timeoutClock, redacting: redaction,
      reporter: reporter, fileID: fileID, filePath: filePath, line: line, column: column)
    keep(store)
    return store
  }

  /// Creates a test store with a reducer that returns the next state, whose failures are part of
  /// the run.
  ///
  /// - Parameters:
  ///   - reducer: A function that returns the next state for a state and an action.
  ///   - middleware: The middleware, in the order in which an action passes through it.
  ///   - plugins: The plug-ins of the store.
  ///   - services: The services of the store.
  ///   - state: The initial state.
  ///   - redaction: The secrets in states and actions that reports hide.
  ///   - fileID: The file for reports that are sent when the test store is released.
  ///   - filePath: The path of the file.
  ///   - line: The line.
  ///   - column: The column.
  @inlinable
  public func store<State: FluxState & Equatable>(
    reducer: @escaping Reducer<State>, middleware: [Middleware<State>] = [],
    plugins: [Plugin<State>] = [], services: Services = Services(), state: State,
    redacting redaction: Redaction = .none, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) -> TestStore<State> {
    store(
      reducer: { state, action in state = reducer(state, action) }, middleware: middleware,
      plugins: plugins, services: services, state: state, redacting: redaction, fileID: fileID,
      filePath: filePath, line: line, column: column)
  }

  /// Returns a plug-in for a store that the run does not create, for example the store of an app.
  ///
  /// The run knows the states of a store with the plug-in, so it checks its rules and tries fewer
  /// orders. Pass the plug-in as the first plug-in of the store. If any store of a run has neither
  /// the plug-in nor was created by the run, the run tries all orders.
  ///
  /// - Parameter redaction: The secrets in states and actions that reports hide.
  public func plugin<State: FluxState & Equatable>(
    redacting redaction: Redaction = .none
  ) -> Plugin<State> {
    ObservedStore(in: self, redacting: redaction).plugin
  }

  func dispatching(_ action: ActionName, _ dispatch: () -> Void) {
    receive(.effect)
    let (isOutside, isRemembered) = contents.withLock { contents in
      if contents.isTestRunning, contents.dispatching.isEmpty { contents.history.sent(action) }
      contents.dispatching.append(action)
      return (
        ThreadIdentity.current != contents.driver && contents.escaped == nil,
        contents.observations.extent.contains(.history)
      )
    }
    if isOutside {
      let escape = "\(action.text) was dispatched by a thread outside the run"
      contents.withLock { $0.escaped = $0.escaped ?? escape }
    }
    if isRemembered {
      let hash = action.text.stableHash
      contents.withLock { $0.observations.dispatched(hash) }
    }
    dispatch()
    contents.withLock { _ = $0.dispatching.popLast() }
  }

  /// The reporter of the run's test stores.
  @usableFromInline var reporter: TestReporter {
    TestReporter { [self] report in
      if report.isFailure { fail(report.message) }
    }
  }

  /// The clock of the timeouts of the run's test stores.
  @usableFromInline var timeoutClock: any Clock<Duration> { EndlessClock() }

  /// Keeps a test store until the end of the order.
  @usableFromInline
  func keep<State>(_ store: TestStore<State>) {
    store.exhaustivity = .off
    contents.withLock { $0.stores.append(store) }
  }

  // MARK: Calls

  /// Waits until the order contains the answer to a call of a service.
  ///
  /// A service that tests use calls this method in place of a request to a server:
  ///
  /// ```swift
  /// struct HeldFilms: FilmService {
  ///   let run: ExplorationRun
  ///   func films(about words: String) async throws -> [Film] {
  ///     try await run.answer(to: "films about \(words)", failing: [URLError(.timedOut)]) {
  ///       Film.all.filter { $0.title.contains(words) }
  ///     }
  ///   }
  /// }
  /// ```
  ///
  /// In some orders, the call succeeds. In other orders, the call fails with one of the errors. If
  /// the calling task is canceled, the call fails with a `CancellationError`.
  ///
  /// - Parameters:
  ///   - call: The name of the call, which describes its content.
  ///   - failures: The errors that the call can throw.
  ///   - isCancellable: A Boolean value that indicates whether the call fails when the calling task
  ///     is canceled. If the value is `false`, the call ends only when the order contains its
  ///     answer.
  ///   - value: A closure that returns the value of a successful call, and changes nothing that the
  ///     test observes. The calling task calls the closure when the call receives its answer.
  /// - Returns: The value.
  /// - Throws: One of the errors, or a `CancellationError` if the calling task is canceled.
  public nonisolated(nonsending) func answer<Value>(
    to call: String, failing failures: [any Error] = [], isCancellable: Bool = true,
    _ value: () throws -> Value
  ) async throws -> Value {
    let outcomes = ["success"] + failures.map { "\($0)" }
    let outcome = try await held(isCancellable: isCancellable) { id, contents in
      contents.events.callIsHeld(id, by: contents.running, name: call, outcomes: outcomes)
    }
    return try outcome == 0 ? value() : { throw failures[outcome - 1] }()
  }

  /// Declares an event that can happen at any time, at most once.
  ///
  /// For example, the user can leave a screen at any time. In some orders, the event does not
  /// happen, even if the test waits for it. The event can also happen after the closure of the test
  /// has returned, while work is still running.
  ///
  /// - Parameters:
  ///   - event: The name of the event.
  ///   - act: A closure that makes the event happen.
  public func may(_ event: String, _ act: @escaping @Sendable () async throws -> Void) {
    contents.withLock { contents in
      contents.dispatching.append(ActionName(event))
      contents.isDeclaring = true
    }
    _ = timeline.startTask { [self] in
      // If the call is canceled, the event does not happen in this order.
      let happens: Int? = try? await held(isCancellable: true) { id, contents in
        contents.events.isPossible(id, name: event)
      }
      guard happens != nil else { return }
      do {
        try await act()
      } catch {
        fail("\(event) threw an error: \(error)")
      }
    }
    contents.withLock { contents in
      contents.isDeclaring = false
      _ = contents.dispatching.popLast()
    }
  }

  private nonisolated(nonsending) func held(
    isCancellable: Bool, _ add: @Sendable (_ id: Int, inout Contents) -> Void
  ) async throws -> Int {
    let id = contents.withLock { contents in
      contents.lastHeld += 1
      return contents.lastHeld
    }
    // A call that is not canceled remains held after the cancellation of its work.
    if !isCancellable { receive(.effect) }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let isCancelled = contents.withLock { contents in
          if contents.cancelled.contains(id) || contents.isOver { return true }
          contents.held[id] = continuation
          add(id, &contents)
          return false
        }
        if isCancelled { continuation.resume(throwing: CancellationError()) }
      }
    } onCancel: {
      if isCancellable { cancelCall(id) }
    }
  }

  private func cancelCall(_ id: Int) {
    let continuation = contents.withLock { contents in
      contents.cancelled.insert(id)
      contents.events.remove(id)
      return contents.held.removeValue(forKey: id)
    }
    continuation?.resume(throwing: CancellationError())
  }

  // MARK: Waiting

  /// Waits until nothing happens by itself: no task can continue, and no call is held.
  ///
  /// - Parameter count: The number of calls that remain held. If the number is greater than zero,
  ///   calls receive answers only while more calls are held.
  public nonisolated(nonsending) func untilQuiet(holding count: Int = 0) async {
    await withUnsafeContinuation { continuation in
      let isOver = contents.withLock { contents in
        if contents.isOver { return true }
        contents.events.test = .waiting(holding: count)
        contents.waiting = continuation
        return false
      }
      if isOver { continuation.resume() }
    }
  }

  /// The names of the calls that are held.
  public var heldCalls: [String] {
    contents.withLock { contents in
      contents.observations.beginningsAndEndsAreObserved()
      return contents.events.heldCalls
    }
  }

  func fail(_ message: String) {
    contents.withLock { $0.history.failed(message) }
  }
}
