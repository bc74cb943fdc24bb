import FluxAsync
import FluxCore
import FluxLog
import FluxMiddleware
import FluxTesting
import Foundation
import TestSupport
import Testing

@Suite("Problems of a replica", .unlessItHangs)
struct ReplicaProblemTests {
  private let fixture = NotesFixture()

  /// A transport that returns given entries once, together or one after another.
  private struct ScriptedServer: ReplicaTransport {
    var entries: [ReplicaEntry] = []
    var received: UInt64 = 0
    var isSlow = false
    /// An element for each request of entries.
    let isAsked = EventLog<LogPosition>()

    func push(_ actions: PushedActions) async throws -> UInt64 { received }

    func entries(from position: LogPosition) -> any AsyncSequence<[ReplicaEntry], any Error> & Sendable {
      isAsked.record(position)
      return AsyncThrowingStream { continuation in
        let rest = entries.filter { $0.position >= position }
        for batch in isSlow ? rest.map({ [$0] }) : [rest] where !batch.isEmpty { continuation.yield(batch) }
      }
    }

    func snapshot(for client: ClientID) async throws -> ReplicaSnapshot { throw CancellationError() }
  }

  private func accepted(
    _ position: UInt64, from client: String, _ number: UInt64, _ text: String
  ) -> ReplicaEntry {
    ReplicaEntry(
      at: LogPosition(position), from: ClientID(client), number: number,
      .accepted(EncodedAction(name: "AddNote", json: "{\"text\":\"\(text)\"}")))
  }

  @Test("a client whose outbox was replaced by an older one stops, and reports it")
  func olderClient() async throws {
    let server = ScriptedServer(entries: [accepted(0, from: "a", 1, "tea")])
    let sync = try await fixture.sync("a", with: server)
    let store = fixture.store(sync)
    #expect(await fixture.problem() == .mismatch)
    #expect(store.state.notes.confirmed.texts == [])
  }

  @Test("if the server has received none of the sent actions, they are sent again after the delay")
  func noProgress() async throws {
    let clock = ManualClock()
    let connection = TestConnection(to: ScriptedServer())
    let sync = try await fixture.sync("a", with: connection, backoff: .constant(.seconds(1)))
    let store = fixture.store(sync, after: .asyncWork(clock: clock))
    store.dispatch(AddNote(text: "tea"))
    for count in 1...3 {
      #expect(await fixture.problem() == .unreachable)
      await clock.sleepers(atLeast: 1)
      #expect(connection.pushed.count == count)
      clock.advance(by: .seconds(1))
    }
  }

  @Test("with a plug-in that defers actions, each received action is compared with the one before")
  func deferred() async throws {
    let entries = (0..<50 as Range<UInt64>).map { accepted($0, from: "b", $0 + 1, "\($0)") }
    let sync = try await fixture.sync("a", with: ScriptedServer(entries: entries, isSlow: true))
    let store = fixture.store(sync, after: .deferredToMain)
    await fixture.shows((0..<50).map(String.init), in: store)
    #expect(fixture.problems.values.isEmpty)
  }

  @Test("entries that arrive while the store is created are received once, and refused once")
  func duringCreation() async throws {
    let outbox = MemoryLog()
    do {
      let offline = TestConnection(to: ScriptedServer(), isOpen: false)
      let sync = try await fixture.sync("a", with: offline, in: outbox)
      let store = fixture.store(sync)
      store.dispatch(AddNote(text: "tea"))
      await sync.written()
    }
    let refusal = ReplicaEntry(at: .start, from: ClientID("a"), number: 1, .refused(reason: "full"))
    let others = (1...9 as ClosedRange<UInt64>).map { accepted($0, from: "b", $0, "\($0)") }
    let server = ScriptedServer(entries: [refusal] + others, received: 1, isSlow: true)
    let sync = try await fixture.sync("a", with: server, in: outbox)
    let (created, isAsked) = (Gate(), server.isAsked)
    // The initializer of the store waits in a middleware until entries were requested.
    async let store = resultOfThread {
      Store(
        reducer: reduceApp,
        middleware: [
          { _, _ in
            created.wait()
            return { next in next }
          }
        ], plugins: [sync.plugin], state: sync.restored(NotesApp()))
    }
    await isAsked.count(atLeast: 1)
    for _ in 0..<1_000 { await Task.yield() }
    created.open()
    await fixture.shows((1...9).map(String.init), in: store)
    #expect(await store.state.refused == ["tea"])
    #expect(fixture.problems.values.isEmpty)
  }

  @Test("a server that does not know a confirmed action is reported")
  func olderServer() async throws {
    let server = try await fixture.server()
    let (outbox, removals) = fixture.observedOutbox()
    do {
      let sync = try await fixture.sync("a", with: server, in: outbox)
      let store = fixture.store(sync)
      store.dispatch(AddNote(text: "tea"))
      await sync.confirmed()
    }
    for await position in removals where position == LogPosition(1) { break }
    let sync = try await fixture.sync("a", with: ScriptedServer(), in: outbox)
    let store = fixture.store(sync)
    store.dispatch(AddNote(text: "milk"))
    #expect(await fixture.problem() == .mismatch)
    #expect(store.state.notes.shown.texts == ["tea", "milk"])
  }

  @Test("a server whose log ends before the client's position is reported")
  func shorterServer() async throws {
    let server = try await fixture.server()
    let (outbox, removals) = fixture.observedOutbox()
    do {
      let sync = try await fixture.sync("a", with: server, in: outbox)
      let store = fixture.store(sync)
      store.dispatch(AddNote(text: "tea"))
      await sync.confirmed()
    }
    for await position in removals where position == LogPosition(1) { break }
    let sync = try await fixture.sync("a", with: try await fixture.server(), in: outbox)
    let store = fixture.store(sync)
    #expect(await fixture.problem() == .mismatch)
    await sync.confirmed()
    #expect(store.state.notes.shown.texts == ["tea"])
  }

  /// A server that has replaced its log by an older log, and removed the entries before its state.
  private struct RestoredServer: ReplicaTransport {
    let received: ReplicaEntry
    let restored: ReplicaSnapshot

    func push(_ actions: PushedActions) async throws -> UInt64 { 0 }

    func entries(from position: LogPosition) -> any AsyncSequence<[ReplicaEntry], any Error> & Sendable {
      AsyncThrowingStream { continuation in
        if position == .start {
          continuation.yield([received])
          continuation.finish()
        } else {
          continuation.finish(throwing: LogError(.truncated, at: .start, "The log begins later."))
        }
      }
    }

    func snapshot(for client: ClientID) async throws -> ReplicaSnapshot { restored }
  }

  @Test("a server whose state is older than the confirmed state is reported, and the state is kept")
  func olderState() async throws {
    let server = RestoredServer(
      received: accepted(0, from: "b", 1, "tea"),
      restored: ReplicaSnapshot(at: .start, number: 0, state: Data(#"{"texts":["old"]}"#.utf8)))
    let sync = try await fixture.sync("a", with: server)
    let store = fixture.store(sync)
    #expect(await fixture.problem() == .mismatch)
    #expect(store.state.notes.shown.texts == ["tea"])
  }

  @Test("an entry that cannot be decoded is reported, and no later entry is received")
  func undecodable() async throws {
    var entry = accepted(1, from: "b", 2, "milk")
    entry.outcome = .accepted(EncodedAction(name: "Newer", json: "{}"))
    let server = ScriptedServer(entries: [accepted(0, from: "b", 1, "tea"), entry])
    let sync = try await fixture.sync("a", with: server)
    let store = fixture.store(sync)
    #expect(await fixture.problem() == .undecodable)
    #expect(store.state.notes.shown.texts == [])
  }

  @Test("an outbox with an action of an unknown type is not opened, and is not changed")
  func undecodableOutbox() async throws {
    let outbox = MemoryLog()
    let sync = try await fixture.sync("a", with: ScriptedServer(), in: outbox)
    let store = fixture.store(sync)
    store.dispatch(AddNote(text: "tea"))
    await sync.written()
    let error = await #expect(throws: ReplicaError.self) {
      _ = try await ReplicaSync(
        of: \NotesApp.notes, actions: ActionRegistry(RemoveNote.self), in: outbox, with: ScriptedServer(),
        startingWith: Notes(), reducer: reduceNotes)
    }
    #expect(error?.code == .undecodable)
    #expect(try await outbox.entries(from: .start).count == 1)
  }

  @Test("the server refuses an action that the client cannot encode, and receives the next one")
  func unencodable() async throws {
    let server = try await fixture.server()
    let sync = try await fixture.sync("a", with: server)
    let store = fixture.store(sync)
    store.dispatch(AddSecret(text: "secret"))
    #expect(store.state.notes.shown.texts == ["secret"])
    store.dispatch(AddNote(text: "tea"))
    await sync.confirmed()
    for await refused in store.values(of: \.refused) where !refused.isEmpty { break }
    #expect(store.state.notes.shown.texts == ["tea"])
    #expect(Set(fixture.problems.values.map(\.code)) == [.unencodable])
  }

  @Test("an action that cannot be encoded is still refused after a restart")
  func unencodableAfterRestart() async throws {
    let server = try await fixture.server()
    let outbox = MemoryLog()
    do {
      let sync = try await fixture.sync("a", with: TestConnection(to: server, isOpen: false), in: outbox)
      let store = fixture.store(sync)
      store.dispatch(AddSecret(text: "secret"))
      await sync.written()
    }
    let sync = try await fixture.sync("a", with: server, in: outbox)
    let store = fixture.store(sync)
    store.dispatch(AddNote(text: "tea"))
    await sync.confirmed()
    #expect(store.state.notes.shown.texts == ["tea"])
    #expect(server.state.texts == ["tea"])
  }

  @Test("if the server has removed entries that a client needs, the client receives a snapshot")
  func snapshot() async throws {
    let server = try await fixture.server()
    let other = try await fixture.sync("b", with: server)
    let otherStore = fixture.store(other)
    for text in ["1", "2", "3"] { otherStore.dispatch(AddNote(text: text)) }
    await other.confirmed()
    try await server.save()
    let sync = try await fixture.sync("a", with: server)
    let store = fixture.store(sync)
    store.dispatch(AddNote(text: "4"))
    await sync.confirmed()
    await fixture.shows(["1", "2", "3", "4"], in: store)
    #expect(store.state.notes.confirmed.texts == ["1", "2", "3", "4"])
    #expect(fixture.problems.values.isEmpty)
  }

  @Test("a history that puts an older replica into the state does not lose an action")
  func replaced() async throws {
    let server = try await fixture.server()
    let connection = TestConnection(to: server, isOpen: false)
    let history = History<NotesApp>()
    let sync = try await fixture.sync("a", with: connection)
    let store = fixture.store(sync, after: history.plugin)
    store.dispatch(AddNote(text: "tea"))
    store.dispatch(SetTitle(title: "list"))
    store.dispatch(HistoryAction.undo)
    store.dispatch(HistoryAction.undo)
    #expect(await fixture.problem() == .replaced)
    #expect(store.state.notes.shown.texts == ["tea"])
    #expect(store.state.title == "")
    store.dispatch(AddNote(text: "milk"))
    connection.open()
    await sync.confirmed()
    #expect(server.state.texts == ["tea", "milk"])
  }

  @Test("without the restored state, the replica of the outbox is put into the state")
  func notRestored() async throws {
    let server = try await fixture.server()
    let outbox = MemoryLog()
    do {
      let sync = try await fixture.sync("a", with: TestConnection(to: server, isOpen: false), in: outbox)
      let store = fixture.store(sync)
      store.dispatch(AddNote(text: "tea"))
      await sync.written()
    }
    let sync = try await fixture.sync("a", with: server, in: outbox)
    let store = Store(reducer: reduceApp, plugins: [sync.plugin], state: NotesApp())
    store.dispatch(AddNote(text: "milk"))
    for await texts in store.values(of: \.notes.shown.texts) where texts.count == 2 { break }
    await sync.confirmed()
    #expect(server.state.texts == ["tea", "milk"])
    #expect(fixture.problems.values.isEmpty)
  }

  @Test("the plug-in of a replica in a second store stops the program with a message")
  func secondStore() async {
    let exit = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let fixture = NotesFixture()
      let sync = try await fixture.sync("a", with: try await fixture.server())
      let stores = [fixture.store(sync), fixture.store(sync)]
      withExtendedLifetime(stores) {}
    }
    expect(exit, says: "the plug-in of a ReplicaSync was added to a second store", "NotesApp")
  }
}
