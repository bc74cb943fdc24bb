public import FluxCore
import FluxMiddleware

extension TestStore {
  /// Asserts the type of the next action from effects, and the change that the action makes.
  ///
  /// The method waits for the action if necessary.
  ///
  /// For the rules, see ``receive(where:timeout:expecting:fileID:filePath:line:column:)``.
  ///
  /// - Parameters:
  ///   - type: The expected type of the action.
  ///   - timeout: The maximum time to wait, or `nil` to use the timeout of the test store.
  ///   - change: A closure that changes the state before the action to the expected state after
  ///     the action. Without a closure, no change is expected.
  ///   - fileID: The file in which a failure is reported.
  ///   - filePath: The path of the file.
  ///   - line: The line.
  ///   - column: The column.
  public nonisolated(nonsending) func receive<Received: Action>(
    _ type: Received.Type, timeout: Duration? = nil, expecting change: ((inout State) throws -> Void)? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) async {
    await receive(
      "\(type)", mismatch: { $0 is Received ? nil : "" }, timeout: timeout, change: change,
      at: TestReport.Location(fileID: fileID, filePath: filePath, line: line, column: column))
  }

  /// Asserts that the next action from effects is equal to an expected action, and asserts the
  /// change that the action makes.
  ///
  /// The method waits for the action if necessary.
  ///
  /// For the rules, see ``receive(where:timeout:expecting:fileID:filePath:line:column:)``.
  ///
  /// - Parameters:
  ///   - action: The expected action.
  ///   - timeout: The maximum time to wait, or `nil` to use the timeout of the test store.
  ///   - change: A closure that changes the state before the action to the expected state after
  ///     the action. Without a closure, no change is expected.
  ///   - fileID: The file in which a failure is reported.
  ///   - filePath: The path of the file.
  ///   - line: The line.
  ///   - column: The column.
  public nonisolated(nonsending) func receive<Received: Action & Equatable>(
    _ action: Received, timeout: Duration? = nil, expecting change: ((inout State) throws -> Void)? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) async {
    await receive(
      action.logText(redacting: redaction),
      mismatch: { [redaction] received in
        guard let received = received as? Received else { return "" }
        if received == action { return nil }
        let difference = StateDifference(from: action, to: received, redacting: redaction)
        return difference.isEmpty ? "" : "\n  expected → actual: \(difference)"
      },
      timeout: timeout, change: change,
      at: TestReport.Location(fileID: fileID, filePath: filePath, line: line, column: column))
  }

  /// Asserts that the next action from effects matches a condition, and asserts the change that
  /// the action makes.
  ///
  /// The method waits for the action if necessary.
  ///
  /// An action comes from effects if the work of an action, a middleware, a thunk, or another
  /// thread dispatched the action. Actions are received in the order in which they were
  /// reduced. If an action does not match, the test fails, and the action still counts as
  /// received. If ``exhaustivity`` is off, the method instead skips actions that do not match.
  ///
  /// If the task that waits for the action is canceled, the method returns, and the test fails.
  ///
  /// - Parameters:
  ///   - matches: A closure that returns whether an action is the expected action. Actions of
  ///     other types do not match.
  ///   - timeout: The maximum time to wait, or `nil` to use the timeout of the test store.
  ///   - change: A closure that changes the state before the action to the expected state after
  ///     the action. Without a closure, no change is expected. If the closure throws an error,
  ///     the test fails. If exhaustivity is off, the closure works differently, as
  ///     ``exhaustivity`` describes.
  ///   - fileID: The file in which a failure is reported.
  ///   - filePath: The path of the file.
  ///   - line: The line.
  ///   - column: The column.
  public nonisolated(nonsending) func receive<Received: Action>(
    where matches: (Received) -> Bool, timeout: Duration? = nil,
    expecting change: ((inout State) throws -> Void)? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) async {
    await receive(
      "a matching \(Received.self)", mismatch: { ($0 as? Received).map(matches) == true ? nil : "" },
      timeout: timeout, change: change,
      at: TestReport.Location(fileID: fileID, filePath: filePath, line: line, column: column))
  }

  /// Receives an action.
  ///
  /// - Parameters:
  ///   - what: A description of the expected action, for messages.
  ///   - mismatch: A closure that returns a description of the difference if an action does not
  ///     match, or `nil` if the action matches.
  private nonisolated(nonsending) func receive(
    _ what: String, mismatch: (any Action) -> String?, timeout: Duration?,
    change: ((inout State) throws -> Void)?, at location: TestReport.Location
  ) async {
    let limit = timeout ?? self.timeout
    let deadline = timeline.now + limit
    let isExhaustive = exhaustivity == .on
    var skipped: [TransitionLog<State>.Step] = []
    defer { if !skipped.isEmpty { show("Skipped \(skipped.listed(redacting: redaction))", at: location) } }
    while true {
      let (step, end) = await recorder.receive(until: deadline, on: timeline)
      guard let step else {
        let running = effects.count
        let reason =
          end == .cancelled
          ? "but the waiting task was canceled" : "but did not within \(limit.shortText)"
        return fail(
          "Expected to receive \(what), \(reason). \(running.effects) running.",
          at: location)
      }
      guard let mismatch = mismatch(step.action) else {
        let judge = StepExpectation(change: change, exhaustivity: exhaustivity, redaction: redaction)
        return report(judge.judge(step, way: "received"), at: location)
      }
      guard isExhaustive else {
        skipped.append(step)
        continue
      }
      return fail(
        """
        Expected to receive \(what), but received \(step.action.logText(redacting: redaction)).\(mismatch)
          before → after: \(step.difference(redacting: redaction).logText)
        """, at: location)
    }
  }
}
