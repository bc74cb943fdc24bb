import FluxCore
import FluxMiddleware

extension TestStore {
  /// Waits until no effect is running, and asserts that all received actions have been
  /// asserted.
  ///
  /// Call this method at the end of a test. The test fails if effects are still running when
  /// the time is up, whatever ``exhaustivity`` is. Make the effects end, or call
  /// ``skipRunningEffects(timeout:fileID:filePath:line:column:)``. Effects are the tasks that
  /// the work of actions has started in ``/FluxCore/ActionContext/effects``. A test store
  /// cannot detect tasks that run elsewhere.
  ///
  /// - Parameters:
  ///   - timeout: The maximum time to wait. If it is `nil`, the timeout of the test store
  ///     applies.
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

  /// Discards the actions that have been received until now and not asserted.
  ///
  /// If there are none, nothing happens. Actions that effects have not dispatched yet are not
  /// discarded. To discard these as well, call
  /// ``skipRunningEffects(timeout:fileID:filePath:line:column:)`` before this method, or call
  /// `finish` after it.
  ///
  /// - Parameters:
  ///   - fileID: The file in which skipped actions are shown, if `exhaustivity` requires it.
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
  /// The test must receive or skip the actions that the effects dispatch before they end. An
  /// effect that does not end when it is canceled fails the test.
  ///
  /// - Parameters:
  ///   - timeout: The maximum time to wait. If it is `nil`, the timeout of the test store
  ///     applies.
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
    // The task outlives the wait if the time is up. The effects are canceled when the store is
    // released, at the latest.
    Task { [effects] in
      await effects.finished()
      wait.end(.arrived)
    }
    return await wait.value(until: timeline.now + limit, on: timeline)
  }
}
