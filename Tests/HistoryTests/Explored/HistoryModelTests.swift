import FluxCore
import FluxMiddleware
import Foundation
import TestSupport
import Testing

@Suite("A history and its model")
struct HistoryModelTests {
  private enum Event {
    case stir(Stir)
    case tick
    /// An action that changes nothing, and is not recorded.
    case idle
    case command(HistoryAction.Command)
    /// An export of the record that is immediately imported.
    case reimport
  }

  private struct Setting: CustomTestStringConvertible {
    let limit: Int
    let stride: Int
    let policy: UnrecordedActionPolicy

    var isPreserving: Bool { policy != .undoneWithEntry }

    var testDescription: String {
      "limit \(limit), keeping every \(stride), \(isPreserving ? "preserving" : "undoing with entry")"
    }
  }

  private static let settings = [1, 2, 3, 5, 12, 100].flatMap { limit in
    [1, 2, 3, 7, 100].flatMap { stride in
      [.preserved, .undoneWithEntry].map { Setting(limit: limit, stride: stride, policy: $0) }
    }
  }

  private static let grouping = HistoryGrouping.when(Stir.self) { previous, current in
    previous.amount % 3 != 0 && current.amount % 3 != 0
  }

  @Test(
    "after random operations, the history and its model have the same state", arguments: settings)
  private func random(setting: Setting) throws {
    for seed in UInt64(1)...12 {
      let desk = Run(setting, Self.grouping)
      var random = SeededGenerator(seed: seed)
      var path: [Event] = []
      var model = HistoryModel(isPreserving: setting.isPreserving, limit: setting.limit)
      var known = KnownRecord()
      for _ in 0..<120 {
        let event = Self.event(model, &random)
        path.append(event)
        try desk.apply(event, &model, Self.grouping)
        var difference = desk.difference(from: &model, setting)
        // A reader that reads the changes from time to time has the whole record.
        if difference == nil, Int.random(in: 0..<3, using: &random) == 0 {
          known.read(desk.history)
          difference = known.difference(from: desk.history)
        }
        guard let difference else { continue }
        Issue.record("\(difference), seed \(seed), \(setting.testDescription), after \(path)")
        return
      }
    }
  }

  private static func event(_ model: HistoryModel, _ random: inout SeededGenerator) -> Event {
    func entry() -> HistoryEntry.ID {
      let ids = model.entries.map(\.id) + model.branches.flatMap { $0.entries.map(\.id) } + [0]
      return HistoryEntry.ID(rawValue: ids.randomElement(using: &random) ?? 0)
    }
    // Leaves a lock soon, because little happens in it.
    if model.isLocked, Int.random(in: 0..<4, using: &random) == 0 { return .command(.unlock) }
    switch Int.random(in: 0..<100, using: &random) {
    case 0..<40: return .stir(Stir(amount: .random(in: 0..<100, using: &random)))
    case 40..<44: return .tick
    case 44..<48: return .idle
    case 48..<58: return .command(.undo)
    case 58..<65: return .command(.redo)
    case 65..<70: return .command(.jump(to: .random(in: -1...model.entries.count + 1, using: &random)))
    case 70..<73: return .command(.jumpToEntry(entry()))
    case 73..<81: return .command(.skip(entry()))
    case 81..<86: return .command(.unskip(entry()))
    case 86..<88: return .command(.pause)
    case 88..<93: return .command(.resume)
    case 93: return .command(.lock)
    case 94: return .command(.unlock)
    case 95: return .command(.commit)
    case 96: return .command(.rollback)
    case 97: return .command(.reset)
    default: return .reimport
    }
  }

  /// A store with a history, and its model.
  private struct Run {
    let history: History<Mix>
    let store: Store<Mix>
    let registry = ActionRegistry(Stir.self, Tick.self)

    init(_ setting: Setting, _ grouping: HistoryGrouping) {
      history = History(
        limit: setting.limit, keepingEvery: setting.stride, records: .except(Tick.self, Idle.self),
        unrecorded: setting.policy, grouping: grouping)
      store = Store(reducer: mixReducer, plugins: [history.plugin], state: Mix())
    }

    func apply(_ event: Event, _ model: inout HistoryModel, _ grouping: HistoryGrouping) throws {
      switch event {
      case .stir(let action):
        store.dispatch(action)
        model.stir(action, grouping: grouping)
      case .tick:
        store.dispatch(Tick())
        model.receive(Tick())
      case .idle:
        store.dispatch(Idle())
        model.receive(Idle())
      case .command(let command):
        store.dispatch(HistoryAction(command))
        model.perform(command)
      case .reimport:
        store.dispatch(try history.importing(history.export(from: store, with: registry), with: registry))
        #expect(history.record.lastImport == .init(arrived: true, unknownActions: []))
        model.imported()
      }
    }

    /// A description of the difference; `nil` if there is none.
    func difference(from model: inout HistoryModel, _ setting: Setting) -> String? {
      let record = history.record
      let folded = model.entries.count - record.count
      if folded < 0 { return "\(-folded) entries too many" }
      if folded > 0, record.count < setting.limit { return "\(folded) entries folded too early" }
      if record.count > setting.limit + setting.stride - 1 { return "\(record.count) entries" }
      model.fold(folded)
      if store.state != model.state(at: model.position) { return "another state" }
      if record.position != model.position { return "position \(record.position), not \(model.position)" }
      if record.entries.map(\.id.rawValue) != model.entries.map(\.id) { return "other entries" }
      if record.entries.map(\.isSkipped) != model.entries.map(\.isSkipped) { return "others skipped" }
      if record.entries.map(\.isAmended) != model.entries.indices.map(model.isAmended) {
        return "others amended"
      }
      if record.entries.map(\.step.rawValue) != model.entries.map(\.step) { return "other steps" }
      if record.canUndo != (model.undoTarget != nil) { return "undo is said to be otherwise" }
      if record.canRedo != (model.redoTarget != nil) { return "redo is said to be otherwise" }
      if record.refused != model.refused { return "\(record.refused) refused" }
      if record.evicted != model.evicted { return "\(record.evicted) evicted, not \(model.evicted)" }
      let branches = record.branches.map {
        [$0.fork?.rawValue, $0.first.rawValue, $0.last.rawValue, $0.count]
      }
      if branches
        != model.branches.map({ [$0.fork, $0.entries[0].id, $0.entries.last?.id, $0.entries.count] })
      {
        return "branches \(branches)"
      }
      // If a history preserves unrecorded actions, its base can contain the unrecorded actions
      // before the first entry.
      return (0...record.count).dropFirst(setting.isPreserving ? 1 : 0).first { position in
        history.keptState(at: position).map { $0 != model.state(at: position, includingLater: false) }
          ?? false
      }.map { "another state kept at \($0)" }
    }
  }
}
