import FluxCore
public import Foundation

/// A log in memory, whose operations can fail as a test plans.
///
/// ```swift
/// let log = MemoryLog { operation in
///   if case .append = operation { .losesAnswer } else { nil }
/// }
/// ```
///
/// The log exists as long as the object. Every method takes effect before it returns, so entries
/// that one thread has appended are visible to all threads.
public final class MemoryLog: ActionLog {
  /// An operation that is about to begin.
  public enum Operation: Hashable, Sendable {
    /// A call that returns the end.
    case end
    /// A call that appends a number of entries.
    case append(count: Int, at: LogPosition)
    /// A call that returns entries.
    case read(from: LogPosition)
    /// A call that returns the newest snapshot.
    case snapshot
    /// A call that saves a snapshot.
    case save(at: LogPosition)
    /// A call that removes entries.
    case truncate(before: LogPosition)
  }

  /// The failure of an operation.
  public enum Fault: Hashable, Sendable {
    /// The operation has no effect, and throws an error.
    case refuses
    /// The operation takes effect, but throws an error, as if the answer of a server were lost.
    case losesAnswer
  }

  private let contents: Locked<LogContents>
  private let followers: LogFollowers
  private let fault: @Sendable (Operation) -> Fault?

  /// Creates an empty log.
  ///
  /// - Parameter fault: A closure that returns how an operation fails, or `nil` if it succeeds. The
  ///   log calls the closure before each operation, on the calling thread.
  public init(fault: @escaping @Sendable (Operation) -> Fault? = { _ in nil }) {
    contents = Locked(LogContents())
    followers = LogFollowers(end: .start)
    self.fault = fault
  }

  /// Returns the position of the end of the log.
  public func end() async throws(LogError) -> LogPosition {
    try perform(.end) { contents throws(LogError) in contents.end }
  }

  /// Appends entries to the end of the log, which must be at an expected position.
  @discardableResult
  public func append(_ entries: [Data], at expected: LogPosition) async throws(LogError) -> LogPosition {
    try perform(.append(count: entries.count, at: expected)) { contents throws(LogError) in
      try contents.append(entries, at: expected)
    }
  }

  /// Returns entries in their order, from a position on.
  public func entries(from position: LogPosition, limit: Int) async throws(LogError) -> [ActionLogEntry] {
    try perform(.read(from: position)) { contents throws(LogError) in
      try contents.entries(from: position, limit: limit)
    }
  }

  /// Returns the newest snapshot, or `nil` if there is none.
  public func snapshot() async throws(LogError) -> LogSnapshot? {
    try perform(.snapshot) { contents throws(LogError) in contents.snapshot }
  }

  /// Saves a snapshot, which replaces the previous snapshot.
  public func save(_ snapshot: LogSnapshot) async throws(LogError) {
    try perform(.save(at: snapshot.position)) { contents throws(LogError) in try contents.save(snapshot) }
  }

  /// Removes entries before a position.
  public func truncate(before position: LogPosition) async throws(LogError) {
    _ = try perform(.truncate(before: position)) { contents throws(LogError) in
      try contents.truncate(before: position)
    }
  }

  /// Returns a sequence of the ends of the log, which begins with the current end.
  public func ends() -> AsyncStream<LogPosition> { followers.stream() }

  private func perform<Result: Sendable>(
    _ operation: Operation, _ body: (inout LogContents) throws(LogError) -> Result
  ) throws(LogError) -> Result {
    let fault = fault(operation)
    if fault == .refuses { throw operation.failure }
    let (result, end) = contents.withLock { contents -> (Swift.Result<Result, LogError>, LogPosition) in
      do throws(LogError) {
        return (.success(try body(&contents)), contents.end)
      } catch {
        return (.failure(error), contents.end)
      }
    }
    followers.advance(to: end)
    let value = try result.get()
    if fault == .losesAnswer { throw operation.failure }
    return value
  }
}

extension MemoryLog.Operation {
  fileprivate var failure: LogError {
    switch self {
    case .end, .read, .snapshot: LogError(.unreadable, "The test let the operation \(self) fail.")
    case .append, .save, .truncate: LogError(.unwritable, "The test let the operation \(self) fail.")
    }
  }
}
