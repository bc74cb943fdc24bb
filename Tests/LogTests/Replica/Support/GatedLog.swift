import FluxLog
import Foundation
import TestSupport

/// A log in memory whose appends, or the failures of its appends, wait until a test opens the log.
final class GatedLog: ActionLog {
  /// The moment at which an append waits.
  enum Moment {
    case beforeAppend, beforeFailure
  }

  private struct Contents {
    var isOpen = false
    var appends = 0
    var waiting: [CheckedContinuation<Void, Never>] = []
    var observers: [CheckedContinuation<Void, Never>] = []
  }

  private let log: MemoryLog
  private let moment: Moment
  private let contents = Shared(Contents())

  init(_ log: MemoryLog = MemoryLog(), waiting moment: Moment = .beforeAppend) {
    self.log = log
    self.moment = moment
  }

  /// Lets appends through from now on.
  func open() {
    let waiting = contents.change { contents in
      contents.isOpen = true
      defer { contents.waiting = [] }
      return contents.waiting
    }
    for continuation in waiting { continuation.resume() }
  }

  /// Waits until an append has begun to wait.
  func untilAppend() async {
    await withCheckedContinuation { continuation in
      let hasBegun = contents.change { contents in
        if contents.appends == 0 { contents.observers.append(continuation) }
        return contents.appends > 0
      }
      if hasBegun { continuation.resume() }
    }
  }

  func append(_ entries: [Data], at expected: LogPosition) async throws(LogError) -> LogPosition {
    if moment == .beforeAppend { await untilOpen() }
    do throws(LogError) {
      return try await log.append(entries, at: expected)
    } catch {
      if moment == .beforeFailure { await untilOpen() }
      throw error
    }
  }

  private func untilOpen() async {
    await withCheckedContinuation { continuation in
      let ready = contents.change { contents in
        contents.appends += 1
        var ready = contents.observers
        contents.observers = []
        if contents.isOpen { ready.append(continuation) } else { contents.waiting.append(continuation) }
        return ready
      }
      for continuation in ready { continuation.resume() }
    }
  }

  func end() async throws(LogError) -> LogPosition { try await log.end() }

  func entries(from position: LogPosition, limit: Int) async throws(LogError) -> [ActionLogEntry] {
    try await log.entries(from: position, limit: limit)
  }

  func snapshot() async throws(LogError) -> LogSnapshot? { try await log.snapshot() }
  func save(_ snapshot: LogSnapshot) async throws(LogError) { try await log.save(snapshot) }

  func truncate(before position: LogPosition) async throws(LogError) {
    try await log.truncate(before: position)
  }

  func ends() -> AsyncStream<LogPosition> { log.ends() }
}
