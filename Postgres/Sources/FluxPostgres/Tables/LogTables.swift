import FluxLog
import Foundation

/// The statements by which an object uses a log on its connection.
///
/// One thread at a time uses the object, and every method can block the thread.
///
/// Every change of a log locks the row of the log until the change is on disk. All changes of a
/// log therefore happen one after the other, and their entries become visible in the order of
/// their positions.
struct LogTables: Sendable {
  let connection: Connection
  let name: LogName
  /// The identity of the object, as a writer.
  let object: UUID

  // MARK: - Appending

  /// Appends entries in one round trip, and returns the new end.
  ///
  /// - Parameters:
  ///   - append: The identity of the append. If the log contains an append with this identity at
  ///     the position, the call succeeds without a change.
  ///   - isRepeated: A Boolean value that indicates whether the log might contain the append.
  @discardableResult
  func append(
    _ entries: [Data], at expected: LogPosition, append: UUID, isRepeated: Bool
  ) throws(CallFailure) -> LogPosition {
    var parameters = Parameters()
    parameters.append(name.text)
    parameters.append(expected.integer)
    parameters.append(object)
    parameters.append(append)
    parameters.append(entries)
    let rows = try connection.perform(
      """
      WITH head AS (
        UPDATE flux_logs SET end_position = end_position + cardinality($5)
        WHERE name = $1 AND end_position = $2 AND (writer IS NULL OR writer = $3)
        RETURNING id, end_position
      ), added AS (
        INSERT INTO \(name.entries) (position, append, data)
        SELECT $2 + entry.number - 1, $4, entry.data
        FROM head, unnest($5) WITH ORDINALITY AS entry (data, number)
      )
      SELECT end_position, pg_notify('flux_' || translate(id::text, '-', ''), '') FROM head
      """, parameters)
    if rows.count == 1 { return try position(rows, 0, 0) }
    return try explainRefusal(of: entries.count, at: expected, append, isRepeated: isRepeated)
  }

  /// Returns the new end if the log contains an append already, and otherwise throws the reason
  /// why the server has refused the append.
  private func explainRefusal(
    of count: Int, at expected: LogPosition, _ append: UUID, isRepeated: Bool
  ) throws(CallFailure) -> LogPosition {
    var parameters = Parameters()
    parameters.append(expected.integer)
    let found = try connection.perform("SELECT append FROM \(name.entries) WHERE position = $1", parameters)
    if found.count == 1, try found.uuid(0, 0) == append {
      return expected.advanced(by: count)
    }
    let head = try head()
    if isRepeated, count > 0, expected < head.first {
      throw .log(LogError(.unwritable, at: expected, "The connection was lost during the append."))
    }
    try head.checkWriter(object)
    throw .log(
      LogError(
        .conflict, at: head.end, "The log ends at position \(head.end), and not at position \(expected)."))
  }

  // MARK: - Reading

  func head(locks: Bool = false) throws(CallFailure) -> LogHead {
    var parameters = Parameters()
    parameters.append(name.text)
    let rows = try connection.perform(
      """
      SELECT first_position, end_position, writer,
        (SELECT position FROM flux_snapshots WHERE name = $1)
      FROM flux_logs WHERE name = $1 \(locks ? "FOR UPDATE" : "")
      """, parameters)
    let snapshot = try rows.position(0, 3)
    return LogHead(
      first: try position(rows, 0, 0), end: try position(rows, 0, 1),
      snapshot: snapshot.map { LogPosition($0) },
      writer: try rows.uuid(0, 2))
  }

  func entries(from start: LogPosition, limit: Int) throws(CallFailure) -> [ActionLogEntry] {
    var parameters = Parameters()
    parameters.append(name.text)
    parameters.append(start.integer)
    parameters.append(Int64(max(0, limit)))
    // One statement reads the bounds and the entries at the same time.
    let rows = try connection.perform(
      """
      SELECT first_position, end_position, entry.position, entry.data
      FROM flux_logs LEFT JOIN LATERAL (
        SELECT position, data FROM \(name.entries)
        WHERE position >= $2 ORDER BY position LIMIT $3
      ) AS entry ON true
      WHERE name = $1
      """, parameters)
    let head = LogHead(first: try position(rows, 0, 0), end: try position(rows, 0, 1))
    try head.checkRead(start)
    var entries: [ActionLogEntry] = []
    for row in 0..<rows.count {
      guard let data = rows.data(row, 3) else { break }
      let entry = ActionLogEntry(position: try position(rows, row, 2), data: data)
      guard entry.position == start.advanced(by: row) else { break }
      entries.append(entry)
    }
    guard entries.count == min(max(0, limit), start.distance(to: head.end)) else {
      let missing = start.advanced(by: entries.count)
      throw .log(LogError(.damaged, at: missing, "The log has no entry at position \(missing)."))
    }
    return entries
  }

  func snapshot() throws(CallFailure) -> LogSnapshot? {
    var parameters = Parameters()
    parameters.append(name.text)
    let rows = try connection.perform("SELECT position, data FROM flux_snapshots WHERE name = $1", parameters)
    guard let data = rows.data(0, 1) else { return nil }
    return LogSnapshot(position: try position(rows, 0, 0), data: data)
  }

  // MARK: - Snapshots

  func save(_ snapshot: LogSnapshot) throws(CallFailure) {
    try change { (head) throws(CallFailure) in
      try head.checkSave(at: snapshot.position)
      var parameters = Parameters()
      parameters.append(name.text)
      parameters.append(snapshot.position.integer)
      parameters.append(snapshot.data)
      try connection.perform(
        """
        INSERT INTO flux_snapshots (name, position, data) VALUES ($1, $2, $3)
        ON CONFLICT (name) DO UPDATE SET position = excluded.position, data = excluded.data
        """, parameters)
    }
  }

  func truncate(before position: LogPosition) throws(CallFailure) {
    var parameters = Parameters()
    parameters.append(position.integer)
    try change { (head) throws(CallFailure) in
      guard try head.checkTruncate(before: position) else { return }
      var parameters = parameters
      parameters.append(name.text)
      try connection.perform("UPDATE flux_logs SET first_position = $1 WHERE name = $2", parameters)
    }
    // The log does not contain these entries anymore, so they are removed while it is not locked.
    // If the connection is lost, the repeated call or the next truncation removes the rest.
    var count: Int64?
    while count != 0 {
      count = try connection.perform(
        """
        WITH removed AS (
          DELETE FROM \(name.entries) WHERE position IN (
            SELECT position FROM \(name.entries) WHERE position < $1 ORDER BY position LIMIT 1000
          ) RETURNING 1
        )
        SELECT count(*) FROM removed
        """, parameters
      ).integer(0, 0)
    }
  }

  /// Changes the log while its row is locked, all or nothing.
  private func change(_ body: (LogHead) throws(CallFailure) -> Void) throws(CallFailure) {
    try connection.transaction { () throws(CallFailure) in
      let head = try head(locks: true)
      try head.checkWriter(object)
      try body(head)
    }
  }

  // MARK: - The writer

  /// Makes the object the only writer, and returns its token.
  func takeWriterRole(token: Int?) throws(CallFailure) -> Int {
    var parameters = Parameters()
    parameters.append(name.text)
    parameters.append(object)
    parameters.append(token.map(Int64.init))
    // The second condition lets the object repeat a call whose answer was lost.
    let rows = try connection.perform(
      """
      UPDATE flux_logs SET token = COALESCE($3, token + 1), writer = $2
      WHERE name = $1 AND ($3 IS NULL OR $3 > token OR ($3 = token AND writer = $2))
      RETURNING token
      """, parameters)
    let taken = try rows.integer(0, 0)
    guard let taken else {
      throw .log(LogError(.inUse, "A writer with the same token or a newer one has the log."))
    }
    return Int(taken)
  }

  /// Returns a position that is not null.
  private func position(_ rows: Rows, _ row: Int, _ column: Int32) throws(CallFailure) -> LogPosition {
    guard let offset = try rows.position(row, column) else {
      throw .log(LogError(.damaged, "The table flux_logs has no row for the log \"\(name.text)\"."))
    }
    return LogPosition(offset)
  }
}
