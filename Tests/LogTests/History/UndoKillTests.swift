import FluxCore
import FluxLog
import FluxMiddleware
import Foundation
import TestSupport
import Testing

@Suite("A process that is killed while it writes a history", .unlessItHangs)
struct UndoKillTests {
  /// The state of the program that is killed.
  private struct Sketch: Codable, Equatable, FluxState {
    var count = 0
    var sum = 1
  }

  private struct Draw: Action, Codable {}

  private static let reducer: MutatingReducer<Sketch> = { sketch, action in
    guard action is Draw else { return }
    sketch.count += 1
    sketch.sum = sketch.sum &* 31 &+ sketch.count
  }

  private static let actions = "ddduurdurd"
  private static let kills = 20

  /// The history of a program that was never killed.
  private final class Reference {
    private let history = History<Sketch>(limit: 50)
    private let store: Store<Sketch>
    private var count = 0

    init() {
      store = Store(reducer: UndoKillTests.reducer, plugins: [history.plugin], state: Sketch())
    }

    /// Performs the first actions, and returns the positions, and the states from the last
    /// position back to the first.
    func states(after count: Int) -> (position: Int, states: [Sketch]) {
      for number in self.count..<max(self.count, count) {
        let actions = Array(UndoKillTests.actions)
        switch actions[number % actions.count] {
        case "d": store.dispatch(Draw())
        case "u": store.dispatch(HistoryAction.undo)
        default: store.dispatch(HistoryAction.redo)
        }
      }
      self.count = max(self.count, count)
      // A copy undoes the steps, so that the reference can continue.
      let copy = History<Sketch>(limit: 50)
      copy.adopt(history)
      return UndoKillTests.walk(
        copy, Store(reducer: UndoKillTests.reducer, plugins: [copy.plugin], state: store.state))
    }
  }

  /// Redoes all steps, undoes them back to the beginning, and returns the states on the way back.
  private static func walk(
    _ history: History<Sketch>, _ store: Store<Sketch>
  ) -> (position: Int, states: [Sketch]) {
    let position = history.position
    while history.canRedo { store.dispatch(HistoryAction.redo) }
    var states = [store.state]
    while history.canUndo {
      store.dispatch(HistoryAction.undo)
      states.append(store.state)
    }
    return (position, states)
  }

  @Test("after a kill at any time, undo back to the beginning gives the states of a prefix of the session")
  func killed() async throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    var random = SeededGenerator(seed: seed)
    let folder = FileManager.default.temporaryDirectory.appending(path: "undo-\(UUID())")
    defer { try? FileManager.default.removeItem(at: folder) }
    let program = try #require(builtProgram(named: "UndoVictim"))
    let reference = Reference()
    var known = 0
    for number in 1...Self.kills {
      let comment = Comment(rawValue: "kill \(number), seed \(seed)")
      let (lines, turns) = (
        Int.random(in: 0...40, using: &random), Int.random(in: 0...30_000, using: &random)
      )
      let arguments = [folder.path, Self.actions]
      let told = try await resultOfThread {
        Result { try KilledProgram(program, arguments, afterLines: lines, andTurns: turns) }
      }.get()
      // Only the signal ended the program, and no flushed action was lost.
      #expect(told.wasKilled, comment)
      #expect(told.lines(beginningWith: "problem").isEmpty, comment)
      let saved = told.lines(beginningWith: "saved").compactMap { Int($0) }
      #expect(saved == saved.sorted(), comment)
      known = max(known, saved.last ?? 0)
      let log = try FileLog(in: folder)
      #expect(log.problems.allSatisfy { $0.isInterruptedWrite }, comment)
      let count = Int(try await log.end().offset)
      #expect(count >= known, comment)
      known = count
      let history = History<Sketch>(limit: 50)
      let (logged, state) = try await LoggedHistory.open(
        history, in: log, with: ActionRegistry(Draw.self), initial: Sketch(), reducer: Self.reducer)
      // The plug-in of the history writes nothing, so the next victim continues with the same log.
      let store = Store(reducer: Self.reducer, plugins: [history.plugin], state: state)
      let (found, expected) = (Self.walk(history, store), reference.states(after: count))
      #expect(found.position == expected.position, comment)
      #expect(found.states == expected.states, comment)
      try await logged.flushed()
      await log.close()
    }
    // The victims made progress, and replaced their snapshots.
    #expect(known > 20 * Self.kills, "\(known) actions, seed \(seed)")
    let snapshot = try await FileLog(in: folder).snapshot()
    #expect(snapshot?.position ?? .start > .start)
  }
}
