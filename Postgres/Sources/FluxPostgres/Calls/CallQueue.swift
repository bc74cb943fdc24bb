import Dispatch
import FluxLog
import Foundation
import Synchronization

/// The calls of a log, which share one connection.
///
/// Calls to libpq can block, so they run on a queue with its own thread.
final class CallQueue: Sendable {
  private struct Contents {
    var rules: CallRules
    var jobs: [CallRules.Call: Job] = [:]
    var tables: LogTables?
    var session: LogSession
    /// The identity of the append whose turn it is, which stays the same if the turn is repeated.
    var append: UUID?
    /// The reason for which the log can no longer be used, or `nil`.
    var failure: LogError?
    var closing: [CheckedContinuation<Void, Never>] = []
    var isStopped = false
  }

  private let source: LogSource
  private let ends: LogEnds
  private let queue = DispatchQueue(label: "FluxPostgres calls")
  private let contents: Mutex<Contents>

  init(
    _ source: LogSource, _ tables: LogTables, _ session: LogSession, ends: LogEnds, limits: CallRules.Limits
  ) {
    self.source = source
    self.ends = ends
    contents = Mutex(Contents(rules: CallRules(limits: limits), tables: tables, session: session))
  }

  /// Appends entries, and reports the result on any thread.
  func append(
    _ entries: [Data], at expected: LogPosition,
    report: @escaping @Sendable (Result<LogPosition, LogError>) -> Void
  ) {
    // The server needs four bytes for the size of an entry.
    let bytes = entries.reduce(0) { $0 + $1.count + 4 }
    guard bytes <= PostgresLog.maximum else {
      report(.failure(LogError(.outOfBounds, at: expected, "\(bytes) bytes are too many for one call.")))
      return
    }
    submit(.append(entries, at: expected, report: report)) {
      $0.append(entries.count, bytes: bytes, at: expected)
    }
  }

  /// Uses the tables in a separate turn, and returns the result.
  func use<Value: Sendable>(
    _ code: LogError.Code, _ body: @escaping @Sendable (LogTables) throws(CallFailure) -> Value
  ) async throws(LogError) -> Value {
    let result = await withCheckedContinuation {
      (continuation: CheckedContinuation<Result<Value, LogError>, Never>) in
      let run: @Sendable (LogTables) throws(CallFailure) -> @Sendable () -> Void = {
        tables throws(CallFailure) in
        let value = try body(tables)
        return { continuation.resume(returning: .success(value)) }
      }
      submit(.other(code: code, run: run) { continuation.resume(returning: .failure($0)) }) { $0.perform() }
    }
    return try result.get()
  }

  /// Refuses later calls, waits until the earlier calls have returned, and closes the connection.
  func close() async {
    await withCheckedContinuation { continuation in
      let (step, isStopped) = contents.withLock { contents in
        if !contents.isStopped { contents.closing.append(continuation) }
        return (contents.rules.close(), contents.isStopped)
      }
      if isStopped { continuation.resume() }
      take(step)
    }
  }

  private func submit(_ job: Job, _ ask: (inout CallRules) -> CallRules.Answer) {
    let (step, error) = contents.withLock { contents -> (CallRules.Step?, LogError?) in
      switch ask(&contents.rules) {
      case .waits(let call, let step):
        contents.jobs[call] = job
        return (step, nil)
      case .refused: return (nil, contents.failure ?? LogError(.closed, "The log was closed."))
      }
    }
    if let error { job.refuse(error) }
    take(step)
  }

  private func take(_ step: CallRules.Step?) {
    switch step {
    case .perform(let turn): queue.async { self.perform(turn) }
    case .wait(let milliseconds):
      queue.asyncAfter(deadline: .now() + .milliseconds(milliseconds)) {
        self.take(self.contents.withLock { $0.rules.waitEnded() })
      }
    case .connect: queue.async { self.connect() }
    case .stop: queue.async { self.stop() }
    case nil: break
    }
  }

  // MARK: - Turns

  private func perform(_ turn: CallRules.Turn) {
    let (tables, jobs, append, isRepeated) = contents.withLock { contents in
      let isRepeated = contents.append != nil
      let append = contents.append ?? UUID()
      contents.append = append
      return (contents.tables, turn.calls.compactMap { contents.jobs[$0] }, append, isRepeated)
    }
    guard let tables, let first = jobs.first else { return ended(turn, .lost("there is no connection")) }
    do throws(CallFailure) {
      switch first {
      case .other(_, let run, _): succeeded(turn, report: try run(tables))
      case .append(_, let start, _):
        let entries = jobs.flatMap(\.entries)
        try tables.append(entries, at: start, append: append, isRepeated: isRepeated)
        succeeded(turn, end: start.advanced(by: entries.count)) { for job in jobs { job.succeed() } }
      }
    } catch {
      ended(turn, error)
    }
  }

  private func succeeded(
    _ turn: CallRules.Turn, end: LogPosition? = nil, report: @escaping @Sendable () -> Void
  ) {
    let step = contents.withLock { contents in
      for call in turn.calls { contents.jobs[call] = nil }
      contents.append = nil
      return contents.rules.turnEnded(.succeeded).step
    }
    if let end { ends.advance(to: end) }
    report()
    take(step)
  }

  /// Reports that a turn has failed, or repeats it if the connection was lost.
  private func ended(_ turn: CallRules.Turn, _ failure: CallFailure) {
    var isLost = false
    if case .lost = failure { isLost = true }
    let (step, refused) = contents.withLock { contents in
      let ending = contents.rules.turnEnded(isLost ? .lost : .failed)
      let calls = isLost ? ending.refused : turn.calls + ending.refused
      if isLost { contents.tables = nil }
      if !calls.isEmpty { contents.append = nil }
      return (ending.step, calls.compactMap { contents.jobs.removeValue(forKey: $0) })
    }
    if case .log(let error) = failure, error.code == .conflict, let end = error.position {
      ends.advance(to: end)
    }
    for job in refused { job.refuse(failure.error(job.code)) }
    take(step)
  }

  // MARK: - The connection

  private func connect() {
    let lost = contents.withLock { $0.session }
    do throws(CallFailure) {
      let (tables, session, end) = try source.connect(to: lost.log, after: lost, known: ends.end)
      ends.advance(to: end)
      attemptEnded(.connected, nil) { contents in
        contents.tables = tables
        contents.session = session
      }
    } catch {
      guard case .log(let reason) = error else { return attemptEnded(.failed, error) { _ in } }
      attemptEnded(.unusable, error) { $0.failure = reason }
    }
  }

  private func attemptEnded(
    _ result: CallRules.AttemptResult, _ failure: CallFailure?, _ change: (inout Contents) -> Void
  ) {
    let (step, refused) = contents.withLock { contents in
      change(&contents)
      let ending = contents.rules.attemptEnded(result)
      if !ending.refused.isEmpty { contents.append = nil }
      return (ending.step, ending.refused.compactMap { contents.jobs.removeValue(forKey: $0) })
    }
    if let failure { for job in refused { job.refuse(failure.error(job.code)) } }
    take(step)
  }

  private func stop() {
    let closing = contents.withLock { contents in
      defer { contents.closing = [] }
      contents.tables = nil
      contents.isStopped = true
      return contents.closing
    }
    for continuation in closing { continuation.resume() }
  }
}
