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

  // MARK: Other actions

  @Test("if the server has other actions under the numbers of pending actions, nothing is lost")
  func otherActions() async throws {
    let server = try await fixture.server()
    do {
      let sync = try await fixture.sync("a", with: server)
      let store = fixture.store(sync)
      for text in ["old 1", "old 2"] { store.dispatch(AddNote(text: text)) }
      await sync.confirmed()
    }
    // An empty outbox with the same identity, as after the restoration of a backup.
    let outbox = MemoryLog()
    let connection = TestConnection(to: server, isOpen: false)
    let sync = try await fixture.sync("a", with: connection, in: outbox)
    let store = fixture.store(sync)
    for text in ["new 1", "new 2"] { store.dispatch(AddNote(text: text)) }
    await sync.written()
    connection.open()
    #expect(await fixture.problem() == .mismatch)
    #expect(store.state.notes.shown.texts == ["new 1", "new 2"])
    #expect(store.state.notes.pendingCount == 2)
    #expect(try await outbox.entries(from: .start).count == 2)
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

  @Test("actions are the same if they are equal, or if their encodings have the same contents")
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
    #expect(outbox.isSame(Tag(numbers: first, names: names), Tag(numbers: second, names: names)))
    #expect(!outbox.isSame(Tag(numbers: first, names: names), Tag(numbers: second, names: others)))
    #expect(!outbox.isSame(Tag(numbers: [], names: names), Tag(numbers: second, names: names)))
  }
}
