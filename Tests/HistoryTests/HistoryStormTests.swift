import FluxCore
import FluxMiddleware
import Foundation
import TestSupport
import Testing

@Suite("A history that sixteen threads use at the same time")
struct HistoryStormTests {
  private let registry = ActionRegistry(Write.self, Repeat.self, Tick.self)

  @Test("State and record are those of a serial run of the reduced actions", arguments: [1, 3])
  func serialRun(stride: Int) {
    let log = Recorder<any Action>()
    let history = History<Notebook>(limit: 30, keepingEvery: stride, grouping: .byType(Tick.self))
    let store = Store<Notebook>(
      reducer: notebookReducer,
      plugins: [history.plugin, Plugin(onTransition: .actions { action, _ in log.record(action) })],
      state: Notebook())
    let sent = Shared(0)
    onThreads(16) { index in
      var random = SeededGenerator(seed: UInt64(index))
      for _ in 0..<50 {
        store.dispatch(Self.action(among: history.position, &random))
        sent.increment()
      }
    }
    #expect(log.count == sent.value)
    let desk = Desk(History<Notebook>(limit: 30, keepingEvery: stride, grouping: .byType(Tick.self)))
    for action in log.values { desk.store.dispatch(action) }
    #expect(store.state == desk.store.state)
    #expect(Self.text(of: history.record) == Self.text(of: desk.record))
  }

  @Test("Every record that is read is whole: ids ascend, and positions count from one")
  func reading() {
    let desk = Desk(History(limit: 30, keepingEvery: 3))
    let wrong = Recorder<String>()
    onThreads(16) { index in
      var random = SeededGenerator(seed: UInt64(index))
      for _ in 0..<40 {
        guard index.isMultiple(of: 4) else {
          desk.store.dispatch(Self.action(among: desk.history.position, &random))
          continue
        }
        let record = desk.record
        let ids = record.entries.map(\.id)
        if !zip(ids, ids.dropFirst()).allSatisfy({ $0 < $1 }) { wrong.record("ids \(ids)") }
        if record.entries.map(\.position) != (0..<record.count).map({ $0 + 1 }) { wrong.record("positions") }
        if !(0...record.count).contains(record.position) { wrong.record("position \(record.position)") }
        if record.canUndo, record.position == 0 { wrong.record("can undo at 0") }
        if record.canRedo, record.position == record.count { wrong.record("can redo at the end") }
      }
    }
    #expect(wrong.values.isEmpty)
  }

  @Test("Threads that read only what has changed know the whole record at the end")
  func following() {
    let desk = Desk(History(limit: 30, keepingEvery: 3))
    let known = (0..<4).map { _ in Shared(KnownRecord()) }
    onThreads(16) { index in
      var random = SeededGenerator(seed: UInt64(index))
      for _ in 0..<40 {
        if index < known.count {
          known[index].change { $0.read(desk.history) }
        } else {
          desk.store.dispatch(Self.action(among: desk.history.position, &random))
        }
      }
    }
    for known in known {
      known.change { $0.read(desk.history) }
      #expect(known.value.difference(from: desk.history) == nil)
    }
  }

  @Test("An export that is made meanwhile is of one moment: replaying it arrives at its state")
  func exports() throws {
    let desk = Desk(History(limit: 20, keepingEvery: 3))
    let exports = Recorder<Result<Data, any Error>>()
    onThreads(16) { [registry] index in
      var random = SeededGenerator(seed: UInt64(index))
      for round in 0..<30 {
        if index.isMultiple(of: 4), round.isMultiple(of: 10) {
          exports.record(Result { try desk.history.export(from: desk.store, with: registry) })
        } else {
          desk.store.dispatch(Self.action(among: desk.history.position, &random))
        }
      }
    }
    #expect(exports.count == 12)
    for export in exports.values {
      let other = Desk(History(limit: 20))
      other.store.dispatch(try other.history.importing(export.get(), with: registry))
      #expect(other.record.lastImport == .init(arrived: true, unknownActions: []))
      let again = try other.history.export(from: other.store, with: registry)
      #expect(try Self.summary(of: again) == Self.summary(of: export.get()))
    }
  }

  @Test("Every action is reduced or counted as refused while some threads lock the history")
  func locking() {
    let desk = Desk(History(limit: 10_000))
    onThreads(16) { index in
      for round in 0..<40 {
        if index.isMultiple(of: 4) {
          desk.store.dispatch(round.isMultiple(of: 2) ? HistoryAction.lock : .unlock)
        } else {
          desk.store.dispatch(Tick())
        }
      }
    }
    #expect(desk.store.state.ticks + desk.record.refused == 12 * 40)
    #expect(desk.record.count == desk.store.state.ticks)
  }

  @Test("Actions that are not recorded during a pause are lost neither by undo nor by redo of all entries")
  func pausing() {
    let desk = Desk(History(limit: 10_000, keepingEvery: 5))
    onThreads(16) { index in
      for round in 0..<30 {
        if index.isMultiple(of: 8) {
          desk.store.dispatch(round.isMultiple(of: 2) ? HistoryAction.pause : .resume)
        } else {
          desk.store.dispatch(Tick())
        }
      }
    }
    let count = desk.record.count
    #expect(desk.store.state.ticks == 14 * 30)
    desk.dispatch(.jump(to: 0), .jump(to: count))
    #expect(desk.store.state.ticks == 14 * 30)
  }

  @Test("A commit releases all actions that a storm has recorded, done and undone")
  func releasing() {
    let tracker = LifetimeTracker()
    let history = History<Notebook>(limit: 50, keepingEvery: 3)
    let store = Store(reducer: notebookReducer, plugins: [history.plugin], state: Notebook())
    onThreads(16) { index in
      var random = SeededGenerator(seed: UInt64(index))
      for _ in 0..<40 {
        if Bool.random(using: &random) {
          store.dispatch(Tracked(tracked: tracker.make()))
        } else {
          store.dispatch(Self.action(among: history.position, &random))
        }
      }
    }
    store.dispatch(HistoryAction.unlock)
    store.dispatch(HistoryAction.resume)
    store.dispatch(Tracked(tracked: tracker.make()))
    #expect(tracker.alive > 0)
    store.dispatch(HistoryAction.commit)
    #expect(tracker.alive == 0)
    #expect(history.record.count == 0)
  }

  // MARK: Fixtures

  private struct Tracked: Action {
    let tracked: LifetimeTracker.Tracked
  }

  /// A random action: mostly one that is recorded, or else one for the history.
  private static func action(among count: Int, _ random: inout SeededGenerator) -> any Action {
    let number = Int.random(in: 1...max(1, 2 * count), using: &random)
    switch Int.random(in: 0..<32, using: &random) {
    case 0..<7: return Write("\(number)")
    case 7..<11: return Tick()
    case 11..<13: return Repeat()
    case 13..<17: return HistoryAction.undo
    case 17..<20: return HistoryAction.redo
    case 20, 21: return HistoryAction.jump(to: number)
    case 22: return HistoryAction.jump(to: HistoryEntry.ID(rawValue: number))
    case 23: return HistoryAction.skip(HistoryEntry.ID(rawValue: number))
    case 24: return HistoryAction.unskip(HistoryEntry.ID(rawValue: number))
    case 25: return HistoryAction.pause
    case 26: return HistoryAction.lock
    case 27, 28: return HistoryAction.resume
    case 29: return HistoryAction.unlock
    default:
      return [HistoryAction.commit, .rollback, .reset, .unlock].randomElement(using: &random) ?? .commit
    }
  }

  private static func text(of record: HistoryRecord) -> [String] {
    let status =
      "\(record.position) \(record.canUndo) \(record.canRedo) \(record.isPaused) \(record.isLocked) "
      + "\(record.refused)"
    return [status]
      + record.entries.map { entry in
        "\(entry.position) \(entry.id) \(entry.step) \(entry) \(entry.isSkipped) \(entry.isAmended)"
      }
  }

  /// The state and the position of an export.
  private static func summary(of data: Data) throws -> [JSONValue?] {
    let json = try JSONDecoder().decode(JSONValue.self, from: data)
    return [json["state"], json["position"]]
  }
}
