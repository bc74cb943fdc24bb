import FluxAsync
import FluxCore
import FluxLog
import FluxMiddleware
import Foundation
import TestSupport
import Testing

@Suite("A replica that is connected to a server", .unlessItHangs)
struct ReplicaSyncTests {
  private let fixture = NotesFixture()
  private var problems: Recorder<ReplicaError> { fixture.problems }

  @Test("an action is shown immediately, and confirmed when it comes back from the server")
  func confirms() async throws {
    let server = try await fixture.server()
    let connection = TestConnection(to: server, isOpen: false)
    let sync = try await fixture.sync("a", with: connection)
    let store = fixture.store(sync)
    store.dispatch(AddNote(text: "tea"))
    #expect(store.state.notes.shown.texts == ["tea"])
    #expect(store.state.notes.confirmed.texts == [])
    #expect(store.state.notes.pending as? [AddNote] == [AddNote(text: "tea")])
    connection.open()
    await sync.confirmed()
    #expect(store.state.notes.confirmed.texts == ["tea"])
    #expect(store.state.notes.pendingCount == 0)
    #expect(server.state.texts == ["tea"])
    #expect(problems.values.isEmpty)
  }

  @Test("an action that is not registered is not sent")
  func otherActions() async throws {
    let connection = TestConnection(to: try await fixture.server())
    let sync = try await fixture.sync("a", with: connection)
    let store = fixture.store(sync)
    store.dispatch(SetTitle(title: "list"))
    store.dispatch(AddNote(text: "tea"))
    await sync.confirmed()
    #expect(store.state.title == "list")
    #expect(connection.pushed.flatMap(\.actions).map(\.name) == ["AddNote"])
  }

  @Test("two clients show the same state after their actions were confirmed")
  func converges() async throws {
    let server = try await fixture.server()
    let (first, second) = (
      try await fixture.sync("a", with: server), try await fixture.sync("b", with: server)
    )
    let stores = [fixture.store(first), fixture.store(second)]
    for number in 0..<20 { stores[number % 2].dispatch(AddNote(text: "\(number)")) }
    await first.confirmed()
    await second.confirmed()
    for store in stores { await fixture.shows(server.state.texts, in: store) }
    #expect(Set(server.state.texts) == Set((0..<20).map(String.init)))
    #expect(problems.values.isEmpty)
  }

  @Test("a refused action disappears, and an action reports the refusal")
  func refuses() async throws {
    let server = try await fixture.server()
    let other = try await fixture.sync("b", with: server)
    let otherStore = fixture.store(other)
    otherStore.dispatch(AddNote(text: "tea"))
    await other.confirmed()
    let connection = TestConnection(to: server, isOpen: false)
    let sync = try await fixture.sync("a", with: connection)
    let store = fixture.store(sync)
    store.dispatch(AddNote(text: "tea"))
    store.dispatch(AddNote(text: "milk"))
    connection.open()
    await sync.confirmed()
    await fixture.shows(["tea", "milk"], in: store)
    for await refused in store.values(of: \.refused) where !refused.isEmpty { break }
    #expect(store.state.refused == ["tea"])
    #expect(server.state.texts == ["tea", "milk"])
  }

  @Test("actions that were written before the program ended are sent after the next start")
  func restarts() async throws {
    let server = try await fixture.server()
    let outbox = MemoryLog()
    do {
      let sync = try await fixture.sync("a", with: TestConnection(to: server, isOpen: false), in: outbox)
      let store = fixture.store(sync)
      store.dispatch(AddNote(text: "tea"))
      store.dispatch(AddNote(text: "milk"))
      await sync.written()
    }
    let sync = try await fixture.sync("other", with: server, in: outbox)
    let store = fixture.store(sync)
    #expect(store.state.notes.shown.texts == ["tea", "milk"])
    store.dispatch(AddNote(text: "bread"))
    await sync.confirmed()
    #expect(server.state.texts == ["tea", "milk", "bread"])
    #expect(problems.values.isEmpty)
  }

  @Test(
    "lost and repeated messages change nothing",
    arguments: [
      [TestConnection.Fate.isLost], [.losesAnswer], [.isRepeated], [.losesAnswer, .isLost, .isRepeated],
    ])
  func lostMessages(fates: [TestConnection.Fate]) async throws {
    let server = try await fixture.server()
    let connection = TestConnection(to: server, fates)
    let sync = try await fixture.sync("a", with: connection)
    let store = fixture.store(sync)
    for text in ["1", "2", "3"] { store.dispatch(AddNote(text: text)) }
    await sync.confirmed()
    #expect(store.state.notes.confirmed.texts == ["1", "2", "3"])
    #expect(store.state.refused.isEmpty)
  }

  @Test(
    "a failed write of the outbox is reported and repeated, and the order is kept",
    arguments: [MemoryLog.Fault.refuses, .losesAnswer])
  func failedWrites(fault: MemoryLog.Fault) async throws {
    let failures = Shared(2)
    let outbox = MemoryLog { operation in
      guard case .append = operation,
        failures.change({
          $0 -= 1; return $0 >= 0
        })
      else { return nil }
      return fault
    }
    let server = try await fixture.server()
    let sync = try await fixture.sync("a", with: server, in: outbox)
    let store = fixture.store(sync)
    for text in ["1", "2", "3"] { store.dispatch(AddNote(text: text)) }
    await sync.confirmed()
    #expect(server.state.texts == ["1", "2", "3"])
    #expect(problems.values.map(\.code).contains(.unwritable))
    let entries = try await outbox.entries(from: .start)
    #expect(entries.count == 3)
  }

  @Test("a write whose answer is lost is repeated without the actions that were added meanwhile")
  func lostAnswer() async throws {
    let outbox = GatedLog(losingAnswer(at: .start), waiting: .beforeFailure)
    let sync = try await fixture.sync("a", with: try await fixture.server(), in: outbox)
    let store = fixture.store(sync)
    store.dispatch(AddNote(text: "tea"))
    await outbox.untilAppend()
    store.dispatch(AddNote(text: "milk"))
    outbox.open()
    await sync.confirmed()
    #expect(store.state.notes.confirmed.texts == ["tea", "milk"])
    #expect(problems.values.map(\.code) == [.unwritable])
  }

  @Test("a write whose answer is lost is repeated without ids that were replaced meanwhile")
  func lostAnswerWithTemporaryID() async throws {
    let outbox = GatedLog(losingAnswer(at: LogPosition(1)), waiting: .beforeFailure)
    let connection = TestConnection(to: try await fixture.server(), isOpen: false)
    let sync = try await fixture.sync("a", with: connection, in: outbox)
    let store = fixture.store(sync)
    store.dispatch(AddNote(text: "temporary tea"))
    await sync.written()
    store.dispatch(RemoveNote(text: "temporary tea"))
    await outbox.untilAppend()
    connection.open()
    for await texts in store.values(of: \.notes.confirmed.texts) where texts == ["0: tea"] { break }
    outbox.open()
    await sync.confirmed()
    #expect(store.state.notes.confirmed.texts == [])
    #expect(problems.values.map(\.code) == [.unwritable])
  }

  /// Returns a log that loses the answer of the first append at a position.
  private func losingAnswer(at position: LogPosition) -> MemoryLog {
    let isLost = Shared(false)
    return MemoryLog { operation in
      guard case .append(_, at: position) = operation else { return nil }
      return isLost.change { isLost in
        defer { isLost = true }
        return isLost ? nil : .losesAnswer
      }
    }
  }

  @Test("an action is not sent before it is on disk")
  func writesFirst() async throws {
    let connection = TestConnection(to: try await fixture.server())
    let outbox = GatedLog()
    let sync = try await fixture.sync("a", with: connection, in: outbox)
    let store = fixture.store(sync)
    store.dispatch(AddNote(text: "tea"))
    await outbox.untilAppend()
    #expect(connection.pushed.isEmpty)
    #expect(store.state.notes.shown.texts == ["tea"])
    outbox.open()
    await sync.confirmed()
    #expect(connection.pushed.count == 1)
  }

  @Test("temporary ids are replaced in pending actions, and in actions that are added later")
  func temporaryIDs() async throws {
    let server = try await fixture.server()
    let connection = TestConnection(to: server, isOpen: false)
    let sync = try await fixture.sync("a", with: connection)
    let store = fixture.store(sync)
    for text in ["temporary tea", "temporary milk"] { store.dispatch(AddNote(text: text)) }
    store.dispatch(RemoveNote(text: "temporary tea"))
    #expect(store.state.notes.shown.texts == ["temporary milk"])
    connection.open()
    await sync.confirmed()
    #expect(store.state.notes.shown.texts == ["1: milk"])
    store.dispatch(RemoveNote(text: "temporary milk"))
    #expect(store.state.notes.shown.texts == [])
    await sync.confirmed()
    #expect(server.state.texts == [])
    #expect(problems.values.isEmpty)
  }

  @Test("temporary ids are replaced after a restart of the client and of the server")
  func temporaryIDsAfterRestart() async throws {
    let (log, outbox) = (MemoryLog(), MemoryLog())
    do {
      let server = try await fixture.server(on: log)
      let sync = try await fixture.sync("a", with: server, in: outbox)
      let store = fixture.store(sync)
      store.dispatch(AddNote(text: "temporary tea"))
      await sync.confirmed()
      try await server.save()
    }
    let server = try await fixture.server(on: log)
    let connection = TestConnection(to: server, isOpen: false)
    let sync = try await fixture.sync("a", with: connection, in: outbox)
    let store = fixture.store(sync)
    store.dispatch(RemoveNote(text: "temporary tea"))
    connection.open()
    await sync.confirmed()
    #expect(server.state.texts == [])
    await fixture.shows([], in: store)
  }

  @Test("a server reads the entries of another server before it answers")
  func serverBehind() async throws {
    let log = MemoryLog()
    let (first, second) = (try await fixture.server(on: log), try await fixture.server(on: log))
    let actions = ["1", "2", "3"].map { EncodedAction(name: "AddNote", json: "{\"text\":\"\($0)\"}") }
    func push(_ numbers: ClosedRange<Int>, to server: ReplicaServer<Notes>) async throws -> UInt64 {
      try await server.push(
        PushedActions(
          from: ClientID("a"), firstNumber: UInt64(numbers.lowerBound),
          numbers.map { actions[$0 - 1] }))
    }
    #expect(try await push(1...2, to: first) == 2)
    #expect(try await push(3...3, to: second) == 3)
    #expect(try await push(1...2, to: first) == 3)
    #expect(second.state.texts == ["1", "2", "3"])
  }

  @Test("actions are confirmed through a connection that has to be asked for each batch of entries")
  func polling() async throws {
    let log = MemoryLog()
    let server = try await fixture.server(on: log)
    let polled = PolledServer(server: server, log: log)
    let syncs = [try await fixture.sync("a", with: polled), try await fixture.sync("b", with: polled)]
    let stores = syncs.map { fixture.store($0) }
    for number in 0..<20 { stores[number % 2].dispatch(AddNote(text: "\(number)")) }
    for sync in syncs { await sync.confirmed() }
    for store in stores { await fixture.shows(server.state.texts, in: store) }
    #expect(Set(server.state.texts) == Set((0..<20).map(String.init)))
    #expect(problems.values.isEmpty)
  }

  @Test("two servers on one log order the actions of all clients")
  func servers() async throws {
    let log = MemoryLog()
    let servers = [try await fixture.server(on: log), try await fixture.server(on: log)]
    let syncs = [
      try await fixture.sync("a", with: servers[0]), try await fixture.sync("b", with: servers[1]),
    ]
    let stores = syncs.map { fixture.store($0) }
    for number in 0..<40 { stores[number % 2].dispatch(AddNote(text: "\(number)")) }
    for sync in syncs { await sync.confirmed() }
    for server in servers { try await server.catchUp() }
    #expect(servers[0].state == servers[1].state)
    #expect(Set(servers[0].state.texts) == Set((0..<40).map(String.init)))
    for store in stores { await fixture.shows(servers[0].state.texts, in: store) }
    #expect(problems.values.isEmpty)
  }
}
