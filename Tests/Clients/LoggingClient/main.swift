// A command-line program that logs and ends at once, while all its lines still wait to be written.
import FluxCore
import FluxMiddleware
import Foundation

struct Counter: FluxState {
  var count = 0
}

struct Increment: Action {}

/// Holds the sink back until the program ends.
let end = DispatchSemaphore(value: 0)
let sink = LogSink { line in
  end.wait()
  end.signal()
  LogSink.standardError.write(line)
}
let store = Store<Counter>(
  reducer: { (state: inout Counter, action: any Action) in if action is Increment { state.count += 1 } },
  plugins: [.logging(sink: sink)], state: Counter())
for _ in 0..<100 { store.dispatch(Increment()) }

let way = CommandLine.arguments.dropFirst().first ?? "return"
// What is registered last runs first: nothing is written before the program ends.
if way != "stuck" { atexit { end.signal() } }
if way == "exit" { exit(3) }
