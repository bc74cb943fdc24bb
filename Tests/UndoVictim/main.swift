import FluxCore
import FluxLog
import FluxMiddleware
import Foundation

// A program that edits, undoes, and redoes until a test kills it. Its arguments are the directory
// of the log, and the actions, which it repeats: "d" draws, "u" undoes, and "r" redoes. Each
// action is one entry of the log, so the program continues with the action at the end of the log.
// It writes the number of entries after each flush.

struct Sketch: Codable, Equatable, FluxState {
  var count = 0
  /// A number that depends on all strokes.
  var sum = 1
}

struct Draw: Action, Codable {}

func tell(_ line: String) {
  FileHandle.standardOutput.write(Data((line + "\n").utf8))
}

let reducer: MutatingReducer<Sketch> = { sketch, action in
  guard action is Draw else { return }
  sketch.count += 1
  sketch.sum = sketch.sum &* 31 &+ sketch.count
}

let log = try FileLog(in: URL(fileURLWithPath: CommandLine.arguments[1], isDirectory: true))
let actions = Array(CommandLine.arguments[2])
let (logged, sketch) = try await LoggedHistory.open(
  History<Sketch>(limit: 50), in: log, with: ActionRegistry(Draw.self), initial: Sketch(),
  reducer: reducer, snapshotSize: 4_000, onProblem: { tell("problem \($0.code)") })
let store = Store(reducer: reducer, plugins: [logged.plugin], state: sketch)
var number = Int(try await log.end().offset)
tell("saved \(number)")
while true {
  switch actions[number % actions.count] {
  case "d": store.dispatch(Draw())
  case "u": store.dispatch(HistoryAction.undo)
  default: store.dispatch(HistoryAction.redo)
  }
  number += 1
  guard number.isMultiple(of: 7) else { continue }
  try await logged.flushed()
  tell("saved \(number)")
}
