import FluxAsync
import FluxCore
import FluxLog
import TestSupport
import Testing

@Suite("A replica on a clock that jumps", .unlessItHangs)
struct ReplicaClockJumpTests {
  private static let day = 86_400

  private let clock = JumpingClock()
  private let fixture = NotesFixture()

  private func sync(
    with connection: TestConnection, in outbox: any ActionLog = MemoryLog()
  ) async throws -> ReplicaSync<NotesApp, Notes> {
    try await fixture.sync("a", with: connection, in: outbox, backoff: .constant(.seconds(10)))
  }

  @Test("if the clock is set back during a wait, the call is repeated when the clock shows its time")
  func back() async throws {
    let server = try await fixture.server()
    let connection = TestConnection(to: server, [.isLost])
    let sync = try await sync(with: connection)
    let store = fixture.store(sync, after: .asyncWork(clock: clock))
    store.dispatch(AddNote(text: "1"))
    await clock.naps.count(atLeast: 1)
    clock.set(to: .seconds(-Self.day))
    store.dispatch(AddNote(text: "2"))
    await sync.written()
    #expect(connection.pushed.map(\.firstNumber) == [1])
    clock.set(to: .seconds(10))
    await sync.confirmed()
    #expect(connection.pushed.map(\.firstNumber) == [1, 1])
    #expect(server.state.texts == ["1", "2"])
    #expect(store.state.notes.confirmed.texts == ["1", "2"])
  }

  @Test("if the clock is set forward during a wait, the call is repeated at once, and only once")
  func forward() async throws {
    let server = try await fixture.server()
    let connection = TestConnection(to: server, [.isLost])
    let sync = try await sync(with: connection)
    let store = fixture.store(sync, after: .asyncWork(clock: clock))
    store.dispatch(AddNote(text: "1"))
    await clock.naps.count(atLeast: 1)
    clock.set(to: .seconds(Self.day))
    await sync.confirmed()
    #expect(connection.pushed.map(\.firstNumber) == [1, 1])
    #expect(clock.naps.values.count == 1)
    #expect(server.state.texts == ["1"])
    #expect(store.state.notes.confirmed.texts == ["1"])
  }

  @Test("a wait that begins while the clock is back ends before the clock shows the earlier time again")
  func waitWhileBack() async throws {
    let server = try await fixture.server()
    let connection = TestConnection(to: server, [.isLost, .isLost])
    let sync = try await sync(with: connection)
    let store = fixture.store(sync, after: .asyncWork(clock: clock))
    clock.set(to: .seconds(-Self.day))
    store.dispatch(AddNote(text: "1"))
    for wait in 1...2 {
      await clock.naps.count(atLeast: wait)
      clock.set(to: .seconds(-Self.day + 10 * wait))
    }
    await sync.confirmed()
    #expect(clock.naps.values.map(\.offset) == [10, 20].map { .seconds(-Self.day + $0) })
    #expect(server.state.texts == ["1"])
    #expect(store.state.notes.confirmed.texts == ["1"])
  }

  @Test("a failed write of the outbox is repeated once after the clock was set back and forward")
  func writes() async throws {
    let failures = Shared(1)
    let outbox = MemoryLog { operation in
      guard case .append = operation else { return nil }
      return failures.exchange(0) > 0 ? .losesAnswer : nil
    }
    let server = try await fixture.server()
    let sync = try await sync(with: TestConnection(to: server), in: outbox)
    let store = fixture.store(sync, after: .asyncWork(clock: clock))
    store.dispatch(AddNote(text: "1"))
    await clock.naps.count(atLeast: 1)
    clock.set(to: .seconds(-Self.day))
    clock.set(to: .seconds(10))
    await sync.confirmed()
    #expect(server.state.texts == ["1"])
    #expect(store.state.notes.confirmed.texts == ["1"])
    #expect(try await outbox.end() == LogPosition(1))
  }

  /// The seconds from the end of each wait to the times that the clock shows.
  private static let jumps = [[-day, 0], [day], [day, -day], [-day, day, 0, -day], [0, -1, 1]]

  @Test(
    "each action arrives once and in its order, however the clock jumps between polls and repeated calls",
    arguments: jumps)
  func polls(jumps: [Int]) async throws {
    let log = MemoryLog()
    let server = try await fixture.server(on: log)
    let fates = [TestConnection.Fate.isLost, .losesAnswer, .isRepeated, .arrives]
    let connections = (0..<2).map { shift in
      TestConnection(
        to: PolledServer(server: server, log: log), (0..<40).map { fates[($0 + shift) % fates.count] })
    }
    let syncs = [
      try await fixture.sync("a", with: connections[0], backoff: .constant(.seconds(10))),
      try await fixture.sync("b", with: connections[1], backoff: .constant(.seconds(10))),
    ]
    let stores = syncs.map { fixture.store($0, after: .asyncWork(clock: clock)) }
    // Each poll ends with a wait, so the clock jumps until the clients have no more questions.
    let jumping = Task { [clock] in
      var count = 0
      while !Task.isCancelled {
        await clock.naps.count(atLeast: count + 1)
        let waits = clock.naps.values.dropFirst(count)
        count += waits.count
        for end in waits { for jump in jumps { clock.set(to: end.offset + .seconds(jump)) } }
      }
    }
    for number in 0..<20 {
      stores[number % 2].dispatch(AddNote(text: "\(number)"))
      await syncs[number % 2].written()
    }
    for sync in syncs { await sync.confirmed() }
    for store in stores { await fixture.shows(server.state.texts, in: store) }
    jumping.cancel()
    await jumping.value
    for client in 0..<2 {
      let own = (0..<20).filter { $0 % 2 == client }.map(String.init)
      #expect(server.state.texts.filter(own.contains) == own)
    }
    #expect(server.state.texts.count == 20)
    #expect(stores.allSatisfy { $0.state.notes.pendingCount == 0 && $0.state.refused.isEmpty })
    #expect(Set(fixture.problems.values.map(\.code)).subtracting([.unreachable]).isEmpty)
  }
}
