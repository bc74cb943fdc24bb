import FluxLog
import Foundation
import Synchronization

/// A log in memory that can delay and refuse appends, and that several boards can share.
final class TestLog: ActionLog {
  private typealias Ends = AsyncStream<LogPosition>

  private struct Contents {
    var appends = 0
    var saves = 0
    var fault: MemoryLog.Fault?
    var isUnreachable = false
    var isClosed = false
    var delayed: [CheckedContinuation<Void, Never>] = []
  }

  /// The contents, which the log in memory reads too.
  private final class SharedContents: Sendable {
    let value = Mutex(Contents())
  }

  private let log: MemoryLog
  private let contents: SharedContents
  private let keepsEntries: Bool
  /// The ends that the object announces, or `nil` for those of the log in memory.
  private let silence: (stream: Ends, continuation: Ends.Continuation)?
  private let began = AsyncStream.makeStream(of: Void.self)

  /// - Parameter keepsEntries: A Boolean value that indicates whether truncations have no effect.
  init(keepsEntries: Bool = false) {
    let contents = SharedContents()
    self.contents = contents
    self.keepsEntries = keepsEntries
    silence = nil
    log = MemoryLog { operation in
      guard case .append = operation else { return nil }
      return contents.value.withLock { $0.fault }
    }
  }

  /// Creates an object that another process would use for the same log.
  ///
  /// - Parameter isSilent: A Boolean value that indicates whether the object announces no entries.
  init(sharing other: TestLog, isSilent: Bool = false) {
    log = other.log
    contents = SharedContents()
    keepsEntries = other.keepsEntries
    silence = isSilent ? Ends.makeStream() : nil
  }

  /// The number of completed appends.
  var appends: Int { contents.value.withLock { $0.appends } }

  /// The number of saved snapshots.
  var saves: Int { contents.value.withLock { $0.saves } }

  /// Lets every later call fail, or succeed again.
  func setUnreachable(_ isUnreachable: Bool) {
    contents.value.withLock { $0.isUnreachable = isUnreachable }
  }

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

  private func connect(_ code: LogError.Code) throws(LogError) {
    guard !contents.value.withLock({ $0.isUnreachable }) else {
      throw LogError(code, "The test does not let the log be reached.")
    }
  }

  func end() async throws(LogError) -> LogPosition {
    try connect(.unreadable)
    return try await log.end()
  }

  func append(_ entries: [Data], at expected: LogPosition) async throws(LogError) -> LogPosition {
    began.continuation.yield()
    await withCheckedContinuation { continuation in
      let isOpen = contents.value.withLock { contents in
        if contents.isClosed { contents.delayed.append(continuation) }
        return !contents.isClosed
      }
      if isOpen { continuation.resume() }
    }
    try connect(.unwritable)
    let end = try await log.append(entries, at: expected)
    contents.value.withLock { $0.appends += 1 }
    return end
  }

  func entries(from position: LogPosition, limit: Int) async throws(LogError) -> [ActionLogEntry] {
    try connect(.unreadable)
    return try await log.entries(from: position, limit: limit)
  }

  func snapshot() async throws(LogError) -> LogSnapshot? {
    try connect(.unreadable)
    return try await log.snapshot()
  }

  func save(_ snapshot: LogSnapshot) async throws(LogError) {
    try connect(.unwritable)
    try await log.save(snapshot)
    contents.value.withLock { $0.saves += 1 }
  }

  func truncate(before position: LogPosition) async throws(LogError) {
    try connect(.unwritable)
    if !keepsEntries { try await log.truncate(before: position) }
  }

  func ends() -> AsyncStream<LogPosition> {
    silence?.stream ?? log.ends()
  }

  /// Ends the sequence of ends of a silent object, as if the log were removed.
  func endSilence() {
    silence?.continuation.finish()
  }
}
