public import FluxCore
import FluxMiddleware

extension TestStore {
  /// Asserts that the next action from effects is of a type, and what it changes; waits for it if it has not come.
  ///
  /// See ``receive(where:timeout:expecting:fileID:filePath:line:column:)``.
  ///
  /// - Parameters:
  ///   - type: The type.
  ///   - timeout: How long is waited at most; as long as the test store says, if it is `nil`.
  ///   - change: Makes of the state before the action the state that is expected after it; without it no change is
  ///     expected.
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

  /// Asserts that the next action from effects equals one, and what it changes; waits for it if it has not come.
  ///
  /// See ``receive(where:timeout:expecting:fileID:filePath:line:column:)``.
  ///
  /// - Parameters:
  ///   - action: The action.
  ///   - timeout: How long is waited at most; as long as the test store says, if it is `nil`.
  ///   - change: Makes of the state before the action the state that is expected after it; without it no change is
  ///     expected.
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

  /// Asserts that the next action from effects matches, and what it changes; waits for it if it has not come.
  ///
  /// An action comes from effects if it was not sent: if the work of an action, a middleware, a thunk or another thread
  /// dispatched it. They are received in the order in which they were reduced. One that does not match fails the test,
  /// and counts as received all the same; with ``exhaustivity`` off it is passed over.
  ///
  /// Cancelling the waiting task ends the wait, and fails the test.
  ///
  /// - Parameters:
  ///   - matches: Whether an action is the one. Actions of another type are not.
  ///   - timeout: How long is waited at most; as long as the test store says, if it is `nil`.
  ///   - change: Makes of the state before the action the state that is expected after it; without it no change is
  ///     expected. An error that it throws fails the test. See ``exhaustivity`` for what it does when that is off.
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
  ///   - what: What is expected, for messages.
  ///   - mismatch: What is to be said of an action that is not the one; `nil` for that which is.
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
          ? "but the task that waited was cancelled" : "but did not in \(limit.shortText)"
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
