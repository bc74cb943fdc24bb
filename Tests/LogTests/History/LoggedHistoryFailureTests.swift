import FluxCore
import FluxLog
import FluxMiddleware
import Foundation
import TestSupport
import Testing

@Suite("A history in a log that fails", .unlessItHangs)
struct LoggedHistoryFailureTests {
  private typealias Opened = (
    history: History<Canvas>, logged: LoggedHistory<Canvas>, store: Store<Canvas>,
    problems: Shared<[LogError]>
  )

  private func open(
    _ log: any ActionLog, registry: ActionRegistry = Canvas.registry, snapshotSize: Int = 400
  ) async throws(LogError) -> Opened {
    let (history, problems) = (Canvas.makeHistory(limit: 3), Shared<[LogError]>([]))
    let (logged, state) = try await LoggedHistory.open(
      history, in: log, with: registry, initial: Canvas(), reducer: Canvas.reducer,
      snapshotSize: snapshotSize, onProblem: { error in problems.change { $0.append(error) } })
    return (
      history, logged, Store(reducer: Canvas.reducer, plugins: [logged.plugin], state: state), problems
    )
  }

  private static let session: [any Action] =
    [Draw(2), Draw(4), Receive(1), HistoryAction.undo, Draw(6), HistoryAction.jump(to: 1), Draw(1), Draw(3)]
    + [HistoryAction.undo, HistoryAction.redo, Draw(8), Scribble(stroke: 9), HistoryAction.undo, Draw(10)]

  /// The appearances of the history before and after each action of the session.
  private static var expected: [Appearance] {
    let history = Canvas.makeHistory(limit: 3)
    let store = Store(reducer: Canvas.reducer, plugins: [history.plugin], state: Canvas())
    return [Appearance(history, store.state)]
      + session.map { action in
        store.dispatch(action)
        return Appearance(history, store.state)
      }
  }

  @Test(
    "wherever one operation fails, a restart has the history after a prefix of the session",
    arguments: [.refuses, .losesAnswer] as [MemoryLog.Fault])
  func faults(_ fault: MemoryLog.Fault) async throws {
    let expected = Self.expected
    for failing in 0... {
      let failingLog = FailingLog(at: failing, fault)
      let log = failingLog.log
      // The number of actions that are known to be in the log.
      var durable = 0
      do throws(LogError) {
        let (_, logged, store, problems) = try await open(log)
        for action in Self.session {
          store.dispatch(action)
          do throws(LogError) {
            try await logged.flushed()
            durable += 1
          } catch {
            #expect(problems.value == [error], "operation \(failing)")
            break
          }
        }
        // A failed snapshot is reported, and the log remains usable.
        if durable < Self.session.count { #expect(!problems.value.isEmpty, "operation \(failing)") }
      } catch {
        // The log could not be opened, so nothing was written.
        #expect(durable == 0 && error.code != .undecodable, "operation \(failing)")
      }
      let count = failingLog.count
      failingLog.repair()
      let (history, _, store, _) = try await open(log)
      let found = Appearance(history, store.state)
      let prefixes = fault == .refuses ? durable...durable : durable...min(durable + 1, Self.session.count)
      #expect(expected[prefixes].contains(found), "operation \(failing): \(found)")
      if failing > count { break }
    }
  }

  @Test("a failed append is reported before flushed throws its error")
  func reported() async throws {
    let (gate, isGated) = (Gate(), Shared(false))
    let log = MemoryLog { operation in
      guard case .append = operation, isGated.value else { return nil }
      gate.wait()
      return .refuses
    }
    let (_, logged, store, problems) = try await open(log)
    isGated.value = true
    store.dispatch(Draw(2))
    // The task continues while the thread that resumes it waits.
    let task = Task(executorPreference: JoiningExecutor()) {
      do throws(LogError) { try await logged.flushed() } catch { return problems.value == [error] }
      return false
    }
    gate.open()
    #expect(await task.value)
  }

  @Test("wherever the last write is cut, a restart has the history before or after it")
  func cuts() async throws {
    let expected = Self.expected
    let storage = TestSegments()
    var states = [storage.files]
    do {
      let (_, logged, store, _) = try await open(FileLog(storage))
      states = [storage.files]
      for action in Self.session {
        store.dispatch(action)
        try await logged.flushed()
        states.append(storage.files)
      }
    }
    var cuts = 0
    for (number, (before, after)) in zip(states, states.dropFirst()).enumerated() {
      guard let (name, data) = after.first(where: { before[$0.key] != nil && before[$0.key] != $0.value }),
        after.count == before.count
      else { continue }
      for count in (before[name]?.count ?? 0)...data.count {
        let cut = TestSegments(before.merging([name: data.prefix(count)]) { $1 })
        let (history, _, store, _) = try await open(FileLog(cut))
        let found = Appearance(history, store.state)
        #expect(
          found == expected[count == data.count ? number + 1 : number], "action \(number), \(count) bytes")
        cuts += 1
      }
    }
    #expect(cuts > 500)
  }

  @Test("after a failed append, nothing is written, and every flush throws the error")
  func nothingAfterFailure() async throws {
    let log = MemoryLog { operation in
      if case .append(_, at: LogPosition(1)) = operation { .refuses } else { nil }
    }
    let (_, logged, store, problems) = try await open(log)
    store.dispatch(Draw(2))
    try await logged.flushed()
    for stroke in [4, 6] {
      store.dispatch(Draw(stroke))
      let error = await #expect(throws: LogError.self) { try await logged.flushed() }
      #expect(error?.code == .unwritable)
    }
    #expect(problems.value.map(\.code) == [.unwritable])
    #expect(try await log.end() == LogPosition(1))
    #expect(store.state.strokes == [2, 4, 6])
  }

  @Test("if another writer has appended entries, the history stops writing and reports the conflict")
  func conflict() async throws {
    let log = MemoryLog()
    let (_, logged, store, problems) = try await open(log)
    let other = try await open(log)
    other.store.dispatch(Draw(2))
    try await other.logged.flushed()
    store.dispatch(Draw(4))
    let error = await #expect(throws: LogError.self) { try await logged.flushed() }
    #expect(error?.code == .conflict)
    #expect(problems.value.map(\.code) == [.conflict])
    #expect(try await open(log).store.state.strokes == [2])
  }

  @Test("if a snapshot cannot be saved, the problem is reported, and the entries are appended")
  func snapshotFails() async throws {
    let log = MemoryLog { operation in
      if case .save(let position) = operation, position > .start { .refuses } else { nil }
    }
    let (_, logged, store, problems) = try await open(log, snapshotSize: 150)
    for stroke in 1...20 {
      store.dispatch(Draw(stroke))
      try await logged.flushed()
    }
    #expect((3...10).contains(problems.value.count))
    #expect(problems.value.allSatisfy { $0.code == .unwritable })
    #expect(try await log.end() == LogPosition(20))
  }

  @Test("an action that cannot be encoded is reported with its position, and nothing follows it")
  func unencodable() async throws {
    let log = MemoryLog()
    let (_, logged, store, problems) = try await open(log)
    store.dispatch(Draw(2))
    try await logged.flushed()
    for action in [Smear(), Draw(4)] as [any Action] { store.dispatch(action) }
    let error = await #expect(throws: LogError.self) { try await logged.flushed() }
    #expect(error?.code == .unencodable && error?.position == LogPosition(1))
    #expect(problems.value.count == 1)
    #expect(try await open(log).store.state.strokes == [2])
  }

  // MARK: Bad input

  private func expectUndecodable(
    _ log: MemoryLog, at position: LogPosition, registry: ActionRegistry = Canvas.registry,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let entries = try await log.entries(from: .start)
    let error = await #expect(throws: LogError.self, sourceLocation: sourceLocation) {
      try await open(log, registry: registry)
    }
    #expect(error?.code == .undecodable, sourceLocation: sourceLocation)
    #expect(error?.position == position, sourceLocation: sourceLocation)
    #expect(try await log.entries(from: .start) == entries, sourceLocation: sourceLocation)
  }

  /// A log with the given entries after a stroke.
  private func log(_ entries: String...) async throws -> MemoryLog {
    let log = MemoryLog()
    let (_, logged, store, _) = try await open(log)
    store.dispatch(Draw(2))
    try await logged.flushed()
    try await log.append(entries.map { Data($0) }, at: LogPosition(1))
    return log
  }

  @Test(
    "an entry that cannot be decoded is an error with its position",
    arguments: [
      "", "[]", "{}", #"{"change":"erase"}"#, #"{"change":"record","id":2}"#,
      #"{"change":"record","id":2,"action":"Draw","payload":{}}"#,
      #"{"change":"record","id":2,"action":"Sketch","payload":{"stroke":1}}"#,
      #"{"change":"record","id":2,"action":"Draw","description":"","state":{}}"#,
      #"{"change":"record","id":1,"action":"Draw","payload":{"stroke":1}}"#,
      #"{"change":"record","id":2,"step":7,"action":"Draw","payload":{"stroke":1}}"#,
      #"{"change":"move","id":2}"#, #"{"change":"jump","id":-1}"#, #"{"change":"skip","id":2}"#,
      #"{"change":"replace","history":{},"unknown":[]}"#,
      #"{"change":"reduce","action":"Receive","payload":{"stroke":1},"oldest":1,"branches":[],"evicted":-1}"#,
    ])
  func undecodableEntry(_ entry: String) async throws {
    let log = try await log(#"{"change":"pause"}"#, entry)
    try await expectUndecodable(log, at: LogPosition(2))
  }

  @Test("an entry whose action is no longer registered is an error, and the log does not change")
  func removedRegistration() async throws {
    try await expectUndecodable(log(), at: .start, registry: ActionRegistry(Receive.self))
  }

  @Test("a snapshot whose action is no longer registered is an error")
  func removedRegistrationInSnapshot() async throws {
    let log = MemoryLog()
    let (_, logged, store, _) = try await open(log, snapshotSize: 1)
    for stroke in 1...20 {
      store.dispatch(Draw(stroke))
      try await logged.flushed()
    }
    let position = try #require(try await log.snapshot()).position
    #expect(position > .start)
    let error = await #expect(throws: LogError.self) {
      try await open(log, registry: ActionRegistry(Receive.self))
    }
    #expect(error?.code == .undecodable && error?.position == position)
    #expect(error?.message.contains("The snapshot") == true && error?.message.contains("Draw") == true)
  }

  @Test(
    "a snapshot that is not a checkpoint is an error",
    arguments: [
      "", "{}", #"{"format":"flux-checkpoint","version":2}"#, #"{"format":"flux-checkpoint","version":1}"#,
      #"{"format":"flux-history","version":1}"#,
    ])
  func undecodableSnapshot(_ snapshot: String) async throws {
    let log = MemoryLog()
    try await log.save(LogSnapshot(position: .start, data: Data(snapshot)))
    try await expectUndecodable(log, at: .start)
  }

  @Test(
    "a snapshot whose ids contradict each other is an error",
    arguments: [
      ["next": 3], ["evicted": -1],
      ["unrecorded": [["id": 9, "action": "Hover", "payload": [:]] as [String: Any]]],
      ["unrecorded": [2, 1].map { ["id": $0, "action": "Hover", "payload": [:]] as [String: Any] }],
      ["branches": [["fork": 3, "entries": [["id": 2, "action": "Draw", "payload": ["stroke": 1]]]]]],
      ["branches": [["entries": [["id": 1, "action": "Draw", "payload": ["stroke": 1]]]]]],
      ["branches": [["entries": [] as [Int]]]],
    ].map { UncheckedEdit(members: $0) })
  func contradictorySnapshot(_ edit: UncheckedEdit) async throws {
    let history = Canvas.makeHistory()
    let store = Store(reducer: Canvas.reducer, plugins: [history.plugin], state: Canvas())
    for stroke in [2, 4, 6] { store.dispatch(Draw(stroke)) }
    let valid = try history.checkpoint(with: store.state).encoded(with: Canvas.registry)
    var json = try #require(try JSONSerialization.jsonObject(with: valid) as? [String: Any])
    func open(_ data: Data) async throws {
      let log = MemoryLog()
      try await log.save(LogSnapshot(position: .start, data: data))
      _ = try await self.open(log)
    }
    try await open(valid)
    json.merge(edit.members) { $1 }
    let changed = try JSONSerialization.data(withJSONObject: json)
    let error = await #expect(throws: LogError.self) { try await open(changed) }
    #expect(error?.code == .undecodable)
  }

  /// Members of a JSON object that replace others.
  struct UncheckedEdit: @unchecked Sendable {
    let members: [String: Any]
  }

  @Test("the entries of another program are an error, and remain")
  func foreignLog() async throws {
    let log = MemoryLog()
    try await log.append("vote")
    try await expectUndecodable(log, at: .start)
  }
}
