import FluxAsync
import FluxCore
import FluxLog
import Foundation
import TestSupport
import Testing

@Suite("The server of replicas", .unlessItHangs)
struct ReplicaServerTests {
  private let fixture = NotesFixture()

  private func action(_ text: String) -> EncodedAction {
    EncodedAction(name: "AddNote", json: "{\"text\":\"\(text)\"}")
  }

  private func push(
    _ texts: [String], from client: String = "a", after number: UInt64 = 0, to server: ReplicaServer<Notes>
  ) async throws -> UInt64 {
    try await server.push(
      PushedActions(from: ClientID(client), firstNumber: number + 1, texts.map(action)))
  }

  @Test("a server whose next entries another server has removed continues with its snapshot")
  func truncated() async throws {
    let log = MemoryLog()
    let (first, second) = (try await fixture.server(on: log), try await fixture.server(on: log))
    #expect(try await push(["1", "2", "temporary 3"], to: first) == 3)
    try await first.save()
    // The second server knows which actions of the client the snapshot contains.
    #expect(try await push(["2", "temporary 3", "4"], after: 1, to: second) == 4)
    #expect(second.state.texts == ["1", "2", "2: 3", "4"])
    try await first.catchUp()
    #expect(first.state == second.state)
    #expect(try await first.snapshot(for: ClientID("a")).ids == ["temporary 3": "2: 3"])
  }

  @Test("a snapshot contains the entries that other servers have appended")
  func snapshotOfOlderServer() async throws {
    let log = MemoryLog()
    let (first, second) = (try await fixture.server(on: log), try await fixture.server(on: log))
    _ = try await push(["1", "2"], to: first)
    let snapshot = try await second.snapshot(for: ClientID("a"))
    #expect(snapshot.position == LogPosition(2))
    #expect(snapshot.number == 2)
  }

  @Test("a client that has received entries of one server can continue with the snapshot of another")
  func otherServer() async throws {
    let log = MemoryLog()
    let (first, second) = (try await fixture.server(on: log), try await fixture.server(on: log))
    let outbox = MemoryLog()
    do {
      let sync = try await fixture.sync("a", with: first, in: outbox)
      let store = fixture.store(sync)
      store.dispatch(AddNote(text: "1"))
      await sync.confirmed()
    }
    _ = try await push(["2", "3"], from: "b", to: first)
    try await first.save()
    let sync = try await fixture.sync("a", with: second, in: outbox)
    let store = fixture.store(sync)
    store.dispatch(AddNote(text: "4"))
    await sync.confirmed()
    await fixture.shows(["1", "2", "3", "4"], in: store)
    #expect(fixture.problems.values.isEmpty)
  }

  @Test("after another server has appended entries, a server decides again in the new state")
  func decidesAgain() async throws {
    let log = MemoryLog()
    let (first, second) = (try await fixture.server(on: log), try await fixture.server(on: log))
    #expect(try await push(["tea"], to: first) == 1)
    // The second server has not reduced the entry, and refuses a text that exists.
    #expect(try await push(["tea", "milk"], from: "b", to: second) == 2)
    try await first.catchUp()
    for server in [first, second] { #expect(server.state.texts == ["tea", "milk"]) }
  }

  @Test("a snapshot contains the refusals that a client has not saved, also after a restart")
  func refusals() async throws {
    let log = MemoryLog()
    let server = try await fixture.server(on: log)
    #expect(try await push(["1", "1", "2", "2"], to: server) == 4)
    try await server.save()
    let restarted = try await fixture.server(on: log)
    for server in [server, restarted] {
      let refusals = try await server.snapshot(for: ClientID("a")).refusals
      #expect(refusals.map(\.number) == [2, 4])
      #expect(refusals.map(\.reason) == ["1 exists", "2 exists"])
      #expect(try await server.snapshot(for: ClientID("b")).refusals.isEmpty)
    }
    _ = try await restarted.push(
      PushedActions(from: ClientID("a"), firstNumber: 5, [action("3")], savedNumber: 2))
    #expect(try await restarted.snapshot(for: ClientID("a")).refusals.map(\.number) == [4])
  }

  @Test("a snapshot of an earlier version, without refusals, can be used")
  func earlierSnapshot() async throws {
    let log = MemoryLog()
    let saved = #"{"state":{"texts":["1"]},"clients":{"newest":["a",1]},"ids":[]}"#
    try await log.append([Data()], at: .start)
    try await log.save(LogSnapshot(position: LogPosition(1), data: Data(saved.utf8)))
    let server = try await fixture.server(on: log)
    #expect(server.state.texts == ["1"])
    #expect(try await push(["2"], after: 1, to: server) == 2)
  }

  @Test(
    "wherever one operation of the log fails, each action is in the log once and in order",
    arguments: [.refuses, .losesAnswer] as [MemoryLog.Fault])
  func faults(_ fault: MemoryLog.Fault) async throws {
    for failing in 1... {
      let failingLog = FailingLog(at: failing, fault)
      let log = failingLog.log
      /// Calls a function until it succeeds, which is at the second time.
      func retried<Result>(_ call: () async throws -> Result) async throws -> Result {
        do { return try await call() } catch { return try await call() }
      }
      let first = try await retried { try await fixture.server(on: log) }
      let second = try await retried { try await fixture.server(on: log) }
      #expect(try await retried { try await push(["1", "2"], to: first) } == 2)
      #expect(try await retried { try await push(["3"], after: 2, to: second) } == 3)
      try await retried { try await second.save() }
      #expect(try await retried { try await push(["4"], after: 3, to: first) } == 4)
      try await retried { try await first.save() }
      let third = try await retried { try await fixture.server(on: log) }
      for server in [first, second, third] {
        let snapshot = try await retried { try await server.snapshot(for: ClientID("a")) }
        #expect(snapshot.number == 4, "operation \(failing)")
        #expect(server.state.texts == ["1", "2", "3", "4"], "operation \(failing)")
      }
      if failingLog.count < failing { break }
    }
  }
}
