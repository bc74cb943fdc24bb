import FluxCore
import FluxLog
import FluxMiddleware
import Foundation

/// A state that shows every action and the order of the actions.
struct Canvas: Codable, Equatable, FluxState {
  var strokes: [Int] = []
}

/// A registered action that a history records.
struct Draw: Action, Codable, Equatable {
  let stroke: Int

  init(_ stroke: Int) {
    self.stroke = stroke
  }
}

/// A registered action that a history does not record.
struct Receive: Action, Codable, Equatable {
  let stroke: Int

  init(_ stroke: Int) {
    self.stroke = stroke
  }
}

/// A registered action that a history does not record, and that does not change the state.
struct Hover: Action, Codable, Equatable {}

/// An action that a history records, but whose type is not registered.
struct Scribble: Action {
  let stroke: Int
}

/// An action that a history does not record, and whose type is not registered.
struct Jolt: Action {
  let stroke: Int
}

/// An action that changes nothing, and whose type is not registered.
struct Doze: Action {}

/// A registered action that cannot be encoded.
struct Smear: Action, Codable {
  struct Unencodable: Error {}

  init() {}
  init(from decoder: any Decoder) throws { throw Unencodable() }
  func encode(to encoder: any Encoder) throws { throw Unencodable() }
}

extension Canvas {
  private static let recorded = ActionFilter.only(Draw.self, Scribble.self, Smear.self)
  static let registry = ActionRegistry(Draw.self, Receive.self, Hover.self, Smear.self)

  static let reducer: MutatingReducer<Canvas> = { canvas, action in
    switch action {
    case let action as Draw: canvas.strokes.append(action.stroke)
    case let action as Receive: canvas.strokes.append(-action.stroke)
    case let action as Scribble: canvas.strokes.append(action.stroke * 1_000)
    case let action as Jolt: canvas.strokes.append(action.stroke * -1_000)
    case is Smear: canvas.strokes.append(0)
    default: break
    }
  }

  /// Creates a history that records drawing, in steps of strokes that are not even.
  static func makeHistory(
    limit: Int = 100, keepingEvery stride: Int = 1, unrecorded: UnrecordedActionPolicy = .preserved
  ) -> History<Canvas> {
    History(
      limit: limit, keepingEvery: stride,
      records: recorded, unrecorded: unrecorded,
      grouping: .when(Draw.self) { previous, current in previous.stroke % 2 == 1 && current.stroke % 2 == 1 })
  }
}

/// Everything that a user of a history can see, including the states of all positions and branches.
struct Appearance: Equatable, CustomStringConvertible {
  struct Entry: Equatable {
    let id: HistoryEntry.ID
    let step: HistoryEntry.ID
    let isSkipped: Bool
    /// The stroke, or 0 if the action is not registered.
    let stroke: Int
  }

  let state: Canvas
  let entries: [Entry]
  let position: Int
  let evicted: Int
  /// Whether there is a step to undo, and a step to redo, and whether the history is paused, and
  /// locked.
  let flags: [Bool]
  let branches: [HistoryBranch]
  /// The states at all positions, and at the last entries of all branches.
  let states: [Canvas]

  init(_ history: History<Canvas>, _ state: Canvas) {
    self.state = state
    let record = history.record
    entries = record.entries.map { entry in
      Entry(
        id: entry.id, step: entry.step, isSkipped: entry.isSkipped,
        stroke: (entry.action as? Draw)?.stroke ?? 0)
    }
    (position, evicted, branches) = (record.position, record.evicted, record.branches)
    flags = [record.canUndo, record.canRedo, record.isPaused, record.isLocked]
    var states: [Canvas] = []
    func visit(_ command: HistoryAction.Command) {
      let copy = history.makeReplica()
      copy.adopt(history)
      var state = state
      _ = copy.reduceReporting(
        &state, HistoryAction(command), with: Canvas.reducer, registry: Canvas.registry)
      states.append(state)
    }
    for position in 0...record.count { visit(.jump(to: position)) }
    for branch in record.branches { visit(.jumpToEntry(branch.last)) }
    self.states = states
  }

  var description: String {
    let branches = branches.map { "\($0.first)-\($0.last) behind \($0.fork?.description ?? "the base")" }
    return """
      \(state.strokes) at \(position) of \(entries.map { "\($0.id)" }), \(evicted) evicted, \(flags), \
      branches \(branches), states \(states.map(\.strokes))
      """
  }
}
