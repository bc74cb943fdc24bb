import FluxLog
import Foundation
import Testing

@testable import FluxPostgres

extension ServerTests {
  @Suite("The behavior of all logs")
  struct BehaviorTests {
    func position(_ offset: UInt64) -> LogPosition { LogPosition(offset) }

    @Test("entries are read in the order in which they were appended", arguments: LogKind.allCases)
    func order(kind: LogKind) async throws {
      let log = try await kind.make()
      #expect(try await log.end() == .start)
      #expect(try await log.append("a", "b") == position(2))
      #expect(try await log.append("c") == position(3))
      #expect(try await log.texts() == ["a", "b", "c"])
      #expect(try await log.entries(from: position(1)).map(\.position) == [position(1), position(2)])
      #expect(try await log.entries(from: position(1), limit: 1).map(\.data.text) == ["b"])
      #expect(try await log.texts(from: position(3)).isEmpty)
      #expect(try await log.entries(from: .start, limit: 0).isEmpty)
      #expect(try await log.entries(from: .start, limit: -1).isEmpty)
    }

    @Test("an append at another position than the end changes nothing", arguments: LogKind.allCases)
    func conflict(kind: LogKind) async throws {
      let log = try await kind.make()
      try await log.append("a", "b")
      for offset in [0, 1, 3, .max] as [UInt64] {
        let error = await #expect(throws: LogError.self) {
          try await log.append([Data("x")], at: position(offset))
        }
        #expect(error?.code == .conflict)
        #expect(error?.position == position(2))
      }
      #expect(try await log.texts() == ["a", "b"])
    }

    @Test("of two appends at the same position, exactly one succeeds", arguments: LogKind.allCases)
    func twoWriters(kind: LogKind) async throws {
      let log = try await kind.make()
      for round in 0..<20 as Range<UInt64> {
        let results = await withTaskGroup { group in
          for writer in ["a", "b"] {
            group.addTask { (try? await log.append([Data(writer)], at: LogPosition(round))) != nil }
          }
          return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(results == 1)
      }
      #expect(try await log.end() == position(20))
    }

    @Test("an append without entries has no effect, and entries can be empty", arguments: LogKind.allCases)
    func empty(kind: LogKind) async throws {
      let log = try await kind.make()
      try await log.append("a")
      #expect(try await log.append([], at: position(1)) == position(1))
      #expect(
        await code { () throws(LogError) in _ = try await log.append([], at: position(2)) } == .conflict)
      #expect(try await log.append([Data(), Data("b"), Data()], at: position(1)) == position(4))
      #expect(try await log.texts() == ["a", "", "b", ""])
      try await log.save(LogSnapshot(position: position(1), data: Data()))
      #expect(try await log.snapshot() == LogSnapshot(position: position(1), data: Data()))
    }

    @Test("positions outside a log cannot be used", arguments: LogKind.allCases)
    func bounds(kind: LogKind) async throws {
      let log = try await kind.make()
      try await log.append("a", "b", "c")
      for offset in [4, UInt64(Int64.max), .max] as [UInt64] {
        let error = await #expect(throws: LogError.self) { try await log.entries(from: position(offset)) }
        #expect(error?.code == .outOfBounds)
        #expect(error?.position == position(3))
        let snapshot = LogSnapshot(position: position(offset), data: Data())
        #expect(await code { () throws(LogError) in try await log.save(snapshot) } == .outOfBounds)
        #expect(
          await code { () throws(LogError) in try await log.truncate(before: position(offset)) }
            == .outOfBounds)
      }
      #expect(try await log.texts() == ["a", "b", "c"])
    }

    @Test("a follower receives the entries from a position on, and later ones", arguments: LogKind.allCases)
    func following(kind: LogKind) async throws {
      let log = try await kind.make()
      try await log.append("a", "b")
      try await follow(log, expecting: ["b", "c", "d"])
    }

    private func follow(_ log: some ActionLog, expecting texts: [String]) async throws {
      var iterator = log.following(from: position(1)).makeAsyncIterator()
      var received = [try await iterator.next()?.data.text]
      try await log.append("c", "d")
      while received.count < texts.count { received.append(try await iterator.next()?.data.text) }
      #expect(received == texts)
    }

    /// An operation and its result, so that two logs can be compared.
    private enum Outcome: Equatable {
      case position(LogPosition), entries([ActionLogEntry]), snapshot(LogSnapshot?), done
      case error(LogError.Code, LogPosition?)
    }

    private func outcome(_ body: () async throws(LogError) -> Outcome) async -> Outcome {
      do throws(LogError) { return try await body() } catch { return .error(error.code, error.position) }
    }

    private func perform(_ log: any ActionLog, _ step: Int, seed: UInt64) async throws -> [Outcome] {
      let end = try await log.end()
      var random = SeededGenerator(seed: seed &* 1_000 &+ UInt64(step))
      let near = LogPosition(UInt64(max(0, Int64(end.offset) + Int64.random(in: -4...1, using: &random))))
      let entries = (0..<Int.random(in: 0...3, using: &random)).map { Data("\(step).\($0)") }
      let expected = Bool.random(using: &random) ? end : near
      let limit = Int.random(in: 0...5, using: &random)
      let kind = Int.random(in: 0..<10, using: &random)
      let result = await outcome { () throws(LogError) in
        switch kind {
        case 0..<5: return .position(try await log.append(entries, at: expected))
        case 5..<7:
          try await log.save(LogSnapshot(position: near, data: Data("\(step)")))
          return .done
        case 7:
          try await log.truncate(before: near)
          return .done
        default: return .entries(try await log.entries(from: near, limit: limit))
        }
      }
      return [result, .position(try await log.end()), .snapshot(try await log.snapshot())]
    }

    @Test("after the same random operations, a log in PostgreSQL and a log in memory are equal")
    func random() async throws {
      for seed in 1...10 as ClosedRange<UInt64> {
        let name = TestServer.uniqueName()
        let (log, memory) = (try await PostgresLog.test(name), MemoryLog())
        for step in 0..<60 {
          let result = try await perform(log, step, seed: seed)
          let expected = try await perform(memory, step, seed: seed)
          #expect(result == expected, "seed \(seed), step \(step)")
        }
        // An object that opens the log later has the same entries.
        let reopened = try await PostgresLog.test(name)
        let first = try await memory.snapshot()?.position ?? .start
        #expect(try await reopened.entries(from: first) == memory.entries(from: first))
        await log.close()
        await reopened.close()
      }
    }

    @Test("a closed log refuses calls, and its sequences end", arguments: [LogKind.postgres])
    func closed(kind: LogKind) async throws {
      let name = TestServer.uniqueName()
      let log = try await PostgresLog.test(name)
      try await log.append("a")
      var ends = log.ends().makeAsyncIterator()
      #expect(await ends.next() == position(1))
      await log.close()
      await log.close()
      #expect(await ends.next() == nil)
      #expect(await code { () throws(LogError) in try await log.append("b") } == .closed)
      #expect(await code { () throws(LogError) in _ = try await log.entries(from: .start) } == .closed)
      #expect(try await PostgresLog.test(name).texts() == ["a"])
    }
  }
}
