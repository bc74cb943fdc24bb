import FluxAsync
import FluxCore
import FluxMiddleware
import Foundation
import TestSupport
import Testing

@testable import FluxLog

@Suite("A replica whose outbox and server differ", .unlessItHangs)
struct ReplicaMismatchTests {
  private let fixture = NotesFixture()

  // MARK: Refusals

  @Test("a refusal is reported, also if the log of the server no longer contains it")
  func refusedBeforeSnapshot() async throws {
    let server = try await fixture.server()
    let connection = TestConnection(to: server, isOpen: false)
    let sync = try await fixture.sync("a", with: connection)
    let store = fixture.store(sync)
    for text in ["tea", "tea", "milk"] { store.dispatch(AddNote(text: text)) }
    connection.openPushes()
    while server.position < LogPosition(3) { await Task.yield() }
    try await server.save()
    connection.openEntries()
    await sync.confirmed()
    for await refused in store.values(of: \.refused) where !refused.isEmpty { break }
    #expect(store.state.refused == ["tea"])
    #expect(store.state.notes.shown.texts == ["tea", "milk"])
    #expect(fixture.problems.values.isEmpty)
  }

  @Test("a refusal from a snapshot contains the server's ids, and a pending action is not refused")
  func refusedIDs() async throws {
    let server = try await fixture.server()
    let connection = TestConnection(to: server, isOpen: false)
    let sync = try await fixture.sync("a", with: connection)
    let store = fixture.store(sync)
    // The server adds "0: tea", and refuses the second note, which has the same text.
    store.dispatch(AddNote(text: "temporary tea"))
    store.dispatch(AddNote(text: "0: tea"))
    connection.openPushes()
    while server.position < LogPosition(2) { await Task.yield() }
    try await server.save()
    connection.openEntries()
    await sync.confirmed()
    for await refused in store.values(of: \.refused) where !refused.isEmpty { break }
    #expect(store.state.refused == ["0: tea"])
    #expect(store.state.notes.shown.texts == ["0: tea"])
  }

  @Test("a client tells the server which results it has saved, so that the server forgets refusals")
  func savedNumber() async throws {
    let server = try await fixture.server()
    let (outbox, removals) = fixture.observedOutbox()
    do {
      let sync = try await fixture.sync("a", with: server, in: outbox)
      let store = fixture.store(sync)
      for text in ["tea", "tea"] { store.dispatch(AddNote(text: text)) }
      await sync.confirmed()
      for await refused in store.values(of: \.refused) where !refused.isEmpty { break }
    }
    for await position in removals where position == LogPosition(2) { break }
    #expect(try await server.snapshot(for: ClientID("a")).refusals.map(\.number) == [2])
    let connection = TestConnection(to: server)
    let sync = try await fixture.sync("a", with: connection, in: outbox)
    let store = fixture.store(sync)
    store.dispatch(AddNote(text: "milk"))
    await sync.confirmed()
    #expect(connection.pushed.map(\.savedNumber) == [2])
    #expect(try await server.snapshot(for: ClientID("a")).refusals.isEmpty)
  }

  @Test("the state is saved after refusals are reported, so that a kill between the two loses none")
  func savedAfterReport() async throws {
    let server = try await fixture.server()
    let saves = Shared(0)
    let outbox = MemoryLog { operation in
      if case .save = operation { saves.change { $0 += 1 } }
      return nil
    }
    let connection = TestConnection(to: server, isOpen: false)
    let sync = try await fixture.sync("a", with: connection, in: outbox)
    let before = saves.value
    let savedBeforeReport = Shared<Bool?>(nil)
    let observer = Plugin<NotesApp>(middleware: { _, _ in
      { next in
        { action in
          if action is ActionRefused {
            // A save that began before would end now.
            for _ in 0..<10_000 where saves.value == before { sched_yield() }
            savedBeforeReport.value = saves.value != before
          }
          next(action)
        }
      }
    })
    let store = fixture.store(sync, after: observer)
    for text in ["tea", "tea"] { store.dispatch(AddNote(text: text)) }
    connection.openPushes()
    while server.position < LogPosition(2) { await Task.yield() }
    // After 100 entries, the state is saved.
    let others = (1...200).map { EncodedAction(name: "AddNote", json: "{\"text\":\"\($0)\"}") }
    _ = try await server.push(PushedActions(from: ClientID("b"), firstNumber: 1, others))
    connection.openEntries()
    for await refused in store.values(of: \.refused) where !refused.isEmpty { break }
    #expect(savedBeforeReport.value == false)
    while saves.value == before { await Task.yield() }
  }

  // MARK: Other actions

  @Test("if the server has other actions with the numbers of pending actions, they are reported")
  func otherActions() async throws {
    let server = try await fixture.server()
    do {
      let sync = try await fixture.sync("a", with: server)
      let store = fixture.store(sync)
      for text in ["old 1", "old 2"] { store.dispatch(AddNote(text: text)) }
      await sync.confirmed()
    }
    // An empty outbox with the same identity, as after the restoration of a backup.
    let connection = TestConnection(to: server, isOpen: false)
    let sync = try await fixture.sync("a", with: connection)
    let store = fixture.store(sync)
    for text in ["new 1", "new 2", "new 3"] { store.dispatch(AddNote(text: text)) }
    await sync.written()
    connection.open()
    await sync.confirmed()
    await fixture.shows(["old 1", "old 2", "new 3"], in: store)
    #expect(fixture.problems.values.map(\.code) == [.otherAction, .otherAction])
    #expect(server.state.texts == ["old 1", "old 2", "new 3"])
  }

  /// A server that drops a property that it does not know.
  @Test("if the server drops a property of an action, the client shows what the server has accepted")
  func olderServer() async throws {
    let entry = ReplicaEntry(
      at: .start, from: ClientID("a"), number: 1,
      .accepted(EncodedAction(name: "AddNote", json: #"{"text":"te"}"#)))
    let sync = try await fixture.sync("a", with: OneEntry(entry: entry))
    let store = fixture.store(sync)
    store.dispatch(AddNote(text: "tea"))
    store.dispatch(AddNote(text: "milk"))
    await fixture.shows(["te", "milk"], in: store)
    #expect(store.state.notes.confirmed.texts == ["te"])
    #expect(fixture.problems.values.map(\.code) == [.otherAction])
  }

  /// A server that sends one entry after an action was pushed.
  private final class OneEntry: ReplicaTransport {
    private let entry: ReplicaEntry
    private let (pushes, pushed) = AsyncStream.makeStream(of: Void.self)

    init(entry: ReplicaEntry) { self.entry = entry }

    func push(_ actions: PushedActions) async throws -> UInt64 {
      pushed.yield()
      return actions.firstNumber + UInt64(actions.actions.count) - 1
    }

    func entries(from position: LogPosition) -> any AsyncSequence<[ReplicaEntry], any Error> & Sendable {
      AsyncThrowingStream { [entry, pushes] continuation in
        let task = Task {
          for await _ in pushes { break }
          continuation.yield([entry])
        }
        continuation.onTermination = { _ in task.cancel() }
      }
    }

    func snapshot(for client: ClientID) async throws -> ReplicaSnapshot { throw CancellationError() }
  }

  @Test("if the server has confirmed an action that is not on the disk, the replica stops")
  func unwrittenAction() async throws {
    let server = try await fixture.server()
    do {
      let sync = try await fixture.sync("a", with: server)
      let store = fixture.store(sync)
      store.dispatch(AddNote(text: "tea"))
      await sync.confirmed()
    }
    let others = (1...150).map { EncodedAction(name: "AddNote", json: "{\"text\":\"\($0)\"}") }
    _ = try await server.push(PushedActions(from: ClientID("b"), firstNumber: 1, others))
    let connection = TestConnection(to: server, isOpen: false)
    let outbox = GatedLog()
    let sync = try await fixture.sync("a", with: connection, in: outbox)
    let store = fixture.store(sync)
    store.dispatch(AddNote(text: "tea"))
    await outbox.untilAppend()
    connection.open()
    #expect(await fixture.problem() == .mismatch)
    #expect(store.state.notes.pendingCount == 1)
    outbox.open()
    await sync.written()
    #expect(store.state.notes.shown.texts == ["tea"])
  }

  @Test("an action whose temporary id was replaced in the same entries is the same action")
  func temporaryID() async throws {
    let server = try await fixture.server()
    let connection = TestConnection(to: server, isOpen: false)
    let sync = try await fixture.sync("a", with: connection)
    let store = fixture.store(sync)
    store.dispatch(AddNote(text: "temporary tea"))
    store.dispatch(RemoveNote(text: "temporary tea"))
    store.dispatch(AddNote(text: "milk"))
    connection.open()
    await sync.confirmed()
    await fixture.shows(["milk"], in: store)
    #expect(fixture.problems.values.isEmpty)
  }

  // MARK: Comparing

  private struct Tag: Action, Codable {
    let numbers: Set<Int>
    let names: [String: [Int]]
  }

  /// An action whose encoding loses the fraction.
  private struct Wait: Action, Codable {
    let seconds: Double

    init(seconds: Double) { self.seconds = seconds }
    init(from decoder: any Decoder) throws {
      seconds = try decoder.singleValueContainer().decode(Double.self)
    }
    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encode(seconds.rounded())
    }
  }

  @Test("actions are the same if they or their encodings are equal, and the order of a set is ignored")
  func comparison() {
    let outbox = Outbox(MemoryLog(), ActionRegistry(AddNote.self, Tag.self, Wait.self))
    #expect(outbox.isSame(AddNote(text: "tea"), AddNote(text: "tea")))
    #expect(!outbox.isSame(AddNote(text: "tea"), AddNote(text: "milk")))
    #expect(!outbox.isSame(AddNote(text: "tea"), Wait(seconds: 1)))
    #expect(outbox.isSame(Wait(seconds: 1.2), Wait(seconds: 1)))
    #expect(!outbox.isSame(Wait(seconds: 1.2), Wait(seconds: 2)))
    var (first, second) = (Set<Int>(minimumCapacity: 1_000), Set<Int>())
    for number in 0..<50 { first.insert(number) }
    for number in (0..<50).reversed() { second.insert(number) }
    let (names, others) = (["a": [1], "b": [2, 3]], ["a": [1], "b": [2, 4]])
    #expect(outbox.isReordered(Tag(numbers: first, names: names), Tag(numbers: second, names: names)))
    #expect(!outbox.isReordered(Tag(numbers: first, names: names), Tag(numbers: second, names: others)))
    #expect(!outbox.isReordered(Tag(numbers: [], names: names), Tag(numbers: second, names: names)))
  }
}
