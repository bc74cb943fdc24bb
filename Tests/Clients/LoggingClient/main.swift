// A command-line program that logs and ends immediately, while its lines still wait to be written;
// or only prints.
import FluxCore
import FluxMiddleware
import Foundation

struct Counter: FluxState {
  var count = 0
}

struct Increment: Action {}

let way = CommandLine.arguments.dropFirst().first ?? "return"
if way == "print" {
  let printing = Store<Counter>(
    reducer: { (state: inout Counter, _: any Action) in state.count += 1 },
    middleware: [printActionMiddleware()], state: Counter())
  print("before")
  printing.dispatch(Increment())
  print("after")
  exit(0)
}

/// Blocks the sink until the program ends.
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

// The last registered function runs first, so nothing is written before the program ends.
if way != "stuck" { atexit { end.signal() } }
if way == "exit" { exit(3) }
