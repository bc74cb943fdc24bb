import Foundation

/// A connection that an object has established, and the log that it has found.
struct LogSession: Hashable, Sendable {
  /// The identity of the log, which a log of the same name that replaces it does not share.
  let log: UUID
  /// The process of the server that performs the statements of the connection.
  let process: Int64
  /// The time at which that process has begun, as the server has sent it.
  let start: Data

  /// The channel on which the server announces new entries.
  var channel: String { "flux_" + log.uuidString.lowercased().filter { $0 != "-" } }
}
