import FluxCore
import FluxLog
import FluxMiddleware
import Foundation
import TestSupport
import Testing

@Suite("A client and a server that are killed", .unlessItHangs)
struct ReplicaKillTests {
  private struct Count: Codable, Equatable, Sendable {
    var number = 0
    var isComplete = true
  }

  private struct Next: Action, Codable {
    let number: Int
  }

  private struct Counter: FluxState {
    var count = Replica(Count())
  }

  private static let reducer: MutatingReducer<Count> = { count, action in
    guard let next = action as? Next else { return }
    count.isComplete = count.isComplete && next.number == count.number + 1
    count.number = next.number
  }

  private static let kills = ProcessInfo.processInfo.environment["KILLS"].flatMap { Int($0) } ?? 50

  @Test("after a kill at any time, each written action reaches the server once, and in order")
  func killed() async throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    var random = SeededGenerator(seed: seed)
    let folder = FileManager.default.temporaryDirectory.appending(path: "sync-\(UUID())")
    defer { try? FileManager.default.removeItem(at: folder) }
    let program = try #require(builtProgram(named: "SyncVictim"))
    var (written, confirmed) = (0, 0)
    for number in 1...Self.kills {
      let comment = Comment(rawValue: "kill \(number), seed \(seed)")
      let (lines, turns) = (
        Int.random(in: 0...12, using: &random), Int.random(in: 0...30_000, using: &random)
      )
      let told = try await resultOfThread {
        Result { try KilledProgram(program, [folder.path], afterLines: lines, andTurns: turns) }
      }.get()
      #expect(told.wasKilled, comment)
      #expect(told.lines(beginningWith: "problem").isEmpty, comment)
      confirmed = max(confirmed, told.lines(beginningWith: "confirmed").compactMap { Int($0) }.last ?? 0)
      written = max(written, confirmed, told.lines(beginningWith: "written").compactMap { Int($0) }.last ?? 0)
      let found = try await states(in: folder)
      #expect(found.server.isComplete && found.client.isComplete, comment)
      #expect(found.server.number >= confirmed, comment)
      #expect(found.client.number >= written, comment)
      (written, confirmed) = (found.client.number, found.server.number)
    }
    #expect(confirmed > Self.kills, "\(confirmed) actions, seed \(seed)")
  }

  @Test("after kills of a client, its server, which survives, has each written action once, and in order")
  func killedClient() async throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    var random = SeededGenerator(seed: seed)
    let folder = TemporaryFolders.newLocation()
    let program = try #require(builtProgram(named: "SyncVictim"))
    let log = try FileLog(in: folder.appending(path: "server"))
    let server = try await ReplicaServer(
      on: log, actions: ActionRegistry(Next.self), startingWith: Count(), reducer: Self.reducer)
    var (written, confirmed) = (0, 0)
    for number in 1...Self.kills {
      let comment = Comment(rawValue: "kill \(number), seed \(seed)")
      let told = try await ServedProgram(
        program, [folder.path, "client"], with: server, afterLines: Int.random(in: 0...12, using: &random),
        andTurns: Int.random(in: 0...30_000, using: &random))
      #expect(told.wasKilled, comment)
      #expect(!told.lines.contains { $0.hasPrefix("problem") }, "\(comment): \(told.lines)")
      confirmed = max(confirmed, told.numbers(after: "confirmed").last ?? 0)
      written = max(written, confirmed, told.numbers(after: "written").last ?? 0)
      // From time to time, the client must continue with a snapshot.
      if number.isMultiple(of: 5) {
        try await server.save()
      }
      #expect(server.state.isComplete, comment)
      #expect(server.state.number >= confirmed, comment)
      #expect(server.state.number <= written + 10, comment)
    }
    await log.close()
    let found = try await states(in: folder)
    #expect(found.server.isComplete && found.client.isComplete)
    #expect(found.client.number >= written && found.server.number >= confirmed)
    #expect(confirmed > Self.kills, "\(confirmed) actions, seed \(seed)")
  }

  @Test("if the leading process is killed, a waiting process takes over, and sends the written actions")
  func takeover() async throws {
    let folder = TemporaryFolders.newLocation()
    let program = try #require(builtProgram(named: "SyncVictim"))
    let told = try await withThrowingTaskGroup(of: KilledProgram.self) { programs in
      for _ in 0..<4 {
        programs.addTask {
          try await resultOfThread {
            Result { try KilledProgram(program, [folder.path], afterLines: 8, andTurns: 1_000) }
          }.get()
        }
      }
      return try await programs.reduce(into: []) { $0.append($1) }
    }
    // Each process writes the number of actions at each stage, and continues to count.
    let numbers = told.map { told in
      ["written", "confirmed"].map { told.lines(beginningWith: $0).compactMap { Int($0) } }
    }.sorted { ($0[0].first ?? 0) < ($1[0].first ?? 0) }
    for (leader, next) in zip(numbers, numbers.dropFirst()) {
      let last = try #require((leader[0] + leader[1]).max())
      #expect(try #require(next[0].first) >= last + 5)
      #expect(try #require(next[1].first) >= last + 10)
    }
    #expect(told.allSatisfy { $0.wasKilled && $0.lines(beginningWith: "problem").isEmpty })
    let found = try await states(in: folder)
    #expect(found.server.isComplete && found.client.isComplete)
  }

  /// Returns the state of the server, and the state that the client shows after the next start.
  private func states(in folder: URL) async throws -> (server: Count, client: Count) {
    let registry = ActionRegistry(Next.self)
    let logs = (
      server: try FileLog(in: folder.appending(path: "server")),
      outbox: try FileLog(in: folder.appending(path: "outbox"))
    )
    #expect((logs.server.problems + logs.outbox.problems).allSatisfy { $0.isInterruptedWrite })
    let server = try await ReplicaServer(
      on: logs.server, actions: registry, startingWith: Count(), reducer: Self.reducer)
    let sync = try await ReplicaSync(
      of: \Counter.count, actions: registry, in: logs.outbox, with: server, startingWith: Count(),
      reducer: Self.reducer)
    let states = (server.state, sync.restored(Counter()).count.shown)
    await logs.server.close()
    await logs.outbox.close()
    return states
  }
}
