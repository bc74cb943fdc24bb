import FluxCore

/// The orders that an exploration tries.
public enum Exploration: Sendable, Equatable {
  /// All orders, with few deviations from first come, first served first.
  ///
  /// If there are more orders than the limit, the test fails.
  case exhaustive(limit: Int = 10_000)
  /// A number of random orders.
  ///
  /// The same seed leads to the same orders. If an order fails, the exploration searches for an
  /// order with fewer deviations from first come, first served that also fails. Each part of this
  /// search tries at most `runs` orders. If `runs` is not positive, the test fails.
  case random(seed: UInt64, runs: Int)
  /// The order that the report of a failure contains.
  case replay(String)
}

/// The result of an exploration.
public struct ExplorationReport: Sendable {
  /// The number of orders that were tried.
  public internal(set) var orders = 0
  /// The number of orders that were not tried, because they continue in the same way as an order
  /// that was tried.
  public internal(set) var cut = 0
  /// The number of different states that occurred in the stores that the run knows.
  public internal(set) var states = 0
  /// A Boolean value that indicates whether all orders were tried.
  public internal(set) var isComplete = false
  /// The order that failed, or `nil` if no order failed.
  public internal(set) var failure: Failure?

  /// An order that failed.
  public struct Failure: Sendable {
    /// The events of the order, and the failure.
    public var story: String { events.joined(separator: " → ") }
    /// The events of the order from first to last, and the failure.
    let events: [String]
    /// The messages of the failures.
    public let messages: [String]
    /// The text that repeats the order, for ``Exploration/replay(_:)``.
    public let replay: String
  }
}

/// Runs a test once for each order in which the asynchronous work of its stores can happen.
///
/// ```swift
/// @Test func searchShowsTheLastQuery() async {
///   await explore { run in
///     let store = run.store(
///       reducer: appReducer,
///       services: Services().with(HeldFilms(run: run), as: (any FilmService).self),
///       state: AppState())
///     store.send(Search("a"))
///     store.send(Search("ab"))
///     await run.untilQuiet()
///     #expect(store.state.results.query == "ab")
///   }
/// }
/// ```
///
/// The run performs one event at a time: a step of a task, the answer to a call that a service
/// holds with ``ExplorationRun/answer(to:failing:isCancellable:_:)``, the next deadline of the
/// clock, or an event that the test declares with ``ExplorationRun/may(_:_:)``. Where several
/// events are pending, each order chooses another event. Code of the test itself runs as soon as it
/// can. The step of a task that receives an answer is part of the answer.
///
/// Orders that continue in the same way are tried once, if the run knows all stores. A run knows
/// the stores that it creates with `run.store(…)`, and the stores with its
/// ``ExplorationRun/plugin(redacting:)``. The exploration assumes that tasks affect each other only
/// by the states of these stores, by calls, and by the clock. If a test changes other values, for
/// example the contents of a server that a service imitates, keep them in the state of a store.
///
/// An order fails if an expectation fails, if a rule of the run is broken or is about a state that
/// no store has, if the test throws an error, if work is still running at the end, or if the test
/// waits for something that does not happen. The function reports the first order that fails. No
/// order with fewer deviations from first come, first served fails.
///
/// The function calls the closure again for each order, so the closure creates everything that the
/// test changes. Tasks that do not belong to a store, such as a `Task` that the test creates, and
/// code on the main actor are not controlled by the run. The report names them.
///
/// - Parameters:
///   - exploration: The orders to try.
///   - reporter: The destination of the report.
///   - fileID: The file in which a failure is reported.
///   - filePath: The path of the file.
///   - line: The line.
///   - column: The column.
///   - test: A closure that performs the test.
/// - Returns: The number of orders, and the order that failed.
@discardableResult
public func explore(
  _ exploration: Exploration = .exhaustive(), reporter: TestReporter = .ofRunningTest,
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
  column: UInt = #column, _ test: @escaping @Sendable (ExplorationRun) async throws -> Void
) async -> ExplorationReport {
  let report = await Explorer(test: test).explore(exploration)
  if let message = report.message(of: exploration) {
    let location = TestReport.Location(fileID: fileID, filePath: filePath, line: line, column: column)
    reporter.report(TestReport(message: message, isFailure: true, location: location))
  }
  return report
}

/// The strategies that an exploration uses.
struct Explorer: Sendable {
  /// A Boolean value that indicates whether orders are cut that continue in the same way as an
  /// order that is tried.
  let cutsOrders: Bool
  let test: @Sendable (ExplorationRun) async throws -> Void
  private let memory = ExplorationMemory()

  init(
    cutsOrders: Bool = true, test: @escaping @Sendable (ExplorationRun) async throws -> Void
  ) {
    self.cutsOrders = cutsOrders
    self.test = test
  }

  func explore(_ exploration: Exploration) async -> ExplorationReport {
    var report =
      switch exploration {
      case .exhaustive(let limit): await exhaustively(limit)
      case .random(let seed, let runs): await randomly(seed, runs)
      case .replay(let text): await replaying(text)
      }
    report.states = memory.count
    return report
  }

  /// Runs the test in one order.
  func run(_ chooser: OrderChooser) async -> ExplorationRun.Outcome {
    await ExplorationRun(memory: cutsOrders ? memory : nil).perform(test, choosing: chooser)
  }

  /// Tries all orders whose deviations have a lower cost than a limit, up to a number of orders.
  private func exhaustively(_ limit: Int, below cost: Int = .max) async -> ExplorationReport {
    var search = OrderSearch()
    var report = ExplorationReport()
    while let plan = search.next(), plan.cost < cost {
      guard report.orders < limit else { return report }
      let outcome = await run(OrderChooser(plan, visited: search.visited))
      report.orders += 1
      report.failure = ExplorationReport.Failure(outcome)
      guard report.failure == nil else { return report }
      if outcome.extent != memory.extent, cutsOrders {
        // Orders may have been cut that differ in what tasks observe.
        memory.extent = outcome.extent
        search = OrderSearch()
        report.orders = 0
        continue
      }
      search.record(outcome.chooser.choices)
      report.cut = search.cut
    }
    report.isComplete = true
    return report
  }

  /// Tries random orders.
  private func randomly(_ seed: UInt64, _ runs: Int) async -> ExplorationReport {
    var seeds = SeededNumbers(seed: seed)
    var report = ExplorationReport()
    guard runs > 0 else {
      report.failure = ExplorationReport.Failure(
        "No order was tried, because the number of runs is \(runs).")
      return report
    }
    for _ in 0..<runs {
      let outcome = await run(OrderChooser(seed: seeds.next()))
      report.orders += 1
      guard outcome.isFailure else { continue }
      report.failure = await simplified(outcome, limit: runs)
      return report
    }
    return report
  }

  /// Returns a failing order with a low cost for any order that fails.
  ///
  /// Each of the searches tries a limited number of orders.
  private func simplified(
    _ failing: ExplorationRun.Outcome, limit: Int
  ) async -> ExplorationReport.Failure? {
    var failing = failing
    // An order in which only answers, deadlines, and possible events deviate.
    let withoutSteps = await run(OrderChooser(inOrder: failing.events))
    if withoutSteps.isFailure, withoutSteps.chooser.cost < failing.chooser.cost { failing = withoutSteps }
    var shrinking = OrderShrinking(failing.replay)
    for _ in 0..<limit {
      guard let deviations = shrinking.next() else { break }
      let attempt = await run(OrderChooser(deviations))
      if shrinking.record(attempt.isFailure ? attempt.replay : nil) { failing = attempt }
    }
    let lower = await exhaustively(limit, below: failing.chooser.cost)
    return lower.failure ?? ExplorationReport.Failure(failing)
  }

  private func replaying(_ text: String) async -> ExplorationReport {
    var report = ExplorationReport()
    guard let replay = ReplayText(text) else {
      report.failure = ExplorationReport.Failure("The text is not the replay of an order: \(text)")
      return report
    }
    let outcome = await run(OrderChooser(replay))
    report.orders = 1
    report.failure = ExplorationReport.Failure(outcome)
    return report
  }
}

extension ExplorationReport.Failure {
  fileprivate init(_ message: String) {
    self.init(events: [message], messages: [message], replay: "")
  }

  fileprivate init?(_ outcome: ExplorationRun.Outcome) {
    if let mismatch = outcome.chooser.mismatch {
      self.init(mismatch.message)
      return
    }
    guard !outcome.failures.isEmpty else { return nil }
    self.init(events: outcome.story, messages: outcome.failures, replay: outcome.replay.text)
  }
}

extension OrderChooser.Mismatch {
  fileprivate var message: String {
    switch self {
    case .otherEvents(let choice, let events):
      """
      The test does not repeat itself: choice \(choice + 1) is between other events than before.
        The events are now: \(events.map(\.text).joined(separator: ", "))
        Look for random values, the system's clock, and tasks outside the store.
      """
    case .otherPast(let choice):
      """
      The replay no longer fits the test: choice \(choice + 1), or an earlier choice, is between other \
      events than before.
      """
    case .missingEvent(let choice):
      "The replay no longer fits the test: its event at choice \(choice + 1) does not happen."
    case .tooShort:
      "The replay no longer fits the test: the order ends before all its choices are made."
    }
  }
}

extension ExplorationReport {
  /// The message of a failure, or `nil` if the exploration did not fail.
  fileprivate func message(of exploration: Exploration) -> String? {
    guard let failure else {
      guard case .exhaustive(let limit) = exploration, !isComplete else { return nil }
      return """
        The limit of \(limit) orders was reached, and not all orders were tried. \(cut) orders were cut.
          Use a higher limit, fewer events, or `.random(seed:runs:)`.
        """
    }
    guard !failure.replay.isEmpty else { return failure.story }
    return """
      Order \(orders) fails:
        \(failure.events.joined(separator: "\n  → "))
      Repeat it with `.replay("\(failure.replay)")`.
      """
  }
}
