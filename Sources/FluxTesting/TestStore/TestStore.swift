public import FluxCore
public import FluxMiddleware

/// A store for tests, which asserts what each action does, and that nothing else happens.
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
/// The test sends what a user or a view would, and asserts the change that each action makes: a closure is given the
/// state as it was before the action and makes of it the state that is expected after it. Actions that come from
/// elsewhere (from the work of actions, from middleware and thunks, from other threads) are received: the test asserts
/// them one by one, in the order in which they were reduced. It wraps a ``/FluxCore/Store``, so that every action goes the way
/// that it goes in the app.
///
/// ## What fails
///
/// - An action that changes anything else than expected, or does not make a change that was.
/// - Another action received than expected, or none in time.
/// - Actions received and not asserted, at ``finish(timeout:fileID:filePath:line:column:)`` or when the test store is
///   released.
/// - Effects that run on after `finish`. When effects were started and `finish` was not called, whether they
///   still run would be left to chance when the store is released, so that fails too.
///
/// Failures are reported at the line of the call, by Swift Testing or XCTest, and the test goes on. With
/// ``exhaustivity`` off the test asserts what it chooses.
///
/// ## Order and threads
///
/// A test store is used by one task at a time, on any actor: closures run there, and may capture what is not `Sendable`.
/// Actions may come from any thread. Each assertion is about one action and the states just before and after it,
/// whatever has come since; so `send` may be called while actions wait to be received, and those that come sooner or
/// later do not change what it asserts.
///
/// `send` is synchronous, as `dispatch` is: when it returns, the action has been reduced, unless a middleware holds it.
/// All that waits is asynchronous, and waits without polling.
///
/// The states around an action are kept until it is asserted. The rest costs what the store costs.
///
/// After the test store of the Composable Architecture, for actions of any type and reducers that are functions.
public final class TestStore<State: FluxState & Equatable>: Sendable {
  private struct Settings: Sendable {
    var exhaustivity = Exhaustivity.on
    /// How many effects had been started when the test last waited for them.
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
  ///   - reducer: Makes the next state of a state and an action.
  ///   - middleware: The chain, in the order in which an action passes it.
  ///   - plugins: Extensions of the store.
  ///   - state: The first state.
  ///   - timeout: How long is waited at most, where a call does not say otherwise.
  ///   - timeoutClock: What measures that time: not the clock on which effects sleep.
  ///   - redaction: What of states and actions is secret, and not in any report.
  ///   - reporter: Where failures go.
  ///   - fileID: The file, for what is reported when the test store is released.
  ///   - filePath: The path of the file.
  ///   - line: The line.
  ///   - column: The column.
  public convenience init(
    reducer: @escaping Reducer<State>, middleware: [Middleware<State>]? = nil, plugins: [Plugin<State>] = [],
    state: State,
    timeout: Duration = .seconds(10), timeoutClock: any Clock<Duration> = ContinuousClock(),
    redacting redaction: Redaction = .none, reporter: TestReporter = .ofRunningTest,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) {
    self.init(
      reducer: { state, action in state = reducer(state, action) }, middleware: middleware, plugins: plugins,
      state: state, timeout: timeout, timeoutClock: timeoutClock, redacting: redaction, reporter: reporter,
      fileID: fileID, filePath: filePath, line: line, column: column)
  }

  /// Creates a test store with a reducer that changes the state in place.
  ///
  /// - Parameters:
  ///   - reducer: Changes a state for an action.
  ///   - middleware: The chain, in the order in which an action passes it.
  ///   - plugins: Extensions of the store.
  ///   - state: The first state.
  ///   - timeout: How long is waited at most, where a call does not say otherwise.
  ///   - timeoutClock: What measures that time: not the clock on which effects sleep.
  ///   - redaction: What of states and actions is secret, and not in any report.
  ///   - reporter: Where failures go.
  ///   - fileID: The file, for what is reported when the test store is released.
  ///   - filePath: The path of the file.
  ///   - line: The line.
  ///   - column: The column.
  public init(
    reducer: @escaping MutatingReducer<State>, middleware: [Middleware<State>]? = nil,
    plugins: [Plugin<State>] = [], state: State,
    timeout: Duration = .seconds(10), timeoutClock: any Clock<Duration> = ContinuousClock(),
    redacting redaction: Redaction = .none, reporter: TestReporter = .ofRunningTest,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) {
    let recorder = TransitionRecorder<State>()
    store = Store(
      reducer: reducer, middleware: [recorder.middleware] + (middleware ?? []),
      plugins: [recorder.plugin] + plugins, state: state)
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
  ///   - middleware: The chain, in the order in which an action passes it.
  ///   - plugins: Extensions of the store.
  ///   - state: The first state.
  ///   - timeout: How long is waited at most, where a call does not say otherwise.
  ///   - timeoutClock: What measures that time: not the clock on which effects sleep.
  ///   - redaction: What of states and actions is secret, and not in any report.
  ///   - reporter: Where failures go.
  ///   - fileID: The file, for what is reported when the test store is released.
  ///   - filePath: The path of the file.
  ///   - line: The line.
  ///   - column: The column.
  public convenience init(
    reducer: ActionHandlers<State>, middleware: [Middleware<State>]? = nil, plugins: [Plugin<State>] = [],
    state: State,
    timeout: Duration = .seconds(10), timeoutClock: any Clock<Duration> = ContinuousClock(),
    redacting redaction: Redaction = .none, reporter: TestReporter = .ofRunningTest,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) {
    self.init(
      reducer: reducer.reducer, middleware: middleware, plugins: plugins, state: state, timeout: timeout,
      timeoutClock: timeoutClock, redacting: redaction, reporter: reporter, fileID: fileID,
      filePath: filePath, line: line, column: column)
  }

  deinit {
    reportUnasserted(at: location, because: "when the test store was released")
    if exhaustivity == .on, effects.started > settings.withLock({ $0.settledEffects }) {
      fail(
        """
        The test store was released without finish(), and had started effects.
          Call `await store.finish()` at the end of the test, so that effects that still run are found.
        """, at: location)
    }
  }

  // MARK: - The state

  /// The state as it is now, with all that has been reduced, be it asserted or not.
  public var state: State { store.state }

  var effects: EffectScope { store.effects }

  /// How much of what happens the test has to assert; everything, unless it is set otherwise.
  ///
  /// When it is off:
  /// - The closures of `send` and `receive` are given the state as it is after the action, and have to leave it as it
  ///   is: what they set is asserted, and what they do not set is not. (So they must set values, not add to them.)
  /// - `receive` passes over actions until the one comes that it is for.
  /// - Actions that are not asserted, and effects that nobody waited for, do not fail the test.
  ///
  /// With `.off(showsSkipped: true)` all that is left out is shown, as something that is no failure. To find it the
  /// closures run twice.
  ///
  /// It may be set at any time, and counts for calls from then on.
  public var exhaustivity: Exhaustivity {
    get { settings.withLock { $0.exhaustivity } }
    set { settings.withLock { $0.exhaustivity = newValue } }
  }

  // MARK: - Sending

  /// Sends an action through the chain to the reducer, and asserts what it changes.
  ///
  /// The action is reduced when this returns, and the work that it carries has been started. What that dispatches has
  /// to be received, also what it has dispatched already.
  ///
  /// Asserted is what became of the action itself: if a middleware makes another action of it, that one. If a
  /// middleware passes on more than one, the first of the type that was sent is asserted here (or the first, if none is of
  /// that type), and the others have to be received. An action that does not reach the reducer, because a middleware
  /// keeps it, changes nothing; if it is passed on later it has to be received.
  ///
  /// - Parameters:
  ///   - action: The action.
  ///   - change: Makes of the state before the action the state that is expected after it; without it no change is
  ///     expected. An error that it throws fails the test. See ``exhaustivity`` for what it does when that is off.
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

  /// Shows what was skipped, if that is wanted.
  func show(_ message: String, at location: TestReport.Location) {
    guard exhaustivity == .off(showsSkipped: true) else { return }
    reporter.report(TestReport(message: message, isFailure: false, location: location))
  }

  /// Reports what was received and not asserted, once.
  func reportUnasserted(at location: TestReport.Location, because occasion: String) {
    let steps = recorder.takeAllReceived()
    guard !steps.isEmpty else { return }
    if exhaustivity == .on {
      fail("Not asserted \(occasion): \(steps.listed(redacting: redaction))", at: location)
    } else {
      show("Skipped \(steps.listed(redacting: redaction))", at: location)
    }
  }

  /// Notes that the effects that were started up to now are settled, as far as the test is concerned.
  func settleEffects() {
    let started = effects.started
    settings.withLock { $0.settledEffects = started }
  }
}
