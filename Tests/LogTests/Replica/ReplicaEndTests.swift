import FluxAsync
import FluxCore
import Foundation
import TestSupport
import Testing

@testable import FluxLog

@Suite("Actions that wait when the store of a replica is released", .unlessItHangs)
struct ReplicaEndTests {
  private let fixture = NotesFixture()

  /// Dispatches actions in a store, of which the first is being written when the store is released.
  private func end(_ texts: [String], of sync: ReplicaSync<NotesApp, Notes>, in outbox: GatedLog) async {
    do {
      let store = fixture.store(sync)
      for text in texts {
        store.dispatch(AddNote(text: text))
        await outbox.untilAppend()
      }
    }
    while !sync.contents.withLock({ $0.hasEnded }) { await Task.yield() }
  }

  private func written(in log: any ActionLog) async throws -> [String] {
    try await log.entries(from: .start).map { entry in
      let json = try JSONDecoder().decode(Outbox.Entry.self, from: entry.data).action.json
      return try JSONDecoder().decode(AddNote.self, from: Data(json)).text
    }
  }

  @Test("they are written in their order, and sent after the next start")
  func waiting() async throws {
    let (log, server) = (MemoryLog(), try await fixture.server())
    let outbox = GatedLog(log)
    do {
      let sync = try await fixture.sync("a", with: server, in: outbox)
      await end(["1", "2", "3"], of: sync, in: outbox)
      #expect(try await log.end() == .start)
      outbox.open()
      await sync.written()
      #expect(try await written(in: log) == ["1", "2", "3"])
    }
    #expect(server.state.texts.isEmpty)
    let sync = try await fixture.sync("a", with: server, in: log)
    let store = fixture.store(sync)
    #expect(store.state.notes.shown.texts == ["1", "2", "3"])
    await sync.confirmed()
    #expect(server.state.texts == ["1", "2", "3"])
    #expect(fixture.problems.values.isEmpty)
  }

  @Test("written() waits for them")
  func waitsForWrite() async throws {
    let outbox = GatedLog()
    let sync = try await fixture.sync("a", with: try await fixture.server(), in: outbox)
    let events = Recorder<String>()
    await end(["1"], of: sync, in: outbox)
    let waiting = Task {
      await sync.written()
      events.record("written")
    }
    for _ in 0..<1_000 { await Task.yield() }
    events.record("opened")
    outbox.open()
    await waiting.value
    #expect(events.values == ["opened", "written"])
  }

  @Test("a call of written() before the release waits for them")
  func waitsForWriteSinceBefore() async throws {
    let outbox = GatedLog()
    let sync = try await fixture.sync("a", with: try await fixture.server(), in: outbox)
    let events = Recorder<String>()
    let waiting: Task<Void, Never>
    do {
      let store = fixture.store(sync)
      store.dispatch(AddNote(text: "1"))
      await outbox.untilAppend()
      waiting = Task {
        await sync.written()
        events.record("written")
      }
      while sync.contents.withLock({ $0.waiting.isEmpty }) { await Task.yield() }
      withExtendedLifetime(store) {}
    }
    while !sync.contents.withLock({ $0.hasEnded }) { await Task.yield() }
    for _ in 0..<1_000 { await Task.yield() }
    events.record("opened")
    outbox.open()
    await waiting.value
    #expect(events.values == ["opened", "written"])
  }

  @Test("if the answer to a write before the release is lost, the write is repeated, and they follow")
  func lostAnswer() async throws {
    let isLost = Shared(false)
    let log = MemoryLog { operation in
      guard case .append = operation else { return nil }
      return isLost.change { isLost in
        defer { isLost = true }
        return isLost ? nil : .losesAnswer
      }
    }
    let outbox = GatedLog(log, waiting: .beforeFailure)
    let sync = try await fixture.sync("a", with: try await fixture.server(), in: outbox)
    await end(["1", "2", "3"], of: sync, in: outbox)
    outbox.open()
    await sync.written()
    #expect(try await written(in: log) == ["1", "2", "3"])
    #expect(fixture.problems.values.map(\.code) == [.unwritable])
  }

  @Test("a write that waits to be repeated begins when the store is released")
  func waitingToBeRepeated() async throws {
    let hasFailed = Shared(false)
    let log = MemoryLog { operation in
      guard case .append = operation else { return nil }
      return hasFailed.change { hasFailed in
        defer { hasFailed = true }
        return hasFailed ? nil : .refuses
      }
    }
    let outbox = GatedLog(log, waiting: .beforeFailure)
    let sync = try await fixture.sync(
      "a", with: try await fixture.server(), in: outbox, backoff: .constant(.seconds(3_600)))
    do {
      let store = fixture.store(sync)
      store.dispatch(AddNote(text: "1"))
      outbox.open()
      while sync.contents.withLock({ $0.failedWrite == nil }) { await Task.yield() }
      withExtendedLifetime(store) {}
    }
    await sync.written()
    #expect(try await written(in: log) == ["1"])
    #expect(fixture.problems.values.map(\.code) == [.unwritable])
  }

  @Test("a write that begins after the release is not repeated if it fails, and the failure is reported")
  func failure() async throws {
    let log = MemoryLog { operation in
      if case .append = operation { .refuses } else { nil }
    }
    let outbox = GatedLog(log, waiting: .beforeFailure)
    let sync = try await fixture.sync("a", with: try await fixture.server(), in: outbox)
    await end(["1", "2"], of: sync, in: outbox)
    outbox.open()
    await sync.written()
    // The first write began before the release, and is repeated once.
    #expect(fixture.problems.values.map(\.code) == [.unwritable, .unwritable])
    #expect(try await log.end() == .start)
    await sync.written()
  }
}
