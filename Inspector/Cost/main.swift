import Dispatch
import FluxCore
import FluxInspector
import FluxMiddleware
import Foundation

// Dispatches a given number of actions, with a history or with an inspector that no page
// watches, so that the instructions can be counted.
//
//     cost history|inspector NUMBER
//     cost default          prints whether inspectors are enabled in this build by default

struct Counter: FluxState {
  var count = 0
}

struct Increment: Action {}

let reducer: MutatingReducer<Counter> = { state, action in
  if action is Increment { state.count += 1 }
}

if CommandLine.arguments.dropFirst() == ["default"] {
  print(Inspector.isOnByDefault ? "on" : "off")
  exit(0)
}
guard CommandLine.arguments.count == 3, let times = Int(CommandLine.arguments[2]) else {
  fatalError("Say `history` or `inspector`, and how often.")
}
// The program waits for the server here, and not with `await`, which ends in a call that
// valgrind does not survive.
let listens = DispatchSemaphore(value: 0)
let inspector = Inspector(isEnabled: true, sink: LogSink { _ in listens.signal() })
// In both cases a server runs for another store, because a process with one thread uses faster
// code paths than other processes.
let other = Store(reducer: reducer, plugins: [inspector.plugin()], state: Counter())
listens.wait()

let plugin: Plugin<Counter> =
  CommandLine.arguments[1] == "inspector"
  ? inspector.plugin() : History<Counter>(named: "inspector", limit: 10_000).plugin
let store = Store(reducer: reducer, plugins: [plugin], state: Counter())
for _ in 0..<times { store.dispatch(Increment()) }
