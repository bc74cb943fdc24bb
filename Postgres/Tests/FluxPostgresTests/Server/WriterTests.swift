import FluxLog
import Foundation
import Testing

@testable import FluxPostgres

extension ServerTests {
  @Suite("Writers of a log")
  struct WriterTests {
    private let name = TestServer.uniqueName()

    func position(_ offset: UInt64) -> LogPosition { LogPosition(offset) }

    @Test("two objects never both append at one position, and lose no entry")
    func twoObjects() async throws {
      let logs = [try await PostgresLog.test(name), try await PostgresLog.test(name)]
      try await withThrowingTaskGroup { group in
        for writer in 0..<4 {
          group.addTask {
            var end = LogPosition.start
            for number in 0..<50 {
              end = try await logs[writer % 2].appendAnywhere("\(writer).\(number)", expecting: end)
            }
          }
        }
        try await group.waitForAll()
      }
      let texts = try await logs[0].texts()
      #expect(texts.count == 200)
      for writer in 0..<4 {
        #expect(texts.filter { $0.hasPrefix("\(writer).") } == (0..<50).map { "\(writer).\($0)" })
      }
    }

    @Test("the error of a conflict contains the end that another object has made")
    func conflict() async throws {
      let (first, second) = (try await PostgresLog.test(name), try await PostgresLog.test(name))
      try await first.append("a", "b")
      let error = await #expect(throws: LogError.self) { try await second.append([Data("x")], at: .start) }
      #expect(error?.code == .conflict)
      #expect(error?.position == position(2))
      #expect(try await second.append([Data("c")], at: position(2)) == position(3))
      #expect(try await first.end() == position(3))
    }

    @Test("appends that wait while another call is under way go to the server together")
    func group() async throws {
      let log = try await PostgresLog.test(name)
      let lock = try await RowLock(name)
      let results = Results()
      log.submit("0", at: 0, results)
      try await lock.waiters(1)
      for number in 1...200 { log.submit("\(number)", at: UInt64(number), results) }
      try await lock.release()
      #expect(try await results.all(201) == (1...201).map { .success(position($0)) })
      #expect(try await log.texts() == (0...200).map(String.init))
      let groups = try await TestServer.perform("SELECT count(DISTINCT append) FROM flux_log_\(name)")
      #expect(groups == 2)
    }

    @Test("an append is one statement, and the appends that wait for it together are one more")
    func statements() async throws {
      let log = try await PostgresLog.test(name)
      func statements() async throws -> Int {
        try await log.calls.use(.unreadable) { tables in tables.connection.statementCount }
      }
      let start = try await statements()
      for number in 0..<5 as Range<UInt64> {
        try await log.append([Data("a"), Data("b")], at: position(2 * number))
      }
      #expect(try await statements() == start + 5)
      let lock = try await RowLock(name)
      let results = Results()
      for number in 10..<15 as Range<UInt64> {
        log.submit("\(number)", at: number, results)
        if number == 10 { try await lock.waiters(1) }
      }
      try await lock.release()
      #expect(try await results.all(5) == (11...15).map { .success(position($0)) })
      #expect(try await statements() == start + 7)
      // A refused append finds out why with two more statements.
      #expect(
        await code { () throws(LogError) in _ = try await log.append([Data("x")], at: .start) } == .conflict)
      #expect(try await statements() == start + 10)
    }

    @Test("if an append fails, the appends that expect its end fail too, even if the log has that end")
    func followers() async throws {
      let log = try await PostgresLog.test(name)
      let other = try await PostgresLog.test(name)
      let lock = try await RowLock(name)
      let results = Results()
      async let others = other.append("x")
      try await lock.waiters(1)
      // The other object has the next turn, so the first append conflicts, and the log ends where
      // the second one expects it.
      log.submit("0", at: 0, results)
      try await lock.waiters(2)
      log.submit("1", at: 1, results)
      log.submit("2", at: 2, results)
      try await lock.release()
      _ = try await others
      for result in try await results.all(3) {
        #expect(throws: LogError.self) { try result.get() }
        if case .failure(let error) = result {
          #expect(error.code == .conflict)
          #expect(error.position == position(1))
        }
      }
      #expect(try await log.texts() == ["x"])
    }

    @Test("processes append at different positions, and a follower in another process receives each entry")
    func processes() async throws {
      let log = try await PostgresLog.test(name)
      let received = Task {
        var received: [String] = []
        for try await entry in log.following(from: .start) {
          received.append(entry.data.text)
          if received.count == 80 { break }
        }
        return received
      }
      async let first = program("first", 40)
      async let second = program("second", 40)
      #expect(try await first == (0..<40).map { "first \($0)" })
      #expect(try await second == (0..<40).map { "second \($0)" })
      let texts = try await received.value
      #expect(texts == (try await log.texts()))
      for writer in ["first", "second"] {
        #expect(texts.filter { $0.hasPrefix(writer) } == (0..<40).map { "\(writer) \($0)" })
      }
    }

    /// Returns the lines that a process has printed, which appends to the log.
    private func program(_ writer: String, _ count: Int) async throws -> [String] {
      let places = [
        Bundle.main.bundleURL, URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent(),
      ]
      let found = places.map { $0.appendingPathComponent("LogProgram") }.first {
        FileManager.default.isExecutableFile(atPath: $0.path)
      }
      let (program, url, name) = (try #require(found), try TestServer.url(), name)
      let output = try await TestServer.onThread {
        let process = Process()
        let pipe = Pipe()
        process.executableURL = program
        process.arguments = [url, name, writer, "\(count)"]
        process.standardOutput = pipe
        try process.run()
        let output = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return output
      }
      return output.text.split(separator: "\n").map(String.init)
    }

    // MARK: The writer role

    @Test("after another object has taken the writer role, an object cannot change the log")
    func fencing() async throws {
      let (old, new) = (try await PostgresLog.test(name), try await PostgresLog.test(name))
      #expect(try await old.takeWriterRole() == 1)
      try await old.append("a", "b")
      #expect(try await new.takeWriterRole() == 2)
      try await new.append("c")
      for expected in [2, 3] as [UInt64] {
        #expect(
          await code { () throws(LogError) in _ = try await old.append([Data("x")], at: position(expected)) }
            == .inUse)
      }
      #expect(await code { () throws(LogError) in _ = try await old.append([], at: position(3)) } == .inUse)
      let snapshot = LogSnapshot(position: position(2), data: Data())
      #expect(await code { () throws(LogError) in try await old.save(snapshot) } == .inUse)
      try await new.save(snapshot)
      #expect(await code { () throws(LogError) in try await old.truncate(before: position(1)) } == .inUse)
      #expect(try await old.texts() == ["a", "b", "c"])
      // An object that never had the role is refused, too.
      let third = try await PostgresLog.test(name)
      #expect(await code { () throws(LogError) in _ = try await third.append("x") } == .inUse)
      // The old writer can take the role again.
      #expect(try await old.takeWriterRole() == 3)
      try await old.append("d")
      #expect(await code { () throws(LogError) in _ = try await new.append("x") } == .inUse)
    }

    @Test("a token that is not larger than the tokens of all earlier writers is refused")
    func tokens() async throws {
      let (first, second) = (try await PostgresLog.test(name), try await PostgresLog.test(name))
      #expect(try await first.takeWriterRole(token: 7) == 7)
      for token in [7, 6, 0, -1, .min] {
        #expect(
          await code { () throws(LogError) in _ = try await second.takeWriterRole(token: token) } == .inUse)
      }
      // The same object may repeat its token, because the first answer can be lost.
      #expect(try await first.takeWriterRole(token: 7) == 7)
      try await first.append("a")
      #expect(try await second.takeWriterRole(token: .max) == .max)
      #expect(await code { () throws(LogError) in _ = try await first.takeWriterRole() } == .unwritable)
      try await second.append("b")
    }

    @Test("an append that waits while another object takes the role is refused")
    func lateAppend() async throws {
      let (old, new) = (try await PostgresLog.test(name), try await PostgresLog.test(name))
      try await old.takeWriterRole()
      let lock = try await RowLock(name)
      async let token = new.takeWriterRole()
      try await lock.waiters(1)
      let results = Results()
      old.submit("x", at: 0, results)
      try await lock.waiters(2)
      try await lock.release()
      #expect(try await token == 2)
      guard case .failure(let error) = try await results.all(1)[0] else {
        Issue.record("the append succeeds")
        return
      }
      #expect(error.code == .inUse)
      #expect(try await new.texts() == [])
    }
  }
}
