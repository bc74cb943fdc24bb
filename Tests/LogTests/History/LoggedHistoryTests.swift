import FluxCore
import FluxMiddleware
import Foundation
import TestSupport
import Testing

@testable import FluxLog

@Suite("A history in a log", .unlessItHangs)
struct LoggedHistoryTests {
  /// A program that uses the history in a log.
  private struct Program {
    let history: History<Canvas>
    let logged: LoggedHistory<Canvas>
    let store: Store<Canvas>
    let problems = Shared<[LogError]>([])

    init(
      _ log: any ActionLog, limit: Int = 100, snapshotSize: Int = 1 << 20,
      registry: ActionRegistry = Canvas.registry,
      unrecorded: UnrecordedActionPolicy = .preserved, initial: Canvas = Canvas()
    ) async throws(LogError) {
      history = Canvas.makeHistory(limit: limit, unrecorded: unrecorded)
      let state: Canvas
      (logged, state) = try await LoggedHistory.open(
        history, in: log, with: registry, initial: initial, reducer: Canvas.reducer,
        snapshotSize: snapshotSize, onProblem: { [problems] error in problems.change { $0.append(error) } })
      store = Store(reducer: Canvas.reducer, plugins: [logged.plugin], state: state)
    }

    var appearance: Appearance { Appearance(history, store.state) }

    /// Dispatches actions, and waits until they are in the log.
    func dispatch(_ actions: any Action...) async throws(LogError) {
      for action in actions { store.dispatch(action) }
      try await logged.flushed()
    }
  }

  /// A random action, which is often a command to a history.
  private static func action(
    _ number: Int, _ history: History<Canvas>, _ random: inout SeededGenerator
  ) -> any Action {
    let record = history.record
    let entry = record.entries.randomElement(using: &random)?.id ?? HistoryEntry.ID(rawValue: 1)
    return switch Int.random(in: 0..<24, using: &random) {
    case 0..<8: Draw(number)
    case 8 where !record.isPaused: Scribble(stroke: number)
    case 9, 10: Receive(number)
    case 11: Hover()
    case 12..<15: HistoryAction.undo
    case 15, 16: HistoryAction.redo
    case 17: HistoryAction.jump(to: Int.random(in: 0...record.count, using: &random))
    case 18: HistoryAction.jump(to: record.branches.randomElement(using: &random)?.first ?? entry)
    case 19 where !record.entries.contains { $0.action is Scribble || $0.action is UnknownAction }:
      Bool.random(using: &random) ? HistoryAction.skip(entry) : HistoryAction.unskip(entry)
    case 20 where number % 7 == 0: HistoryAction.commit
    case 21 where number % 5 == 0: HistoryAction.rollback
    case 22: Bool.random(using: &random) ? HistoryAction.pause : HistoryAction.resume
    case 23 where number % 4 == 0: HistoryAction.lock
    default: HistoryAction.unlock
    }
  }

  // MARK: Restarts

  @Test(
    "after every action of a random session, a restart has the same history", arguments: [1, 400, 1 << 20])
  func restarts(snapshotSize: Int) async throws {
    for seed in 1...3 as ClosedRange<UInt64> {
      var random = SeededGenerator(seed: seed)
      let log = MemoryLog()
      let program = try await Program(log, limit: 5, snapshotSize: snapshotSize)
      for number in 1...80 {
        try await program.dispatch(Self.action(number, program.history, &random))
        let restarted = try await Program(log, limit: 5, snapshotSize: snapshotSize)
        try #require(restarted.appearance == program.appearance, "seed \(seed), action \(number)")
      }
      #expect(program.problems.value.isEmpty)
    }
  }

  @Test("after many restarts, a session has the history of a session without restarts")
  func manyRestarts() async throws {
    var random = SeededGenerator(seed: 7)
    let log = MemoryLog()
    let (history, state) = (Canvas.makeHistory(limit: 5), Canvas())
    let store = Store(reducer: Canvas.reducer, plugins: [history.plugin], state: state)
    var program = try await Program(log, limit: 5, snapshotSize: 300)
    for number in 1...150 {
      let action = Self.action(number, history, &random)
      store.dispatch(action)
      try await program.dispatch(action)
      if number % 3 == 0 { program = try await Program(log, limit: 5, snapshotSize: 300) }
      try #require(program.appearance == Appearance(history, store.state), "action \(number)")
    }
  }

  @Test("after a restart with another limit and other rules, the history is the same until the next action")
  func otherSettings() async throws {
    let log = MemoryLog()
    let program = try await Program(log, limit: 10)
    try await program.dispatch(Draw(1), Draw(3), Draw(5), Receive(6), HistoryAction.undo, HistoryAction.redo)
    try await program.dispatch(Draw(2), Draw(4), HistoryAction.undo)
    let restarted = try await Program(log, limit: 1)
    #expect(restarted.appearance == program.appearance)
    restarted.store.dispatch(Draw(8))
    #expect(restarted.history.record.count == 1)
    #expect(restarted.store.state.strokes == [1, 3, 5, -6, 2, 8])
  }

  @Test("a log stays small, although its history only moves")
  func compaction() async throws {
    let log = MemoryLog()
    let program = try await Program(log, snapshotSize: 500)
    try await program.dispatch(Draw(1), Draw(2))
    for _ in 0..<200 { try await program.dispatch(HistoryAction.undo, HistoryAction.redo) }
    let snapshot = try #require(try await log.snapshot())
    #expect(snapshot.position > LogPosition(350))
    #expect(try await log.entries(from: snapshot.position).count < 40)
    await #expect(throws: LogError.self) { try await log.entries(from: .start) }
    #expect(try await Program(log).appearance == program.appearance)
  }

  @Test("an import into the history is restored")
  func imported() async throws {
    let source = Canvas.makeHistory()
    let store = Store(reducer: Canvas.reducer, plugins: [source.plugin], state: Canvas(strokes: [9]))
    for action in [Draw(2), Receive(3), Draw(4), HistoryAction.undo] as [any Action] {
      store.dispatch(action)
    }
    let log = MemoryLog()
    let program = try await Program(log)
    let exported = try source.export(from: store, with: Canvas.registry)
    try await program.dispatch(Draw(2), program.history.importing(exported, with: Canvas.registry), Draw(6))
    #expect(program.store.state.strokes == [9, 2, -3, 6])
    #expect(try await Program(log).appearance == program.appearance)
  }

  @Test("an imported action that is not registered remains, and is not reduced")
  func importedUnknown() async throws {
    let source = Canvas.makeHistory()
    let store = Store(reducer: Canvas.reducer, plugins: [source.plugin], state: Canvas())
    for stroke in [2, 4] { store.dispatch(Draw(stroke)) }
    var registry = ActionRegistry()
    registry.register(Draw.self, as: "Sketch")
    let exported = try source.export(from: store, with: registry)
    for snapshotSize in [1, 1 << 20] {
      let log = MemoryLog()
      let program = try await Program(log, snapshotSize: snapshotSize)
      try await program.dispatch(program.history.importing(exported, with: Canvas.registry))
      // The second flush follows a snapshot, if one was due.
      for stroke in [6, 8] { try await program.dispatch(Draw(stroke)) }
      #expect(program.store.state.strokes == [6, 8])
      #expect(try await Program(log).appearance == program.appearance)
    }
  }

  @Test("an empty log begins with the initial state, to which a reset returns in all later runs")
  func initialState() async throws {
    let log = MemoryLog()
    _ = try await Program(log, initial: Canvas(strokes: [7]))
    for snapshotSize in [1, 1 << 20] {
      let program = try await Program(log, snapshotSize: snapshotSize, initial: Canvas(strokes: [8]))
      #expect(program.store.state.strokes == [7])
      for stroke in [2, 4] { try await program.dispatch(Draw(stroke)) }
      try await program.dispatch(HistoryAction.commit)
      let restarted = try await Program(log, initial: Canvas(strokes: [9]))
      try await restarted.dispatch(HistoryAction.reset)
      #expect(restarted.store.state.strokes == [7])
    }
  }

  @Test("a history that undoes unrecorded actions with their entry takes over a log that preserved them")
  func otherPolicy() async throws {
    let (removals, continuation) = AsyncStream.makeStream(of: LogPosition.self)
    let log = MemoryLog { operation in
      if case .truncate(let position) = operation { continuation.yield(position) }
      return nil
    }
    let first = try await Program(log, snapshotSize: 1)
    for action in [Draw(2), Receive(3), Draw(4), Receive(5)] as [any Action] {
      try await first.dispatch(action)
    }
    // The entries before the snapshot are removed in the background.
    for await position in removals where position > LogPosition(1) { break }
    let program = try await Program(log, unrecorded: .undoneWithEntry)
    #expect(program.store.state.strokes == [2, -3, 4, -5])
    program.store.dispatch(HistoryAction.undo)
    #expect(program.store.state.strokes == [2, -3])
    program.store.dispatch(HistoryAction.redo)
    #expect(program.store.state.strokes == [2, -3, 4, -5])
  }

  /// A log that another program changes during the first read.
  private struct ChangingLog: ActionLog {
    let log: MemoryLog
    let reads = Shared(0)
    let change: @Sendable () async -> Void

    func entries(from position: LogPosition, limit: Int) async throws(LogError) -> [ActionLogEntry] {
      if reads.increment() == 1 { await change() }
      return try await log.entries(from: position, limit: limit)
    }

    func append(_ entries: [Data], at expected: LogPosition) async throws(LogError) -> LogPosition {
      try await log.append(entries, at: expected)
    }

    func end() async throws(LogError) -> LogPosition { try await log.end() }
    func snapshot() async throws(LogError) -> LogSnapshot? { try await log.snapshot() }
    func save(_ snapshot: LogSnapshot) async throws(LogError) { try await log.save(snapshot) }
    func ends() -> AsyncStream<LogPosition> { log.ends() }

    func truncate(before position: LogPosition) async throws(LogError) {
      try await log.truncate(before: position)
    }
  }

  @Test("a start begins again if another program replaces the snapshot while the log is read")
  func replacedSnapshot() async throws {
    let log = MemoryLog()
    let first = try await Program(log)
    for stroke in [2, 4, 6] { try await first.dispatch(Draw(stroke)) }
    let changing = ChangingLog(log: log) {
      let source = HistoryInLog(
        log: log, registry: Canvas.registry, reducer: Canvas.reducer, original: Canvas.makeHistory(limit: 5))
      do {
        _ = try await source.save(try await source.copy())
      } catch {
        Issue.record(error)
      }
    }
    let second = try await Program(changing)
    #expect(second.appearance == first.appearance)
    #expect(try await log.snapshot()?.position == LogPosition(3))
  }

  @Test("an action that changes nothing writes nothing")
  func nothing() async throws {
    let log = MemoryLog()
    let program = try await Program(log)
    try await program.dispatch(Doze(), HistoryAction.undo, HistoryAction.redo)
    #expect(try await log.end() == .start)
    try await program.dispatch(Draw(2), Doze(), Hover(), HistoryAction.skip(HistoryEntry.ID(rawValue: 4)))
    #expect(try await log.end() == LogPosition(1))
    // A locked history refuses actions.
    try await program.dispatch(HistoryAction.lock, Draw(4), Receive(5))
    #expect(try await log.end() == LogPosition(2))
  }

  // MARK: Unregistered actions

  @Test("after a restart, an undo and a redo of an unregistered action restore its states")
  func unregistered() async throws {
    let log = MemoryLog()
    try await Program(log).dispatch(Draw(2), Scribble(stroke: 3), Draw(4))
    let program = try await Program(log)
    var states = [program.store.state.strokes]
    for action in [.undo, .undo, .undo, .redo, .redo, .redo] as [HistoryAction] {
      program.store.dispatch(action)
      states.append(program.store.state.strokes)
    }
    #expect(states == [[2, 3_000, 4], [2, 3_000], [2], [], [2], [2, 3_000], [2, 3_000, 4]])
    #expect(program.history.record.entries[1].action is UnknownAction)
  }

  @Test("after a restart, undoing an entry also undoes an unregistered and unrecorded change after it")
  func unregisteredUnrecorded() async throws {
    let log = MemoryLog()
    try await Program(log).dispatch(
      Draw(2), Receive(3), Jolt(stroke: 5), Receive(6), Draw(4), HistoryAction.undo)
    let program = try await Program(log)
    #expect(program.store.state.strokes == [2, -3, -5_000, -6])
    program.store.dispatch(HistoryAction.redo)
    #expect(program.store.state.strokes == [2, -3, -5_000, -6, 4])
    for _ in 0..<2 { program.store.dispatch(HistoryAction.undo) }
    #expect(program.store.state.strokes == [-6])
    program.store.dispatch(HistoryAction.redo)
    #expect(program.store.state.strokes == [2, -3, -5_000, -6])
  }

  @Test("an unregistered and unrecorded change after an undo is kept, and the undone entries are not")
  func unregisteredAfterUndo() async throws {
    for policy in [.preserved, .undoneWithEntry] as [UnrecordedActionPolicy] {
      let log = MemoryLog()
      let first = try await Program(log, unrecorded: policy)
      try await first.dispatch(Draw(2), Draw(4), HistoryAction.undo, Receive(3), Jolt(stroke: 5))
      let program = try await Program(log, unrecorded: policy)
      #expect(program.store.state.strokes == [2, -3, -5_000])
      #expect(program.history.canRedo == (policy == .undoneWithEntry))
      try await program.dispatch(Draw(6), HistoryAction.undo)
      #expect(program.store.state.strokes == [2, -3, -5_000])
      #expect(try await Program(log, unrecorded: policy).appearance == program.appearance)
    }
  }
}
