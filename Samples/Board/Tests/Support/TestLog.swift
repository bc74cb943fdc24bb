import FluxLog
import Foundation
import Synchronization

/// A log in memory that can delay and refuse appends.
final class TestLog: ActionLog {
  private struct Contents {
    var appends = 0
    var fault: MemoryLog.Fault?
    var isClosed = false
    var delayed: [CheckedContinuation<Void, Never>] = []
  }

  /// The contents, which the log in memory reads too.
  private final class SharedContents: Sendable {
    let value = Mutex(Contents())
  }

  private let log: MemoryLog
  private let contents: SharedContents
  private let began = AsyncStream.makeStream(of: Void.self)

  init() {
    let contents = SharedContents()
    self.contents = contents
    log = MemoryLog { operation in
      guard case .append = operation else { return nil }
      return contents.value.withLock { $0.fault }
    }
  }

  /// The number of completed appends.
  var appends: Int { contents.value.withLock { $0.appends } }

  /// Delays every append until ``open()`` is called.
  func close() {
    contents.value.withLock { $0.isClosed = true }
  }

  /// Lets the delayed append and later appends finish.
  func open() {
    let delayed = contents.value.withLock { contents in
      contents.isClosed = false
      defer { contents.delayed = [] }
      return contents.delayed
    }
    for continuation in delayed { continuation.resume() }
  }

  /// Sets how later appends fail, or `nil` if later appends succeed.
  func fail(_ fault: MemoryLog.Fault?) {
    contents.value.withLock { $0.fault = fault }
  }

  /// Waits until an append begins for which no earlier call waited.
  func appendBegan() async {
    for await _ in began.stream { return }
  }

  func end() async throws(LogError) -> LogPosition { try await log.end() }

  func append(_ entries: [Data], at expected: LogPosition) async throws(LogError) -> LogPosition {
    began.continuation.yield()
    await withCheckedContinuation { continuation in
      let isOpen = contents.value.withLock { contents in
        if contents.isClosed { contents.delayed.append(continuation) }
        return !contents.isClosed
      }
      if isOpen { continuation.resume() }
    }
    let end = try await log.append(entries, at: expected)
    contents.value.withLock { $0.appends += 1 }
    return end
  }

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
