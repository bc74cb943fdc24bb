import FluxCore
import FluxMiddleware
import Foundation
import TestSupport

/// A history that is never interrupted, the same history of a program that restarts, and the copy
/// that the log of this program contains.
///
/// After each event, all three must look the same.
struct HistoryInLogModel: EventModel {
  /// A mistake in what is written, which the model has to find.
  enum Mistake: CaseIterable, Sendable {
    case losesJumps, losesSteps, losesRemovals, losesUnrecordedActions, losesPauses, losesSkips
    case snapshotLosesBranches, snapshotLosesFlags, snapshotLosesInitialState, snapshotLosesNextID
    case snapshotLosesUnrecordedActions, snapshotMovesUnrecordedActions, snapshotLosesPosition
  }

  enum Event: Sendable {
    case draw, scribble, receive, hover, undo, redo, jump(to: Int), jumpToBranch, skip, unskip
    case commit, rollback, reset, pause, resume, lock, unlock
    /// The program is killed, and starts again.
    case restart
    /// The log replaces its snapshot and its entries by a new snapshot.
    case compact
  }

  struct Violation: Error, CustomStringConvertible {
    let description: String
  }

  /// A history with its state, which can be copied.
  private struct Run {
    var history: History<Canvas>
    var state = Canvas()

    /// Separates this run from copies of the model.
    mutating func detach(_ make: () -> History<Canvas>) {
      let copy = make()
      copy.adopt(history)
      history = copy
    }

    mutating func reduce(_ action: any Action) -> HistoryEvent<Canvas>? {
      history.reduceReporting(&state, action, with: Canvas.reducer, registry: Canvas.registry)
    }
  }

  private let mistake: Mistake?
  private let make: @Sendable () -> History<Canvas>
  private var original: Run
  private var program: Run
  private var copy: Run
  private var strokes = 0

  init(_ mistake: Mistake? = nil, _ make: @escaping @Sendable () -> History<Canvas>) {
    self.mistake = mistake
    self.make = make
    original = Run(history: make())
    program = Run(history: make())
    copy = Run(history: make().makeReplica())
  }

  mutating func happen(_ event: Event) throws(Violation) -> Bool {
    original.detach(make)
    program.detach(make)
    copy.detach { [make] in make().makeReplica() }
    // After an event that changes nothing, the same sequences follow as without the event.
    var isChange = true
    do {
      switch event {
      case .restart:
        let restarted = make()
        restarted.adopt(copy.history)
        program = Run(history: restarted, state: copy.state)
      case .compact: try compact()
      default:
        guard let action = action(for: event) else { return false }
        _ = original.reduce(action)
        let change = program.reduce(action)
        isChange = change != nil
        if let change { try write(change) }
      }
    } catch {
      throw Violation(description: "\(error)")
    }
    let expected = Appearance(original.history, original.state)
    try expect(program, "the program", toHave: expected)
    try expect(copy, "the log", toHave: expected)
    return isChange
  }

  private func expect(_ run: Run, _ name: String, toHave expected: Appearance) throws(Violation) {
    let found = Appearance(run.history, run.state)
    guard found != expected else { return }
    throw Violation(description: "\(name) has \(found), not \(expected)")
  }

  private mutating func action(for event: Event) -> (any Action)? {
    let first = original.history.record.entries.first?.id
    switch event {
    case .draw, .scribble, .receive:
      strokes += 1
      switch event {
      case .draw: return Draw(strokes)
      case .scribble: return Scribble(stroke: strokes)
      default: return Receive(strokes)
      }
    case .hover: return Hover()
    case .undo: return HistoryAction.undo
    case .redo: return HistoryAction.redo
    case .jump(let position): return HistoryAction.jump(to: position)
    case .jumpToBranch: return original.history.status.branches.first.map { HistoryAction.jump(to: $0.last) }
    case .skip: return first.map { HistoryAction.skip($0) }
    case .unskip: return first.map { HistoryAction.unskip($0) }
    case .commit: return HistoryAction.commit
    case .rollback: return HistoryAction.rollback
    case .reset: return HistoryAction.reset
    case .pause: return HistoryAction.pause
    case .resume: return HistoryAction.resume
    case .lock: return HistoryAction.lock
    case .unlock: return HistoryAction.unlock
    case .restart, .compact: return nil
    }
  }

  // MARK: The log

  private mutating func write(_ change: HistoryEvent<Canvas>) throws {
    let data = try edit(change.encoded(with: Canvas.registry)) { json in
      switch (mistake, json["change"] as? String) {
      case (.losesJumps, "jump"): json["change"] = "move"
      case (.losesSteps, _): json["step"] = nil
      case (.losesRemovals, _): json["oldest"] = nil
      case (.losesUnrecordedActions, "reduce"), (.losesPauses, "pause"), (.losesSkips, "skip"): json = [:]
      default: break
      }
    }
    guard data.count > 2 else { return }
    let history = copy.history
    try history.replay(
      HistoryEvent(data, with: Canvas.registry, of: nil), &copy.state, with: Canvas.reducer)
  }

  private mutating func compact() throws {
    let data = try edit(copy.history.checkpoint(with: copy.state).encoded(with: Canvas.registry)) { json in
      switch mistake {
      case .snapshotLosesBranches: json["branches"] = [String]()
      case .snapshotLosesFlags: json["flags"] = [String]()
      case .snapshotLosesInitialState: json["initial"] = nil
      case .snapshotLosesNextID: json["next"] = (copy.history.record.entries.last?.id.rawValue ?? 0) + 1
      case .snapshotLosesUnrecordedActions: json["unrecorded"] = [String]()
      case .snapshotMovesUnrecordedActions:
        let last = copy.history.record.entries.last { $0.position <= copy.history.position }?.id.rawValue
        json["unrecorded"] = (json["unrecorded"] as? [[String: Any]])?.map { action in
          action.merging(["id": last ?? 0]) { $1 }
        }
      case .snapshotLosesPosition:
        var history = json["history"] as? [String: Any]
        history?["position"] = copy.history.record.count
        json["history"] = history
      default: break
      }
    }
    let replica = make().makeReplica()
    let state = replica.restore(
      try HistoryCheckpoint(data, with: Canvas.registry), with: Canvas.reducer)
    copy = Run(history: replica, state: state)
  }

  /// Changes encoded JSON, if the model makes a mistake.
  private func edit(_ data: Data, _ body: (inout [String: Any]) -> Void) throws -> Data {
    guard mistake != nil, var json = try JSONSerialization.jsonObject(with: data) as? [String: Any] else {
      return data
    }
    body(&json)
    return try JSONSerialization.data(withJSONObject: json)
  }
}
