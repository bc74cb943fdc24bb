import FluxLog
import Foundation

extension LogTables {
  /// Creates the tables that do not exist, and the row of the log.
  static func create(_ name: LogName, on connection: Connection) throws(CallFailure) {
    var names = Parameters()
    names.append(name.entries)
    let found = try connection.perform(
      """
      SELECT to_regclass('flux_logs') IS NOT NULL AND to_regclass('flux_snapshots') IS NOT NULL
        AND to_regclass($1) IS NOT NULL
      """, names)
    if try found.boolean(0, 0) != true {
      // Without a lock, PostgreSQL reports an error if two processes create a table.
      try connection.transaction { () throws(CallFailure) in
        try connection.perform("SELECT pg_advisory_xact_lock(\(lockOfSchema))")
        for statement in statements(name) { try connection.perform(statement) }
      }
    }
    var row = Parameters()
    row.append(name.text)
    try connection.perform(
      "INSERT INTO flux_logs (name) SELECT $1 WHERE NOT EXISTS (SELECT FROM flux_logs WHERE name = $1) "
        + "ON CONFLICT DO NOTHING", row)
  }

  /// The number of the advisory lock: the letters "fluxlogs".
  private static var lockOfSchema: Int64 { 0x666c_7578_6c6f_6773 }

  private static func statements(_ name: LogName) -> [String] {
    [
      """
      CREATE TABLE IF NOT EXISTS flux_logs (
        name text PRIMARY KEY,
        id uuid NOT NULL DEFAULT gen_random_uuid(),
        first_position bigint NOT NULL DEFAULT 0,
        end_position bigint NOT NULL DEFAULT 0,
        token bigint NOT NULL DEFAULT 0,
        writer uuid
      ) WITH (fillfactor = 50)
      """,
      """
      CREATE TABLE IF NOT EXISTS flux_snapshots (
        name text PRIMARY KEY,
        position bigint NOT NULL,
        data bytea NOT NULL
      )
      """,
      """
      CREATE TABLE IF NOT EXISTS \(name.entries) (
        position bigint PRIMARY KEY,
        append uuid NOT NULL,
        data bytea NOT NULL
      )
      """,
    ]
  }
}
