import FluxAsync
import FluxCore
import TestSupport
import Testing

@testable import FluxLog

@Suite("The costs of a replica", .unlessItHangs)
struct ReplicaCostTests {
  private let fixture = NotesFixture()

  @Test(
    "for pending actions and entries of another client, the numbers of reductions are added",
    arguments: [1, 10, 100], [1, 10, 100])
  func reductions(pending: Int, entries: Int) async throws {
    let server = try await fixture.server()
    let reductions = Shared(0)
    let connection = TestConnection(to: server, isOpen: false)
    let sync = try await fixture.sync("a", with: connection) { notes, action in
      reductions.increment()
      reduceNotes(&notes, action)
    }
    let store = fixture.store(sync)
    for number in 0..<pending { store.dispatch(AddNote(text: "own \(number)")) }
    #expect(reductions.value == pending)
    let other = (1...entries).map { EncodedAction(name: "AddNote", json: "{\"text\":\"\($0)\"}") }
    _ = try await server.push(PushedActions(from: ClientID("b"), firstNumber: 1, other))
    connection.openEntries()
    for await texts in store.values(of: \.notes.shown.texts) where texts.count == pending + entries { break }
    #expect(reductions.value == pending + entries + pending)
  }

  @Test("an observer of the shown state is not notified if the client's own actions are confirmed")
  func confirmations() async throws {
    let server = try await fixture.server()
    let connection = TestConnection(to: server, isOpen: false)
    let sync = try await fixture.sync("a", with: connection)
    let store = fixture.store(sync)
    for text in ["1", "2", "3"] { store.dispatch(AddNote(text: text)) }
    let calls = Recorder<[String]>()
    let token = store.subscribe(to: \.notes.shown.texts, initial: false) { calls.record($0) }
    connection.open()
    await sync.confirmed()
    #expect(store.state.notes.pendingCount == 0)
    #expect(calls.values == [])
    token.cancel()
  }

  @Test("an observer of the shown state is notified once about entries that arrive together")
  func notifications() async throws {
    let server = try await fixture.server()
    let connection = TestConnection(to: server, isOpen: false)
    let sync = try await fixture.sync("a", with: connection)
    let store = fixture.store(sync)
    store.dispatch(AddNote(text: "own"))
    let other = (1...50).map { EncodedAction(name: "AddNote", json: "{\"text\":\"\($0)\"}") }
    _ = try await server.push(PushedActions(from: ClientID("b"), firstNumber: 1, other))
    let calls = Recorder<Int>()
    let token = store.subscribe(to: \.notes.shown.texts, initial: false) { calls.record($0.count) }
    connection.openEntries()
    for await texts in store.values(of: \.notes.shown.texts) where texts.count == 51 { break }
    #expect(calls.values == [51])
    token.cancel()
  }

  @Test("after a hundred entries, the confirmed state is saved, and confirmed actions are removed")
  func saves() async throws {
    let server = try await fixture.server()
    let (outbox, removals) = fixture.observedOutbox()
    let sync = try await fixture.sync("a", with: server, in: outbox)
    let store = fixture.store(sync)
    for number in 0..<150 { store.dispatch(AddNote(text: "\(number)")) }
    await sync.confirmed()
    for await position in removals where position >= LogPosition(100) { break }
    let again = try await fixture.sync("a", with: TestConnection(to: server, isOpen: false), in: outbox)
    let restored = again.restored(NotesApp()).notes
    #expect(restored.shown.texts.count == 150)
    #expect(restored.pendingCount <= 50)
  }

  /// The addresses of the tables of a server's clients, which change when a table is copied.
  private func tables(of server: ReplicaServer<Notes>) -> [UInt] {
    server.withRules { rules in
      [address(of: rules.clients), address(of: rules.ids), address(of: rules.refusals)]
    }
  }

  /// Returns the first word of a value, which for a dictionary is the address of its elements.
  private func address<Value>(of value: Value) -> UInt {
    withUnsafeBytes(of: value) { $0.load(as: UInt.self) }
  }

  @Test("a server changes the tables of its clients in place")
  func clients() async throws {
    let log = MemoryLog()
    let (server, other) = (try await fixture.server(on: log), try await fixture.server(on: log))
    func push(_ texts: [String], from client: Int, after number: UInt64, to server: ReplicaServer<Notes>)
      async throws
    {
      let actions = texts.map { EncodedAction(name: "AddNote", json: "{\"text\":\"\($0)\"}") }
      let message = PushedActions(from: ClientID("\(client)"), firstNumber: number + 1, actions)
      #expect(try await server.push(message) == number + UInt64(texts.count))
    }
    // Each client has an accepted, a changed, and a refused action.
    for client in 0..<20 {
      try await push(["\(client)", "temporary \(client)", "\(client)"], from: client, after: 0, to: server)
    }
    let before = tables(of: server)
    #expect(Set(before).count == 3)
    try await push(["a", "temporary b", "a"], from: 7, after: 3, to: server)
    #expect(tables(of: server) == before)
    // A server also reduces the entries of another server.
    try await push(["c", "temporary d", "a"], from: 8, after: 3, to: other)
    _ = try await server.snapshot(for: ClientID("8"))
    #expect(tables(of: server) == before)
    try await push(["e", "temporary f", "a"], from: 9, after: 3, to: server)
    #expect(tables(of: server) == before)
    let counts = server.withRules { [$0.clients.received(from: ClientID("7")), UInt64($0.refusals.count)] }
    #expect(counts == [6, 20])
  }
}
