import FluxCore
import FluxLog
import FluxMiddleware
import Foundation

// A client, and its server, which a test kills. The first argument is a directory, which contains
// the outbox of the client and the log of the server. While another program uses the directory,
// the program waits. With a second argument, the program contains only the client, and the test
// is its server, which survives. The client counts, and writes the number after the outbox
// contains it, and after the server has confirmed it.

struct Count: Codable, Equatable, Sendable {
  var number = 0
  /// A Boolean value that indicates whether each number has followed the previous number.
  var isComplete = true
}

struct Next: Action, Codable {
  let number: Int
}

struct Counter: FluxState {
  var count = Replica(Count())
}

func tell(_ line: String) {
  FileHandle.standardOutput.write(Data((line + "\n").utf8))
}

let reducer: MutatingReducer<Count> = { count, action in
  guard let next = action as? Next else { return }
  count.isComplete = count.isComplete && next.number == count.number + 1
  count.number = next.number
}

let folder = URL(fileURLWithPath: CommandLine.arguments[1], isDirectory: true)
let registry = ActionRegistry(Next.self)

func log(_ name: String) async throws -> FileLog {
  try await FileLog.whenAvailable(in: folder.appending(path: name), tryingEvery: .milliseconds(1))
}

tell("waits")
let server: ReplicaServer<Count>? =
  if CommandLine.arguments.count > 2 {
    nil
  } else {
    try await ReplicaServer(on: log("server"), actions: registry, startingWith: Count(), reducer: reducer)
  }
let transport: any ReplicaTransport = if let server { server } else { PipedTransport(tell) }
let sync = try await ReplicaSync(
  of: \Counter.count, actions: registry, in: log("outbox"), with: transport, startingWith: Count(),
  onProblem: { tell("problem \($0)") }, reducer: reducer)
let store = Store(reducer: { _, _ in }, plugins: [sync.plugin], state: sync.restored(Counter()))
while true {
  for _ in 0..<5 { store.dispatch(Next(number: store.state.count.shown.number + 1)) }
  await sync.written()
  tell("written \(store.state.count.shown.number)")
  for _ in 0..<5 { store.dispatch(Next(number: store.state.count.shown.number + 1)) }
  await sync.confirmed()
  tell("confirmed \(store.state.count.confirmed.number)")
  if let server, server.position.offset.isMultiple(of: 50) { try await server.save() }
}
