public import FluxLog
public import Foundation

/// A log in a PostgreSQL server, for several processes.
///
/// ```swift
/// let log = try await PostgresLog("postgresql://board@database.example/board", name: "board")
/// ```
///
/// **Tables.** The entries are in a table of their own, which for this example is
/// `flux_log_board`. The tables `flux_logs` and `flux_snapshots` have one row for each log. The
/// initializer creates the tables that do not exist, in the first schema of the search path. The
/// server must have version 14 or newer.
///
/// **Writes.** When ``append(_:at:)`` returns, the server has the entries on its disk. An append
/// takes one round trip. Appends that arrive during another call, and that each expect the
/// position that the previous one will return, share the next round trip and its transaction. An
/// append whose expected position an earlier append of the same object will return fails if the
/// earlier append fails.
///
/// **Lost connections.** The log connects again, with increasing delays, and repeats the call. An
/// append has an identity in the table, so a repeated append takes effect once, even if only the
/// answer to the first attempt was lost. A call fails with ``LogError/Code/unwritable`` or
/// ``LogError/Code/unreadable`` if ten attempts to connect fail, which takes about ten seconds if
/// the server refuses them, or if five connections are lost during the call. After
/// ``LogError/Code/unwritable``, the log may contain the entries. The log remains usable.
///
/// **Writers.** Any object can append by default. After ``takeWriterRole(token:)``, only one
/// object can, until another object takes the role.
///
/// **Threads.** You can call every method from any thread. The calls do not block threads that
/// tasks share. Calls of one object take place one after the other, so a call that reads many
/// entries delays other calls. An object uses two connections: one for calls, and one for
/// ``ends()``.
public final class PostgresLog: ActionLog {
  /// The maximum number of bytes of one append or one snapshot.
  static let maximum = 1 << 28

  let calls: CallQueue
  private let listener: EndListener
  private let followers: LogEnds

  /// Opens a log, and creates the log if it does not exist.
  ///
  /// - Parameters:
  ///   - connection: A connection string of libpq, either a URI or keywords and values. The
  ///     connection must not pass through a pool that shares sessions.
  ///   - name: The name of the log, with at most 40 characters. It begins with a letter from a to
  ///     z, and contains only these letters, digits, and underscores.
  /// - Throws: ``LogError/Code/unreadable`` if the name is invalid, or if the server cannot be
  ///   reached or refuses the log.
  public convenience init(_ connection: String, name: String) async throws(LogError) {
    let source = LogSource(string: connection, name: try LogName(name))
    try await self.init(source, limits: CallRules.Limits())
  }

  /// Opens a log with other limits than usual.
  init(_ source: LogSource, limits: CallRules.Limits) async throws(LogError) {
    let result = await withCheckedContinuation { continuation in
      let queue = DispatchQueue(label: "FluxPostgres open")
      queue.async { continuation.resume(returning: Self.open(source)) }
    }
    let (tables, session, end) = try result.get()
    let followers = LogEnds(end: end)
    self.followers = followers
    calls = CallQueue(source, tables, session, ends: followers, limits: limits)
    listener = EndListener(source, log: session.log, ends: followers)
  }

  deinit {
    listener.stop()
  }

  private static func open(_ source: LogSource) -> Result<(LogTables, LogSession, LogPosition), LogError> {
    do throws(CallFailure) {
      let (tables, session, end) = try source.connect(to: nil, after: nil, known: .start)
      return .success((tables, session, end))
    } catch {
      return .failure(error.error(.unreadable))
    }
  }

  /// Returns the position of the end of the log, which the server has now.
  public func end() async throws(LogError) -> LogPosition {
    let end = try await calls.use(.unreadable) { tables throws(CallFailure) in try tables.head().end }
    followers.advance(to: end)
    return end
  }

  /// Appends entries to the end of the log, which must be at an expected position.
  ///
  /// The entries of one call have at most 256 MiB.
  ///
  /// - Throws: ``LogError/Code/conflict``, ``LogError/Code/inUse`` if another object has the
  ///   writer role, ``LogError/Code/unwritable``, or ``LogError/Code/outOfBounds`` if there are
  ///   too many bytes.
  @discardableResult
  public func append(_ entries: [Data], at expected: LogPosition) async throws(LogError) -> LogPosition {
    let result = await withCheckedContinuation { continuation in
      calls.append(entries, at: expected) { continuation.resume(returning: $0) }
    }
    return try result.get()
  }

  /// Returns entries in their order, from a position on.
  public func entries(from position: LogPosition, limit: Int) async throws(LogError) -> [ActionLogEntry] {
    try await calls.use(.unreadable) { tables throws(CallFailure) in
      try tables.entries(from: position, limit: limit)
    }
  }

  /// Returns the newest snapshot, or `nil` if there is none.
  public func snapshot() async throws(LogError) -> LogSnapshot? {
    try await calls.use(.unreadable) { tables throws(CallFailure) in try tables.snapshot() }
  }

  /// Saves a snapshot, which replaces the previous snapshot.
  ///
  /// A snapshot has at most 256 MiB.
  public func save(_ snapshot: LogSnapshot) async throws(LogError) {
    guard snapshot.data.count <= Self.maximum else {
      throw LogError(
        .outOfBounds, at: snapshot.position, "\(snapshot.data.count) bytes are too many for a snapshot.")
    }
    try await calls.use(.unwritable) { tables throws(CallFailure) in try tables.save(snapshot) }
  }

  /// Removes entries before a position.
  ///
  /// The entries are invisible at once, and are removed in parts while other processes use the
  /// log.
  public func truncate(before position: LogPosition) async throws(LogError) {
    try await calls.use(.unwritable) { tables throws(CallFailure) in try tables.truncate(before: position) }
  }

  /// Returns a sequence of the ends of the log, which begins with the newest end that this object
  /// knows.
  ///
  /// The sequence contains the ends of all processes, soon after the entries are on disk. If the
  /// connection is lost, the sequence continues with the newest end. It ends if the log was
  /// closed, or was removed from the server.
  public func ends() -> AsyncStream<LogPosition> { followers.stream() }

  /// Takes the role of the only writer from all other objects.
  ///
  /// Afterward, all other objects fail to append, to save, and to truncate, with an error of the
  /// code ``LogError/Code/inUse``. A process that continues after a long pause can therefore not
  /// write to a log that another process has taken over. The role does not end, but another object
  /// can take it.
  ///
  /// - Parameter token: A positive number that is larger than the numbers of all earlier writers,
  ///   for example from a service that elects a leader. The default is `nil`, which is the next
  ///   number.
  /// - Returns: The number of this writer.
  /// - Throws: ``LogError/Code/inUse`` if another writer has this number or a larger one, or
  ///   ``LogError/Code/unwritable``.
  @discardableResult
  public func takeWriterRole(token: Int? = nil) async throws(LogError) -> Int {
    try await calls.use(.unwritable) { tables throws(CallFailure) in
      try tables.takeWriterRole(token: token)
    }
  }

  /// Refuses later calls, waits until the earlier calls have returned, and ends the sequences of
  /// ends.
  public func close() async {
    await calls.close()
    listener.stop()
    followers.finish()
  }
}
