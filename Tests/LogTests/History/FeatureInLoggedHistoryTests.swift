import FluxCore
import FluxMiddleware
import TestSupport
import Testing

@testable import FluxLog

private struct Sketch: Action, Codable {
  let stroke: Int
}

private struct Rest: Action, Codable {}

private struct Count: FluxState, Codable, Equatable {
  var strokes = 0
}

private struct Sheet: FluxState, Codable, Equatable {
  var strokes: [Int] = []
  var features = FeatureStates()
}

private let counting = Feature("counting", state: Count()) { count, action in
  if action is Sketch { count.strokes += 1 }
}

@Suite("Attached features and a history in a log", .unlessItHangs)
struct FeatureInLoggedHistoryTests {
  private struct Program {
    let store: Store<Sheet>
    let logged: LoggedHistory<Sheet>
    let history = History<Sheet>(records: .only(Sketch.self))
    let attached: AttachedFeature<Count>

    init(_ log: any ActionLog, snapshotSize: Int = 1 << 20) async throws {
      let registry = ActionRegistry(Sketch.self, Rest.self)
      let reducer: MutatingReducer<Sheet> = { sheet, action in
        if let sketch = action as? Sketch { sheet.strokes.append(sketch.stroke) }
      }
      let features = Features(at: \Sheet.features)
      let sheet: Sheet
      (logged, sheet) = try await LoggedHistory.open(
        history, in: log, with: registry, initial: Sheet(), reducer: reducer, snapshotSize: snapshotSize)
      store = Store(reducer: reducer, plugins: [logged.plugin, features.plugin], state: sheet)
      attached = features.attach(counting)
    }

    var strokes: [Int] { store.state.strokes }
    var count: Int { store.state.features[counting].strokes }

    /// Dispatches actions, and waits until they are in the log.
    func dispatch(_ actions: any Action...) async throws {
      for action in actions { store.dispatch(action) }
      try await logged.flushed()
    }
  }

  @Test(
    "a restart restores what a feature has reduced, also from a snapshot that was made meanwhile",
    arguments: [1, 400, 1 << 20])
  func restart(snapshotSize: Int) async throws {
    let log = MemoryLog()
    let first = try await Program(log, snapshotSize: snapshotSize)
    for stroke in 1...10 { try await first.dispatch(Sketch(stroke: stroke), Rest()) }
    try await first.dispatch(HistoryAction.undo)
    #expect(first.count == 9)
    let second = try await Program(log, snapshotSize: snapshotSize)
    #expect(second.count == 9)
    #expect(second.strokes == Array(1...9))
  }

  @Test("after a restart, undo and redo change the state of a feature, as before the restart")
  func undo() async throws {
    let log = MemoryLog()
    let first = try await Program(log)
    try await first.dispatch(Sketch(stroke: 1), Sketch(stroke: 2), Sketch(stroke: 3))
    let second = try await Program(log)
    try await second.dispatch(HistoryAction.undo, HistoryAction.undo)
    #expect(second.strokes == [1] && second.count == 1)
    try await second.dispatch(HistoryAction.redo)
    #expect(second.strokes == [1, 2] && second.count == 2)
    try await second.dispatch(Sketch(stroke: 4))
    #expect(second.strokes == [1, 2, 4] && second.count == 3)
  }

  @Test("an action that no feature changes is written as an action, so that its entry keeps its type")
  func others() async throws {
    let log = MemoryLog()
    let first = try await Program(log)
    first.attached.detach(keepingState: true)
    try await first.dispatch(Sketch(stroke: 1))
    let second = try await Program(log)
    #expect(second.history.record.entries.map { $0.action is Sketch } == [true])
  }

  @Test("the log of a part without features contains actions, also if features change other parts")
  func part() async throws {
    struct Page: FluxState, Codable, Equatable {
      var sheet = Strokes()
      var features = FeatureStates()
    }
    struct Strokes: FluxState, Codable, Equatable {
      var strokes: [Int] = []
    }
    let log = MemoryLog()
    for run in 1...2 {
      let history = History<Strokes>(records: .only(Sketch.self))
      let reducer: MutatingReducer<Strokes> = { strokes, action in
        if let sketch = action as? Sketch { strokes.strokes.append(sketch.stroke) }
      }
      let (logged, strokes) = try await LoggedHistory.open(
        history, in: log, with: ActionRegistry(Sketch.self), initial: Strokes(), reducer: reducer)
      let features = Features(at: \Page.features)
      let store = Store(
        reducer: lift(reducer, to: \Page.sheet),
        plugins: [lift(logged.plugin, to: \.sheet), features.plugin], state: Page(sheet: strokes))
      features.attach(counting)
      store.dispatch(Sketch(stroke: run))
      try await logged.flushed()
      #expect(store.state.sheet.strokes == Array(1...run))
      #expect(store.state.features[counting].strokes == 1)
      #expect(history.record.entries.allSatisfy { $0.action is Sketch })
    }
  }
}
