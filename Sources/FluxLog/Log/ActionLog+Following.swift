extension ActionLog {
  /// Returns a sequence of all entries from a position on, which waits at the end of the log for
  /// new entries.
  ///
  /// ```swift
  /// for try await entry in log.following(from: position) { reduce(entry.data) }
  /// ```
  ///
  /// The sequence ends when the log is closed or released.
  ///
  /// - Throws: A ``LogError`` from the iterator, for example with the code
  ///   ``LogError/Code/truncated`` if the log no longer contains the next entry.
  public func following(from position: LogPosition) -> FollowedLog<Self> {
    FollowedLog(log: self, position: position)
  }
}

/// The entries of a log from a position on, including the entries that are appended later.
public struct FollowedLog<Log: ActionLog>: AsyncSequence, Sendable {
  let log: Log
  let position: LogPosition

  /// Returns an iterator that begins at the position.
  public func makeAsyncIterator() -> Iterator {
    Iterator(log: log, position: position, ends: log.ends().makeAsyncIterator())
  }

  /// An iterator of the entries of a log.
  public struct Iterator: AsyncIteratorProtocol {
    /// The maximum number of entries that are read together.
    private static var batch: Int { 1_000 }

    private let log: Log
    private var position: LogPosition
    private var ends: AsyncStream<LogPosition>.Iterator
    private var read: ArraySlice<ActionLogEntry> = []

    init(log: Log, position: LogPosition, ends: AsyncStream<LogPosition>.Iterator) {
      self.log = log
      self.position = position
      self.ends = ends
    }

    /// Returns the next entry, or `nil` if the log was closed or the task was canceled.
    public mutating func next() async throws(LogError) -> ActionLogEntry? {
      try await next(isolation: nil)
    }

    /// Returns the next entry, or `nil` if the log was closed or the task was canceled.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(LogError) -> ActionLogEntry? {
      while read.isEmpty {
        read = try await log.entries(from: position, limit: Self.batch)[...]
        guard read.isEmpty else { break }
        // A log can have entries that arrived after the read, and whose end the sequence contains.
        guard await ends.next(isolation: actor) != nil else { return nil }
      }
      let entry = read.removeFirst()
      position = entry.position.advanced(by: 1)
      return entry
    }
  }
}
