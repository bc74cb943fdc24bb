import FluxAsync
import FluxCore
import FluxLog
import TestSupport
import Testing

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
}
