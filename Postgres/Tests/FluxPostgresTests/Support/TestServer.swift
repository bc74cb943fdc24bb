import Foundation
import Testing

@testable import FluxPostgres

/// The server that the script `check` has started.
enum TestServer {
  /// Returns the connection string of the server.
  static func url() throws -> String { try variable("FLUX_POSTGRES_URL") }

  /// Returns the value of a variable that the script exports.
  static func variable(_ name: String) throws -> String {
    try #require(ProcessInfo.processInfo.environment[name], "Run Postgres/check, which starts a server.")
  }

  /// Returns a name that no other log has.
  static func uniqueName() -> String {
    "t" + UUID().uuidString.lowercased().filter { $0 != "-" }
  }

  /// Performs a statement on a separate connection, and returns the first value of the result as
  /// an integer, or zero.
  @discardableResult
  static func perform(_ statement: String) async throws -> Int64 {
    let url = try url()
    return try await onThread {
      try Connection(url, application: "test", patience: 60_000).perform(statement).integer(0, 0) ?? 0
    }
  }

  /// Kills the server (SIGKILL), so that it can write nothing at its end, and starts it again.
  static func crash() async throws {
    try await run("crash")
    try await run("start")
  }

  static func run(_ action: String) async throws {
    let script = try variable("FLUX_POSTGRES_SERVER")
    let status = try await onThread {
      let process = Process()
      process.executableURL = URL(fileURLWithPath: script)
      process.arguments = [action]
      try process.run()
      process.waitUntilExit()
      return process.terminationStatus
    }
    try #require(status == 0, "The server does not \(action).")
  }

  /// Ends the server processes of the connections of a log, and returns their number.
  @discardableResult
  static func terminate(_ log: String) async throws -> Int64 {
    try await perform(
      """
      SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
      WHERE application_name = 'flux log \(log)'
      """)
  }

  /// Runs a closure that can block on a separate thread.
  static func onThread<Value: Sendable>(
    _ body: @escaping @Sendable () throws -> Value
  ) async throws -> Value {
    let result = await withCheckedContinuation {
      (continuation: CheckedContinuation<Result<Value, any Error>, Never>) in
      Thread { continuation.resume(returning: Result { try body() }) }.start()
    }
    return try result.get()
  }
}

/// A lock of the row of a log, which another connection holds until the test releases it.
final class RowLock: Sendable {
  private let connection: Connection

  init(_ name: String) async throws {
    let url = try TestServer.url()
    connection = try await TestServer.onThread {
      let connection = try Connection(url, application: "test", patience: 60_000)
      try connection.perform("BEGIN")
      try connection.perform("SELECT FROM flux_logs WHERE name = '\(name)' FOR UPDATE")
      return connection
    }
  }

  /// Waits until a number of connections wait for the lock.
  func waiters(_ count: Int64) async throws {
    while try await TestServer.perform("SELECT count(*) FROM pg_locks WHERE NOT granted") < count {
      await Task.yield()
    }
  }

  func release() async throws {
    _ = try await TestServer.onThread { [connection] in try connection.perform("ROLLBACK").count }
  }
}
