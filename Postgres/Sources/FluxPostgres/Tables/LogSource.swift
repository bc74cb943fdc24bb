import FluxLog
import Foundation

/// The way in which an object connects to its log.
struct LogSource: Sendable {
  let string: String
  let name: LogName
  /// The identity of the object, as a writer.
  let object = UUID()
  /// The time without any answer, in milliseconds, after which a connection counts as lost.
  var patience: Int32 = 30_000
  /// The time without an announcement, in milliseconds, after which a listener reads the end.
  var pause: Int32 = 15_000

  /// Connects to the server, and finds the log.
  ///
  /// - Parameters:
  ///   - log: The identity of the log, or `nil` to create the log if it does not exist.
  ///   - lost: The session on a lost connection, or `nil`. The server process of this session has
  ///     ended when the method returns, so that it no longer performs a statement.
  ///   - known: A position that the log has reached.
  func connect(
    to log: UUID?, after lost: LogSession?, known: LogPosition
  ) throws(CallFailure) -> (LogTables, LogSession, end: LogPosition) {
    let connection = try Connection(string, application: "flux log \(name.text)", patience: patience)
    // The settings of a user or a database must not weaken the guarantees of the log, and an
    // object that hangs must not keep the log locked.
    try connection.perform(
      """
      SELECT set_config('default_transaction_isolation', 'read committed', false),
        set_config('idle_in_transaction_session_timeout', '10s', false),
        set_config('synchronous_commit', CASE value WHEN 'off' THEN 'on' ELSE value END, false)
      FROM current_setting('synchronous_commit') AS value
      """)
    if let lost { try end(lost, on: connection) }
    if log == nil { try LogTables.create(name, on: connection) }
    var parameters = Parameters()
    parameters.append(name.text)
    let rows = try connection.perform(
      """
      SELECT id, end_position, pid::bigint, backend_start
      FROM flux_logs, pg_stat_activity WHERE name = $1 AND pid = pg_backend_pid()
      """, parameters)
    guard let found = try rows.uuid(0, 0), let end = try rows.position(0, 1), found == log ?? found,
      end >= known.offset
    else {
      throw .log(LogError(.damaged, at: known, "The server has another log with the name \"\(name.text)\"."))
    }
    guard let process = try rows.integer(0, 2), let start = rows.data(0, 3) else {
      throw .refused("the server does not describe the connection")
    }
    return (
      LogTables(connection: connection, name: name, object: object),
      LogSession(log: found, process: process, start: start), LogPosition(end)
    )
  }

  /// Ends the server process of an earlier session, which may still perform a statement.
  private func end(_ lost: LogSession, on connection: Connection) throws(CallFailure) {
    var parameters = Parameters()
    parameters.append(lost.process)
    parameters.append(time: lost.start)
    let rows = try connection.perform(
      """
      SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
      WHERE pid = $1::bigint AND backend_start = $2
      """, parameters)
    let isEnded = try rows.boolean(0, 0) ?? true
    guard isEnded else {
      throw .lost("the server process of the previous connection does not end")
    }
  }
}
