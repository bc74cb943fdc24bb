import FluxAsync
import FluxCore
import FluxMiddleware

extension TestStore {
  /// Waits until no effect is running, and then verifies that the test has asserted all
  /// received actions.
  ///
  /// Call this method at the end of a test. If effects are still running when the timeout
  /// expires, the test fails, regardless of ``exhaustivity``. To prevent this failure, make the
  /// effects end, or call ``skipRunningEffects(timeout:fileID:filePath:line:column:)``. Effects
  /// are the tasks that the work of actions has started in ``/FluxCore/ActionContext/effects``.
  /// A test store cannot detect tasks that were started in other ways.
  ///
  /// - Parameters:
  ///   - timeout: The maximum time to wait, or `nil` to use the timeout of the test store.
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
          Make the effects end, or call `await store.skipRunningEffects()`.
        """, at: location)
    case .cancelled:
      fail("\(effects.count.effects) still running when the waiting task was canceled.", at: location)
    }
    settleEffects()
    reportUnasserted(at: location, because: "at finish()")
  }

  /// Discards the received actions that have not been asserted.
  ///
  /// If all received actions have been asserted, nothing happens. The method does not discard
  /// actions that effects dispatch later. If effects are still running, call
  /// ``skipRunningEffects(timeout:fileID:filePath:line:column:)`` before this method.
  ///
  /// - Parameters:
  ///   - fileID: The file in which skipped actions are reported, if `exhaustivity` is
  ///     `.off(showsSkipped: true)`.
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

  /// Cancels the running effects, and waits until they have ended.
  ///
  /// The test must receive or skip the actions that the effects dispatch before they end. If an
  /// effect does not end after it is canceled, the test fails.
  ///
  /// - Parameters:
  ///   - timeout: The maximum time to wait, or `nil` to use the timeout of the test store.
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
    case .arrived: if running > 0 { show("Skipped effects: \(running) canceled.", at: location) }
    case .timedOut:
      fail("\(effects.count.effects) still running \(limit.shortText) after being canceled.", at: location)
    case .cancelled:
      fail("\(effects.count.effects) still running when the waiting task was canceled.", at: location)
    }
    settleEffects()
  }

  private nonisolated(nonsending) func effectsEnded(in limit: Duration) async -> WaitEnd {
    if effects.count == 0 { return .arrived }
    let wait = OneShot<WaitEnd>()
    // If the timeout expires, the task continues after this method returns. The effects are then
    // canceled no later than when the store is released.
    _ = timeline.ofTimers.startTask { [effects] in
      await effects.finished()
      wait.fire(.arrived)
    }
    return await wait.wait(
      until: timeline.now + limit, on: timeline, ifLate: { .timedOut }, ifCancelled: .cancelled)
  }
}
