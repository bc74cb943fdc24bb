import FluxLog
import Foundation
import Testing

@testable import FluxPostgres

extension ServerTests {
  @Suite("Lost connections")
  struct LossTests {
    private let name = TestServer.uniqueName()

    func position(_ offset: UInt64) -> LogPosition { LogPosition(offset) }

    @Test("an append whose answer is lost takes effect once, and succeeds")
    func lostAnswer() async throws {
      let proxy = try Proxy()
      let log = try await PostgresLog.test(name, at: proxy.url)
      try await log.append("a")
      proxy.loseAnswers()
      #expect(try await log.append([Data("b"), Data("c")], at: position(1)) == position(3))
      #expect(try await log.append([Data("d")], at: position(3)) == position(4))
      #expect(try await log.texts() == ["a", "b", "c", "d"])
      #expect(try await TestServer.perform("SELECT count(DISTINCT append) FROM flux_log_\(name)") == 3)
    }

    @Test("every call whose answer is lost is repeated, and has the effect of one call")
    func otherLostAnswers() async throws {
      let proxy = try Proxy()
      let log = try await PostgresLog.test(name, at: proxy.url)
      proxy.loseAnswers()
      #expect(try await log.takeWriterRole(token: 4) == 4)
      proxy.loseAnswers()
      #expect(try await log.append("a", "b") == position(2))
      proxy.loseAnswers()
      let snapshot = LogSnapshot(position: position(2), data: Data("state"))
      try await log.save(snapshot)
      proxy.loseAnswers()
      #expect(try await log.snapshot() == snapshot)
      proxy.loseAnswers()
      try await log.truncate(before: position(1))
      proxy.loseAnswers()
      #expect(try await log.texts(from: position(1)) == ["b"])
    }

    @Test("a call fails if the server stays unreachable, and the log can be used when it is reachable")
    func unreachable() async throws {
      let proxy = try Proxy()
      let log = try await PostgresLog.test(name, at: proxy.url, limits: CallRules.Limits(failures: 3))
      try await log.append("a")
      proxy.refuse()
      #expect(
        await code { () throws(LogError) in _ = try await log.append([Data("b")], at: position(1)) }
          == .unwritable)
      #expect(await code { () throws(LogError) in _ = try await log.texts() } == .unreadable)
      try proxy.accept()
      #expect(try await log.append([Data("c")], at: position(1)) == position(2))
      #expect(try await log.texts() == ["a", "c"])
    }

    @Test("a log can be closed while the server is unreachable, and its calls end")
    func closing() async throws {
      let proxy = try Proxy()
      let log = try await PostgresLog.test(name, at: proxy.url, limits: CallRules.Limits(failures: 3))
      proxy.refuse()
      let results = Results()
      log.submit("a", at: 0, results)
      await log.close()
      guard case .failure(let error) = try await results.all(1)[0] else {
        Issue.record("the append succeeds")
        return
      }
      #expect(error.code == .unwritable)
    }

    @Test("a call fails if the server never answers, and a late answer has no effect on the next call")
    func silentServer() async throws {
      let log = try await PostgresLog.test(name, limits: CallRules.Limits(losses: 2), patience: 300)
      let lock = try await RowLock(name)
      let error = await #expect(throws: LogError.self) { try await log.append([Data("a")], at: .start) }
      #expect(error?.code == .unwritable)
      // The next call ends the server process that still waits for the lock.
      #expect(try await log.snapshot() == nil)
      try await lock.release()
      #expect(try await log.texts() == [])
      #expect(try await log.append([Data("b")], at: .start) == position(1))
    }

    @Test("a repeated append is found by its identity, as long as the log has its entries")
    func identities() async throws {
      let source = LogSource(string: try TestServer.url(), name: try LogName(name))
      try await TestServer.onThread {
        let (tables, _, _) = try source.connect(to: nil, after: nil, known: .start)
        let (first, second) = (UUID(), UUID())
        let entries = [Data("a"), Data("b")]
        func append(_ identity: UUID, at offset: UInt64, isRepeated: Bool = true) throws(CallFailure)
          -> LogPosition
        {
          try tables.append(entries, at: LogPosition(offset), append: identity, isRepeated: isRepeated)
        }
        #expect(try append(first, at: 0) == LogPosition(2))
        #expect(try append(second, at: 2) == LogPosition(4))
        #expect(try append(first, at: 0) == LogPosition(2))
        #expect(try tables.entries(from: .start, limit: .max).count == 4)
        let conflict = #expect(throws: CallFailure.self) { try append(UUID(), at: 0) }
        #expect(conflict?.error(.closed).code == .conflict)
        try tables.save(LogSnapshot(position: LogPosition(4), data: Data()))
        try tables.truncate(before: LogPosition(1))
        // Only a repeated append may have had entries that were removed.
        let unknown = #expect(throws: CallFailure.self) { try append(first, at: 0) }
        #expect(unknown?.error(.closed).code == .unwritable)
        let known = #expect(throws: CallFailure.self) { try append(UUID(), at: 0, isRepeated: false) }
        #expect(known?.error(.closed).code == .conflict)
      }
    }

    // MARK: Load

    /// Appends entries with several writers during an operation, and checks that each entry exists
    /// once, and that a follower receives all entries.
    ///
    /// The operation receives a closure that waits until a number of entries were appended.
    private func load(
      _ logs: [PostgresLog], during operation: (_ progress: (Int64) async throws -> Void) async throws -> Void
    ) async throws {
      let isOver = Shared(false)
      let follower = Task { [name] in
        let log = try await PostgresLog.test(name)
        var received: [String] = []
        for try await entry in log.following(from: .start) {
          if entry.data.text == "end" { break }
          received.append(entry.data.text)
        }
        return received
      }
      let counts = try await withThrowingTaskGroup { group in
        for writer in 0..<6 {
          group.addTask {
            defer { isOver.value = true }
            var (number, end) = (0, LogPosition.start)
            while !isOver.value {
              end = try await logs[writer % logs.count].appendAnywhere("\(writer).\(number)", expecting: end)
              number += 1
            }
            return (writer, number)
          }
        }
        do {
          try await operation { count in
            let query = "SELECT end_position FROM flux_logs WHERE name = '\(name)'"
            let start = try await TestServer.perform(query)
            while try await TestServer.perform(query) < start + count, !isOver.value { await Task.yield() }
          }
        } catch {
          Issue.record(error)
        }
        isOver.value = true
        return try await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
      }
      let texts = try await logs[0].texts()
      for (writer, count) in counts {
        #expect(texts.filter { $0.hasPrefix("\(writer).") } == (0..<count).map { "\(writer).\($0)" })
      }
      #expect(texts.count == counts.values.reduce(0, +))
      try await logs[0].appendAnywhere("end")
      #expect(try await follower.value == texts)
    }

    @Test("no entry is lost or exists twice if server processes end during appends")
    func terminations() async throws {
      let logs = [try await PostgresLog.test(name), try await PostgresLog.test(name)]
      try await load(logs) { progress in
        for _ in 0..<20 {
          try await progress(10)
          #expect(try await TestServer.terminate(name) > 0)
        }
      }
    }

    @Test("no entry is lost or exists twice if the server is killed during appends")
    func kills() async throws {
      let logs = [try await PostgresLog.test(name), try await PostgresLog.test(name)]
      try await load(logs) { progress in
        for _ in 0..<3 {
          try await progress(50)
          try await TestServer.crash()
        }
        try await progress(10)
      }
    }
  }
}
