import FluxCore
import FluxMiddleware

extension TestStore {
  /// Waits until no effect runs, and asserts that every action that was received has been asserted.
  ///
  /// The last thing that a test does. It fails if effects still run when time is up, whatever ``exhaustivity`` is: end
  /// what they wait for, or call ``skipRunningEffects(timeout:fileID:filePath:line:column:)``. Effects are what the work
  /// of actions has started in ``/FluxCore/ActionContext/effects``; of tasks that run elsewhere nobody knows.
  ///
  /// - Parameters:
  ///   - timeout: How long is waited at most; as long as the test store says, if it is `nil`.
  ///   - fileID: The file in which a failure is reported.
  ///   - filePath: The path of the file.
  ///   - line: The line.
  ///   - column: The column.
  public nonisolated(nonsending) func finish(
    timeout: Duration? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) async {
    let location = TestReport.Location(fileID: fileID, filePath: filePath, line: line, column: column)
    let limit = timeout ?? self.timeout
    switch await effectsEnded(in: limit) {
    case .arrived: break
    case .timedOut:
      fail(
        """
        \(effects.count.effects) still running after \(limit.shortText).
          Let them end, or call `await store.skipRunningEffects()`.
        """, at: location)
    case .cancelled:
      fail("\(effects.count.effects) still running when the task that waited was cancelled.", at: location)
    }
    settleEffects()
    reportUnasserted(at: location, because: "at finish()")
  }

  /// Forgets the actions that have been received up to now and not asserted.
  ///
  /// If there are none, nothing happens. Actions that effects are about to dispatch are not forgotten; call
  /// ``skipRunningEffects(timeout:fileID:filePath:line:column:)`` before it, or `finish` after it.
  ///
  /// - Parameters:
  ///   - fileID: The file in which is shown what was skipped, if that is wanted.
  ///   - filePath: The path of the file.
  ///   - line: The line.
  ///   - column: The column.
  public func skipReceived(
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) {
    let steps = recorder.takeAllReceived()
    guard !steps.isEmpty else { return }
    show(
      "Skipped \(steps.listed(redacting: redaction))",
      at: TestReport.Location(fileID: fileID, filePath: filePath, line: line, column: column))
  }

  /// Cancels the effects that run, and waits until they have ended.
  ///
  /// What they dispatch before they end has to be received, or skipped. An effect that does not end when it is cancelled
  /// fails the test.
  ///
  /// - Parameters:
  ///   - timeout: How long is waited at most; as long as the test store says, if it is `nil`.
  ///   - fileID: The file in which a failure is reported.
  ///   - filePath: The path of the file.
  ///   - line: The line.
  ///   - column: The column.
  public nonisolated(nonsending) func skipRunningEffects(
    timeout: Duration? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) async {
    let location = TestReport.Location(fileID: fileID, filePath: filePath, line: line, column: column)
    let limit = timeout ?? self.timeout
    let running = effects.count
    effects.cancelAll()
    switch await effectsEnded(in: limit) {
    case .arrived: if running > 0 { show("Skipped effects: \(running) cancelled.", at: location) }
    case .timedOut:
      fail("\(effects.count.effects) still running \(limit.shortText) after being cancelled.", at: location)
    case .cancelled:
      fail("\(effects.count.effects) still running when the task that waited was cancelled.", at: location)
    }
    settleEffects()
  }

  private nonisolated(nonsending) func effectsEnded(in limit: Duration) async -> LimitedWait.End {
    if effects.count == 0 { return .arrived }
    let wait = LimitedWait()
    // Outlives the wait if time is up; the effects are cancelled at the latest when the store goes.
    Task { [effects] in
      await effects.finished()
      wait.end(.arrived)
    }
    return await wait.value(until: timeline.now + limit, on: timeline)
  }
}
