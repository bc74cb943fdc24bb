import FluxLog
import Foundation
import Testing

@testable import FluxPostgres

extension ServerTests {
  @Suite("The tables of a log")
  struct TableTests {
    private let name = TestServer.uniqueName()

    func position(_ offset: UInt64) -> LogPosition { LogPosition(offset) }

    /// Returns random bytes, which the server cannot compress.
    private func bytes(_ count: Int, seed: UInt64) -> Data {
      var random = SeededGenerator(seed: seed)
      var data = Data(capacity: count)
      while data.count < count { withUnsafeBytes(of: random.next()) { data.append(contentsOf: $0) } }
      return data.prefix(count)
    }

    @Test("entries and snapshots of ten megabytes are the same when they are read")
    func largeEntries() async throws {
      let log = try await PostgresLog.test(name)
      let entries = (1...3 as ClosedRange<UInt64>).map { bytes(10_000_000, seed: $0) }
      #expect(try await log.append(entries, at: .start) == position(3))
      #expect(try await log.entries(from: .start).map(\.data) == entries)
      let snapshot = LogSnapshot(position: position(3), data: entries[1])
      try await log.save(snapshot)
      #expect(try await PostgresLog.test(name).snapshot() == snapshot)
    }

    @Test("entries can contain all bytes, and can be parts of other data")
    func anyBytes() async throws {
      let log = try await PostgresLog.test(name)
      let all = Data((0...255).map { UInt8($0) })
      let entries = [all, all[100..<200], Data("'); DROP TABLE flux_logs; --"), Data("\\x00{},NULL".utf8)]
      try await log.append(entries, at: .start)
      #expect(try await log.entries(from: .start).map(\.data) == entries)
    }

    @Test("a parameter without bytes is not null, even if no other parameter has bytes")
    func emptyParameter() async throws {
      let url = try TestServer.url()
      let isNull = try await TestServer.onThread {
        var parameters = Parameters()
        parameters.append(Data())
        let connection = try Connection(url, application: "test", patience: 60_000)
        return try connection.perform("SELECT $1::bytea IS NULL", parameters).boolean(0, 0)
      }
      #expect(isNull == false)
    }

    @Test("more bytes than the server can receive are refused before they are sent")
    func tooLarge() async throws {
      let log = try await PostgresLog.test(name)
      let data = Data(count: PostgresLog.maximum + 1)
      #expect(
        await code { () throws(LogError) in _ = try await log.append([data], at: .start) } == .outOfBounds)
      let snapshot = LogSnapshot(position: .start, data: data)
      #expect(await code { () throws(LogError) in try await log.save(snapshot) } == .outOfBounds)
      #expect(try await log.append("a") == position(1))
    }

    @Test("a truncation removes the rows of all entries before its position")
    func truncation() async throws {
      let log = try await PostgresLog.test(name)
      try await log.append((0..<2_500).map { Data("\($0)") }, at: .start)
      try await log.save(LogSnapshot(position: position(2_400), data: Data()))
      try await log.truncate(before: position(2_300))
      #expect(try await TestServer.perform("SELECT count(*) FROM flux_log_\(name)") == 200)
      #expect(try await log.texts(from: position(2_300)) == (2_300..<2_500).map(String.init))
    }

    @Test("many objects can create one log at the same time")
    func creation() async throws {
      let schema = TestServer.uniqueName()
      try await TestServer.perform("CREATE SCHEMA \(schema)")
      let url = "\(try TestServer.url())?options=-csearch_path%3D\(schema)"
      try await withThrowingTaskGroup { group in
        for number in 0..<10 {
          group.addTask { [name] in try await PostgresLog(url, name: name).appendAnywhere("\(number)") }
        }
        try await group.waitForAll()
      }
      #expect(try await PostgresLog(url, name: name).texts().sorted() == (0..<10).map(String.init))
    }

    @Test("a log whose name is invalid, or whose server cannot be reached, cannot be opened")
    func unusable() async throws {
      let url = try TestServer.url()
      for (string, name) in [
        (url, "a\"; DROP TABLE flux_logs; --"), (url, ""), ("host=127.0.0.1 port=1", "a"),
        (url + "\u{0}", "a"),
        ("no connection string", "a"), ("\(url)?options=-csearch_path%3Dmissing", "a"),
        (url.replacing("/postgres", with: "/missing"), "a"),
      ] {
        let error = await #expect(throws: LogError.self) { try await PostgresLog(string, name: name) }
        #expect(error?.code == .unreadable)
      }
    }

    @Test("a log can be opened over a socket of the file system")
    func socket() async throws {
      let log = try await PostgresLog(TestServer.variable("FLUX_POSTGRES_SOCKET"), name: name)
      #expect(try await log.append("a") == position(1))
    }

    @Test("a user who cannot create tables can use tables that exist")
    func rights() async throws {
      try await PostgresLog.test(name).append("a")
      let role = TestServer.uniqueName()
      try await TestServer.perform("CREATE ROLE \(role) LOGIN")
      try await TestServer.perform(
        "GRANT SELECT, INSERT, UPDATE, DELETE ON flux_logs, flux_snapshots, flux_log_\(name) TO \(role)")
      let server = try #require(URLComponents(string: TestServer.url()))
      var url = server
      url.user = role
      let string = try #require(url.string)
      let log = try await PostgresLog(string, name: name)
      #expect(try await log.append("b") == position(2))
      try await TestServer.terminate(name)
      try await log.save(LogSnapshot(position: position(2), data: Data()))
      try await log.truncate(before: position(2))
      #expect(try await log.append("c") == position(3))
      // A statement that the server refuses has no effect, and the log remains usable.
      try await TestServer.perform("REVOKE INSERT ON flux_log_\(name) FROM \(role)")
      #expect(await code { () throws(LogError) in _ = try await log.append("x") } == .unwritable)
      try await TestServer.perform("GRANT INSERT ON flux_log_\(name) TO \(role)")
      try await TestServer.perform("REVOKE SELECT ON flux_snapshots FROM \(role)")
      #expect(await code { () throws(LogError) in _ = try await log.snapshot() } == .unreadable)
      #expect(
        await code { () throws(LogError) in try await log.truncate(before: position(3)) } == .unwritable)
      try await TestServer.perform("GRANT SELECT ON flux_snapshots TO \(role)")
      #expect(try await log.append("d") == position(4))
    }

    @Test("an entry that was removed by others is an error, and not a gap")
    func missingEntry() async throws {
      let log = try await PostgresLog.test(name)
      try await log.append("a", "b", "c")
      try await TestServer.perform("DELETE FROM flux_log_\(name) WHERE position = 1")
      let error = await #expect(throws: LogError.self) { try await log.texts() }
      #expect(error?.code == .damaged)
      #expect(error?.position == position(1))
      #expect(try await log.entries(from: .start, limit: 1).map(\.data.text) == ["a"])
    }
  }
}
