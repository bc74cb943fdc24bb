import FluxLog
import Foundation
import Testing

@testable import FluxPostgres

extension ServerTests {
  @Suite("The ends of a log")
  struct EndTests {
    private let name = TestServer.uniqueName()

    func position(_ offset: UInt64) -> LogPosition { LogPosition(offset) }

    /// Receives ends until there is one that is late enough.
    private func reach(
      _ end: UInt64, _ ends: inout AsyncStream<LogPosition>.Iterator
    ) async -> [LogPosition] {
      var received: [LogPosition] = []
      while received.last.map({ $0 < position(end) }) ?? true, let next = await ends.next() {
        received.append(next)
      }
      return received
    }

    /// Waits until the log receives the ends of other objects.
    private func connect(_ ends: inout AsyncStream<LogPosition>.Iterator) async throws {
      #expect(await ends.next() == .start)
      let other = try await PostgresLog.test(name)
      try await other.append("first")
      #expect(await ends.next() == position(1))
    }

    @Test("the ends begin with the current end, and include those of other objects, in their order")
    func others() async throws {
      let (log, other) = (try await PostgresLog.test(name, pause: .max), try await PostgresLog.test(name))
      try await log.append("a")
      var ends = log.ends().makeAsyncIterator()
      #expect(await ends.next() == position(1))
      for end in 2...10 as ClosedRange<UInt64> {
        try await other.append("x")
        #expect(await ends.next() == position(end))
      }
      for _ in 0..<20 { try await other.append("x") }
      let received = await reach(30, &ends)
      #expect(received == received.sorted())
      #expect(received.last == position(30))
    }

    @Test("an end that is made while the connection is lost is received after the next connection")
    func whileLost() async throws {
      let proxy = try Proxy()
      let log = try await PostgresLog.test(name, at: proxy.url, pause: .max)
      let other = try await PostgresLog.test(name)
      var ends = log.ends().makeAsyncIterator()
      try await connect(&ends)
      proxy.refuse()
      try await other.append("a", "b")
      try proxy.accept()
      #expect(await ends.next() == position(3))
      // The announcement is lost together with the connection.
      proxy.loseAnswers()
      try await other.append("c")
      #expect(await ends.next() == position(4))
    }

    @Test("an end that the server does not announce is read after a pause")
    func pause() async throws {
      let log = try await PostgresLog.test(name, pause: 20)
      var ends = log.ends().makeAsyncIterator()
      try await connect(&ends)
      try await TestServer.perform("UPDATE flux_logs SET end_position = 2 WHERE name = '\(name)'")
      #expect(await ends.next() == position(2))
    }

    @Test("a false announcement does not change the end")
    func falseAnnouncement() async throws {
      let log = try await PostgresLog.test(name)
      var ends = log.ends().makeAsyncIterator()
      try await connect(&ends)
      try await TestServer.perform(
        "SELECT count(pg_notify('flux_' || translate(id::text, '-', ''), '99')) FROM flux_logs")
      try await PostgresLog.test(name).append("a")
      #expect(await ends.next() == position(2))
    }

    @Test("logs of the same name in two schemas have different entries and ends")
    func schemas() async throws {
      var logs: [PostgresLog] = []
      for schema in [TestServer.uniqueName(), TestServer.uniqueName()] {
        try await TestServer.perform("CREATE SCHEMA \(schema)")
        logs.append(try await .test(name, at: "\(TestServer.url())?options=-csearch_path%3D\(schema)"))
      }
      var ends = logs[1].ends().makeAsyncIterator()
      #expect(await ends.next() == .start)
      try await logs[0].append("a", "b", "c")
      #expect(try await logs[1].texts() == [])
      try await logs[1].append("x")
      #expect(await ends.next() == position(1))
      #expect(try await logs[0].texts() == ["a", "b", "c"])
    }

    @Test("after the log is removed, its calls fail, and its ends end, even if there is a new log")
    func removedLog() async throws {
      let log = try await PostgresLog.test(name)
      try await log.append("a")
      var ends = log.ends().makeAsyncIterator()
      #expect(await ends.next() == position(1))
      try await TestServer.perform("DELETE FROM flux_logs WHERE name = '\(name)'")
      try await TestServer.perform("DROP TABLE flux_log_\(name)")
      let new = try await PostgresLog.test(name)
      try await new.append("b", "c")
      try await TestServer.terminate(name)
      for _ in 0..<2 {
        #expect(
          await code { () throws(LogError) in _ = try await log.append([Data("x")], at: position(2)) }
            == .damaged)
      }
      #expect(await ends.next() == nil)
      #expect(try await new.texts() == ["b", "c"])
    }

    @Test("an end that is smaller than before is an error")
    func smallerEnd() async throws {
      let log = try await PostgresLog.test(name)
      try await log.append("a", "b")
      try await TestServer.perform("UPDATE flux_logs SET end_position = 1 WHERE name = '\(name)'")
      try await TestServer.terminate(name)
      #expect(await code { () throws(LogError) in _ = try await log.end() } == .damaged)
    }

    @Test("a log that is released closes its connections and its ends")
    func release() async throws {
      var log: PostgresLog? = try await .test(name)
      try await log?.append("a")
      let ends = try #require(log?.ends())
      log = nil
      var received: [LogPosition] = []
      for await end in ends { received.append(end) }
      #expect(received == [position(1)])
      let query = "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'flux log \(name)'"
      while try await TestServer.perform(query) > 0 { await Task.yield() }
    }
  }
}
