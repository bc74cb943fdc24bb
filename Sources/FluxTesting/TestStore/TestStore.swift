public import FluxCore
public import FluxMiddleware

/// A store for tests that asserts the change of each action, and asserts that no other action
/// is reduced.
///
/// ```swift
/// let store = TestStore(reducer: appReducer, state: AppState())
/// store.send(Load()) { $0.isLoading = true }
/// await store.receive(Loaded.self) {
///   $0.isLoading = false
///   $0.titles = ["Playtime"]
/// }
/// await store.finish()
/// ```
///
/// A test sends the actions that a user or a view would dispatch, and asserts the change that
/// each action makes. The closure of an assertion receives the state before the action, and
/// changes it to the expected state after the action. Actions can also come from effects: from
/// the work of actions, from middleware and thunks, or from other threads. The test receives
/// actions from effects, and asserts them one by one, in the order in which they were reduced.
/// A test store wraps a ``/FluxCore/Store``, so each action takes the same path as in the app.
///
/// ## Failures
///
/// The test fails in each of these cases:
///
/// - An action makes a change that is not expected, or does not make an expected change.
/// - A received action is not the expected action, or no action arrives in time.
/// - A received action has not been asserted when
///   ``finish(timeout:fileID:filePath:line:column:)`` ends, or when the test store is released.
/// - Effects are still running when `finish` times out.
/// - Effects were started, and the test store is released without a call to `finish`. Without
///   this rule, the result of a test could depend on the speed of effects.
///
/// Failures are reported at the line of the call, by Swift Testing or XCTest, and the test
/// continues. If ``exhaustivity`` is off, a test does not have to assert every action and change.
///
/// ## Services
///
/// A test gives services to each test store, for example services that return fixed values. Each
/// test store has only its own services, so parallel tests do not affect each other. The look-up of
/// a service that a test does not provide throws a ``/FluxCore/MissingService`` error.
///
/// ```swift
/// let store = TestStore(
///   reducer: appReducer, services: Services().with(FixedFilms(), as: (any FilmService).self),
///   state: AppState())
/// ```
///
/// ## Order and threads
///
/// Only one task at a time can use a test store, on any actor. Closures run on the actor of the
/// calling task, and can capture values that are not `Sendable`. Actions can come from any
/// thread. Each assertion applies to one action and the states before and after that action,
/// regardless of the actions that follow. A test can therefore call `send` while other actions
/// are waiting to be received. An assertion does not depend on the time at which other actions
/// arrive.
///
/// Like `dispatch`, `send` is synchronous. When `send` returns, the action has been reduced,
/// unless a middleware does not pass the action on. Methods that wait are asynchronous, and do
/// not poll.
///
/// The states before and after an action are retained until the action is asserted. Otherwise, a
/// test store costs as much as a store.
///
/// The design follows the test store of the Composable Architecture, but supports actions of
/// any type, and reducers that are functions.
public final class TestStore<State: FluxState & Equatable>: Sendable {
  private struct Settings: Sendable {
    var exhaustivity = Exhaustivity.on
    /// The number of effects that had been started when the test last waited for effects.
    var settledEffects: UInt64 = 0
  }

  private let store: Store<State>
  private let settings = Locked(Settings())
  private let location: TestReport.Location
  private let reporter: TestReporter

  let recorder: TransitionRecorder<State>
  let timeline: Timeline
  let timeout: Duration
  let redaction: Redaction

  /// Creates a test store with a reducer that returns the next state.
  ///
  /// - Parameters:
  ///   - reducer: A function that returns the next state for a state and an action.
  ///   - middleware: The middleware, in the order in which an action passes through it.
  ///   - plugins: The plug-ins of the store.
  ///   - services: The services of the store, which replace the services that the app uses.
  ///   - state: The initial state.
  ///   - timeout: The maximum time to wait if a call does not specify a timeout.
  ///   - timeoutClock: The clock that measures timeouts, which is separate from the clock on
  ///     which effects sleep.
  ///   - redaction: The secrets in states and actions that reports hide.
  ///   - reporter: The destination of reports.
  ///   - fileID: The file for reports that are sent when the test store is released.
  ///   - filePath: The path of the file.
  ///   - line: The line.
  ///   - column: The column.
  @inlinable
  public convenience init(
    reducer: @escaping Reducer<State>, middleware: [Middleware<State>]? = nil, plugins: [Plugin<State>] = [],
    services: Services = Services(), state: State,
    timeout: Duration = .seconds(10), timeoutClock: any Clock<Duration> = ContinuousClock(),
    redacting redaction: Redaction = .none, reporter: TestReporter = .ofRunningTest,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) {
    self.init(
      reducer: { state, action in state = reducer(state, action) }, middleware: middleware, plugins: plugins,
      services: services, state: state, timeout: timeout, timeoutClock: timeoutClock, redacting: redaction,
      reporter: reporter,
      fileID: fileID, filePath: filePath, line: line, column: column)
  }

  /// Creates a test store with a reducer that changes the state in place.
  ///
  /// - Parameters:
  ///   - reducer: A function that changes a state for an action.
  ///   - middleware: The middleware, in the order in which an action passes through it.
  ///   - plugins: The plug-ins of the store.
  ///   - services: The services of the store, which replace the services that the app uses.
  ///   - state: The initial state.
  ///   - timeout: The maximum time to wait if a call does not specify a timeout.
  ///   - timeoutClock: The clock that measures timeouts, which is separate from the clock on
  ///     which effects sleep.
  ///   - redaction: The secrets in states and actions that reports hide.
  ///   - reporter: The destination of reports.
  ///   - fileID: The file for reports that are sent when the test store is released.
  ///   - filePath: The path of the file.
  ///   - line: The line.
  ///   - column: The column.
  @inlinable
  public convenience init(
    reducer: @escaping MutatingReducer<State>, middleware: [Middleware<State>]? = nil,
    plugins: [Plugin<State>] = [], services: Services = Services(), state: State,
    timeout: Duration = .seconds(10), timeoutClock: any Clock<Duration> = ContinuousClock(),
    redacting redaction: Redaction = .none, reporter: TestReporter = .ofRunningTest,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) {
    let recorder = TransitionRecorder<State>()
    self.init(
      Store(
        reducer: reducer, middleware: [recorder.middleware] + (middleware ?? []),
        plugins: [recorder.plugin] + plugins, services: services, state: state),
      recorder: recorder, timeout: timeout, timeoutClock: timeoutClock, redacting: redaction,
      reporter: reporter, fileID: fileID, filePath: filePath, line: line, column: column)
  }

  /// Creates a test store that wraps a store.
  ///
  /// The module of the test creates the store, so that the compiler specializes the store for its
  /// state.
  @usableFromInline
  init(
    _ store: Store<State>, recorder: TransitionRecorder<State>, timeout: Duration,
    timeoutClock: any Clock<Duration>, redacting redaction: Redaction, reporter: TestReporter,
    fileID: StaticString, filePath: StaticString, line: UInt, column: UInt
  ) {
    self.store = store
    self.recorder = recorder
    self.timeout = timeout
    timeline = Timeline(timeoutClock)
    self.redaction = redaction
    self.reporter = reporter
    location = TestReport.Location(fileID: fileID, filePath: filePath, line: line, column: column)
  }

  /// Creates a test store with handlers that are found by the type of the action.
  ///
  /// - Parameters:
  ///   - reducer: The handlers.
  ///   - middleware: The middleware, in the order in which an action passes through it.
  ///   - plugins: The plug-ins of the store.
  ///   - services: The services of the store, which replace the services that the app uses.
  ///   - state: The initial state.
  ///   - timeout: The maximum time to wait if a call does not specify a timeout.
  ///   - timeoutClock: The clock that measures timeouts, which is separate from the clock on
  ///     which effects sleep.
  ///   - redaction: The secrets in states and actions that reports hide.
  ///   - reporter: The destination of reports.
  ///   - fileID: The file for reports that are sent when the test store is released.
  ///   - filePath: The path of the file.
  ///   - line: The line.
  ///   - column: The column.
  @inlinable
  public convenience init(
    reducer: ActionHandlers<State>, middleware: [Middleware<State>]? = nil, plugins: [Plugin<State>] = [],
    services: Services = Services(), state: State,
    timeout: Duration = .seconds(10), timeoutClock: any Clock<Duration> = ContinuousClock(),
    redacting redaction: Redaction = .none, reporter: TestReporter = .ofRunningTest,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) {
    self.init(
      reducer: reducer.reducer, middleware: middleware, plugins: plugins, services: services, state: state,
      timeout: timeout, timeoutClock: timeoutClock, redacting: redaction, reporter: reporter, fileID: fileID,
      filePath: filePath, line: line, column: column)
  }

  deinit {
    reportUnasserted(at: location, because: "when the test store was released")
    if exhaustivity == .on, effects.started > settings.withLock({ $0.settledEffects }) {
      fail(
        """
        The test store started effects, but was released without a call to finish().
          Call `await store.finish()` at the end of the test to find effects that are still running.
        """, at: location)
    }
  }

  // MARK: - The state

  /// The current state after all reduced actions, including actions that have not been
  /// asserted.
  public var state: State { store.state }

  /// The services that the test store was created with.
  public var services: Services { store.services }

  var effects: EffectScope { store.effects }

  /// The value that determines which events the test must assert.
  ///
  /// The default is `.on`, which requires the test to assert all events. If the value is
  /// `.off`:
  ///
  /// - The closures of `send` and `receive` receive the state after the action, and must leave
  ///   it unchanged. Values that a closure sets are asserted, and other values are not
  ///   asserted. A closure must therefore set absolute values. For example, a closure must not
  ///   increment a number.
  /// - `receive` skips actions until a matching action arrives.
  /// - The test does not fail if an action is not asserted, or if the test does not wait for an
  ///   effect.
  ///
  /// With `.off(showsSkipped: true)`, the test store reports all skipped actions and changes
  /// without making the test fail. To find the skipped changes, the test store calls each closure
  /// twice.
  ///
  /// You can set the property at any time. The new value applies to later calls.
  public var exhaustivity: Exhaustivity {
    get { settings.withLock { $0.exhaustivity } }
    set {
      if newValue != .off { Timeline.keepsHistory() }
      settings.withLock { $0.exhaustivity = newValue }
    }
  }

  // MARK: - Sending

  /// Sends an action through the chain to the reducer, and asserts the change that the action
  /// makes.
  ///
  /// When the call returns, the action has been reduced, and its work has been started. The
  /// test must receive all actions that the work dispatches, including actions that the work
  /// has already dispatched.
  ///
  /// If a middleware replaces the action, the assertion applies to the replacement. If a
  /// middleware passes on more than one action, the assertion applies to the first action that
  /// has the type of the sent action. If no action has the type of the sent action, the
  /// assertion applies to the first action. The test must receive all other actions that the
  /// middleware passes on. If a middleware does not pass the action on, the action does not
  /// reach the reducer, and changes nothing. If a middleware passes the action on later, the
  /// test must receive the action.
  ///
  /// - Parameters:
  ///   - action: The action.
  ///   - change: A closure that changes the state before the action to the expected state after
  ///     the action. Without a closure, no change is expected. If the closure throws an error,
  ///     the test fails. If exhaustivity is off, the closure works differently, as
  ///     ``exhaustivity`` describes.
  ///   - fileID: The file in which a failure is reported.
  ///   - filePath: The path of the file.
  ///   - line: The line.
  ///   - column: The column.
  public func send(
    _ action: any Action, expecting change: ((inout State) throws -> Void)? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) {
    let location = TestReport.Location(fileID: fileID, filePath: filePath, line: line, column: column)
    let expectation = StepExpectation(change: change, exhaustivity: exhaustivity, redaction: redaction)
    if let step = recorder.send(action, by: store.dispatch) {
      report(expectation.judge(step, way: "sent"), at: location)
    } else {
      report(expectation.judgeUnreduced(action, state: state), at: location)
    }
  }

  // MARK: - Reporting

  func report(_ verdict: StepExpectation<State>.Verdict, at location: TestReport.Location) {
    if let failure = verdict.failure { fail(failure, at: location) }
    if let skipped = verdict.skipped { show(skipped, at: location) }
  }

  func fail(_ message: String, at location: TestReport.Location) {
    reporter.report(TestReport(message: message, isFailure: true, location: location))
  }

  /// Shows a message about skipped events if ``exhaustivity`` is `.off(showsSkipped: true)`.
  func show(_ message: String, at location: TestReport.Location) {
    guard exhaustivity == .off(showsSkipped: true) else { return }
    reporter.report(TestReport(message: message, isFailure: false, location: location))
  }

  /// Removes the received actions that were not asserted, and reports them.
  func reportUnasserted(at location: TestReport.Location, because occasion: String) {
    let steps = recorder.takeAllReceived()
    guard !steps.isEmpty, exhaustivity != .off else { return }
    if exhaustivity == .on {
      fail("Not asserted \(occasion): \(steps.listed(redacting: redaction))", at: location)
    } else {
      show("Skipped \(steps.listed(redacting: redaction))", at: location)
    }
  }

  /// Records that the test has waited for all effects that have started so far.
  func settleEffects() {
    let started = effects.started
    settings.withLock { $0.settledEffects = started }
  }
}

/// A value that determines which events a test must assert.
///
/// For the rules, see ``TestStore/exhaustivity``.
public enum Exhaustivity: Sendable, Equatable {
  /// The test must assert each received action, and all changes that each action makes.
  case on
  /// The test does not have to assert every action and change.
  ///
  /// The test does not fail because of skipped events. The events are shown only if
  /// `showsSkipped` is `true`.
  case off(showsSkipped: Bool)

  /// The test does not have to assert every action and change, and skipped events are not shown.
  public static let off = Exhaustivity.off(showsSkipped: false)
}
