/// The rules by which a history is written to a log: which changes are appended together, when a
/// new snapshot is due, when a waiting caller continues, and what happens after a failure.
///
/// The value has no lock, no task, and no log. Each method is one event, and returns what to do.
/// Changes are appended in the order in which they arrive. All changes that arrive during a write
/// share the next write. After a failed write, nothing is written, because the log might or might
/// not contain the changes of that write.
struct LoggedHistoryRules: Hashable, Sendable {
  /// The number of a caller that waits.
  typealias Waiter = Int

  /// The next step of the writer.
  enum Step: Hashable, Sendable {
    /// Append the oldest waiting changes.
    case append(count: Int, at: LogPosition)
    /// Replace the snapshot and the entries of the log by a new snapshot.
    case compact
    /// Stop until another change arrives.
    case rest
  }

  /// The answer to a caller that waits for the changes that have arrived.
  enum Answer: Hashable, Sendable {
    case written
    case waits(Waiter)
    case failed
  }

  private struct Waiting: Hashable, Sendable {
    let waiter: Waiter
    /// The number of changes that the log must contain.
    let arrived: Int
  }

  private(set) var end: LogPosition
  private(set) var hasFailed = false
  /// The number of changes that have arrived.
  private var arrived = 0
  /// The number of changes that the log contains.
  private var written = 0
  /// The number of changes that are being appended.
  private var appending = 0
  private var isWriting = false
  /// The number of bytes of the entries after the snapshot.
  private var size: Int
  /// The number of bytes of these entries from which on a new snapshot is due.
  private var due: Int
  private let limit: Int
  private var waiters = 0
  private var waiting: [Waiting] = []

  /// Creates the rules for a log that ends at a position.
  ///
  /// - Parameters:
  ///   - size: The number of bytes of the entries after the snapshot.
  ///   - snapshot: The number of bytes of the snapshot.
  ///   - limit: The number of bytes of entries after which a new snapshot is due. A snapshot that
  ///     is
  ///     larger than the limit is replaced after as many bytes of entries as it has itself.
  init(end: LogPosition, size: Int, snapshot: Int, limit: Int) {
    self.end = end
    self.size = size
    self.limit = limit
    due = max(limit, snapshot)
  }

  /// Handles a change of the history.
  ///
  /// - Returns: Whether to start the writer.
  mutating func changeArrived() -> Bool {
    guard !hasFailed else { return false }
    arrived += 1
    defer { isWriting = true }
    return !isWriting
  }

  /// Returns the next step of the writer, after its start or after the end of the previous step.
  mutating func nextStep() -> Step {
    if !hasFailed, size >= due { return .compact }
    appending = arrived - written
    guard !hasFailed, appending > 0 else {
      isWriting = false
      return .rest
    }
    return .append(count: appending, at: end)
  }

  /// Records that the log contains the changes of the current step.
  ///
  /// - Returns: The callers that continue.
  mutating func appended(bytes: Int) -> [Waiter] {
    written += appending
    end = end.advanced(by: appending)
    size += bytes
    let ready = waiting.prefix { $0.arrived <= written }
    waiting.removeFirst(ready.count)
    return ready.map(\.waiter)
  }

  /// Records that the changes of the current step could not be appended.
  ///
  /// - Returns: The callers that receive the error.
  mutating func appendFailed() -> [Waiter] {
    hasFailed = true
    defer { waiting = [] }
    return waiting.map(\.waiter)
  }

  /// Records a new snapshot at the end of the log.
  mutating func compacted(snapshot: Int) {
    size = 0
    due = max(limit, snapshot)
  }

  /// Records that no new snapshot could be saved.
  ///
  /// The next attempt follows when the log has grown again.
  mutating func compactionFailed() {
    due = size + max(limit, 1)
  }

  /// Handles a caller that waits until the log contains the changes that have arrived.
  mutating func wait() -> Answer {
    guard !hasFailed else { return .failed }
    guard written < arrived else { return .written }
    waiters += 1
    waiting.append(Waiting(waiter: waiters, arrived: arrived))
    return .waits(waiters)
  }
}
