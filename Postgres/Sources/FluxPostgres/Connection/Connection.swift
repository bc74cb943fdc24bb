import CLibPQ
import Foundation

/// A connection to a PostgreSQL server.
///
/// All uses of libpq are in this folder. One thread at a time uses the object, and every method
/// can block the thread. A connection that is lost stays lost.
final class Connection: @unchecked Sendable {
  private let connection: OpaquePointer
  /// The time without any answer, in milliseconds, after which the connection counts as lost.
  private let patience: Int32
  private(set) var isLost = false
  /// The number of statements that were sent, each of which takes one round trip, for tests.
  private(set) var statementCount = 0

  /// Connects to a server.
  ///
  /// The parameters of the connection string override the defaults, which find out within half a
  /// minute that a server is unreachable.
  init(_ string: String, application: String, patience: Int32) throws(CallFailure) {
    guard !string.utf8.contains(0) else { throw .refused("the connection string contains a null byte") }
    let options: KeyValuePairs = [
      "connect_timeout": "10", "keepalives_idle": "10", "keepalives_interval": "5",
      "keepalives_count": "3", "tcp_user_timeout": "30000", "fallback_application_name": application,
      "dbname": string, "client_encoding": "UTF8",
    ]
    let keys = options.map { strdup($0.key) }
    let values = options.map { strdup($0.value) }
    defer { for text in keys + values { free(text) } }
    let opened = PQconnectdbParams(
      keys.map { UnsafePointer($0) } + [nil], values.map { UnsafePointer($0) } + [nil], 1)
    guard let opened else { throw .lost("libpq has no memory") }
    guard PQstatus(opened) == CONNECTION_OK else {
      defer { PQfinish(opened) }
      throw .lost(text(PQerrorMessage(opened)))
    }
    // Notices would be written to the standard error.
    PQsetNoticeProcessor(opened, { _, _ in }, nil)
    PQsetnonblocking(opened, 1)
    connection = opened
    self.patience = patience
  }

  deinit { PQfinish(connection) }

  /// The descriptor of the socket, which is readable when the server has sent something.
  var socket: Int32 { PQsocket(connection) }

  /// Performs a statement, and returns its rows.
  @discardableResult
  func perform(
    _ statement: String, _ parameters: Parameters = Parameters()
  ) throws(CallFailure) -> Rows {
    guard send(statement, parameters) else { throw lost() }
    while true {
      let rest = PQflush(connection)
      guard rest >= 0 else { throw lost() }
      guard rest > 0 else { break }
      try wait(for: POLLIN | POLLOUT)
    }
    var rows: Rows?
    var failure: String?
    while let result = try nextResult() {
      let status = PQresultStatus(result)
      rows = Rows(result)
      guard status != PGRES_TUPLES_OK, status != PGRES_COMMAND_OK else { continue }
      failure = failure ?? text(PQresultErrorMessage(result))
    }
    // An error that ends the connection, for example because the server stops, is not an answer.
    if PQstatus(connection) != CONNECTION_OK { throw lost(failure) }
    if let failure { throw .refused(failure) }
    guard let rows else { throw lost() }
    return rows
  }

  /// Performs statements together or not at all.
  func transaction<Value>(
    _ body: () throws(CallFailure) -> Value
  ) throws(CallFailure) -> Value {
    try perform("BEGIN")
    let value: Value
    do throws(CallFailure) {
      value = try body()
    } catch {
      if !isLost { try perform("ROLLBACK") }
      throw error
    }
    try perform("COMMIT")
    return value
  }

  /// Reads what the server has sent, and returns a Boolean value that indicates whether there was
  /// a notification.
  func readNotifications() throws(CallFailure) -> Bool {
    guard PQconsumeInput(connection) == 1 else { throw lost() }
    var hasAny = false
    while let notification = PQnotifies(connection) {
      PQfreemem(notification)
      hasAny = true
    }
    return hasAny
  }

  private func send(_ statement: String, _ parameters: Parameters) -> Bool {
    statementCount += 1
    let types = parameters.types.map(\.rawValue)
    let lengths = parameters.ranges.map { Int32($0?.count ?? 0) }
    let formats = types.map { _ in Int32(1) }
    return parameters.bytes.withUnsafeBytes { bytes in
      let values = parameters.ranges.map { range in
        range.flatMap { bytes.baseAddress?.advanced(by: $0.lowerBound).assumingMemoryBound(to: CChar.self) }
      }
      return PQsendQueryParams(
        connection, statement, Int32(types.count), types, values, lengths, formats, 1) == 1
    }
  }

  private func nextResult() throws(CallFailure) -> OpaquePointer? {
    while PQisBusy(connection) == 1 {
      try wait(for: POLLIN)
    }
    return PQgetResult(connection)
  }

  /// Waits until the socket is ready, and reads what the server has sent.
  private func wait(for events: Int32) throws(CallFailure) {
    var descriptor = pollfd(fd: socket, events: Int16(events), revents: 0)
    let count = poll(&descriptor, 1, patience)
    if count == 0 { throw lost("the server has not answered for \(patience) ms") }
    guard count > 0 || errno == EINTR else { throw lost("the socket cannot be polled") }
    let isReadable = descriptor.revents & ~Int16(POLLOUT) != 0
    if isReadable, PQconsumeInput(connection) == 0 { throw lost() }
  }

  private func lost(_ reason: String? = nil) -> CallFailure {
    isLost = true
    return .lost(reason ?? text(PQerrorMessage(connection)))
  }
}

/// Returns a message of libpq without the line breaks at its end.
private func text(_ message: UnsafePointer<CChar>?) -> String {
  guard let message else { return "" }
  return String(cString: message).trimmingCharacters(in: .whitespacesAndNewlines)
}
