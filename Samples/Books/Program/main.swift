import BookShelf
import Flux
import Foundation
import Synchronization

let options: Options
do {
  options = try Options(Array(CommandLine.arguments.dropFirst()))
} catch {
  FileHandle.standardError.write(Data("books: \(error.text)\n\(Options.usage)\n".utf8))
  exit(2)
}
guard !options.wantsHelp else {
  print(Options.usage)
  exit(0)
}

@Sendable func write(_ text: String) {
  do {
    try FileHandle.standardOutput.write(contentsOf: Data(text.utf8))
  } catch {
    // Nobody reads what it has to say: a full disk, or a closed pipe.
    exit(1)
  }
}

let app = ShelfApp(
  service: options.service, conditions: options.conditions, plugins: options.logs ? [.logging()] : [],
  show: { write($0 + "\n") })

/// Runs a command as if it had been typed; returns whether to go on.
func run(_ line: String) async -> Bool {
  write("\n> \(line)\n")
  return await app.run(line)
}

guard isatty(STDIN_FILENO) == 1 else {
  guard var line = readLine() else {
    for line in tour {
      guard await run(line) else { break }
    }
    exit(0)
  }
  while await run(line), let next = readLine() { line = next }
  exit(0)
}

// Ctrl-C stops what is being loaded; when there is nothing to stop it leaves.
signal(SIGINT, SIG_IGN)
let interrupts = DispatchSource.makeSignalSource(signal: SIGINT, queue: .global())
interrupts.setEventHandler {
  guard app.isLoading else {
    write("\n")
    exit(130)
  }
  _ = app.begin("stop")
}
interrupts.resume()

/// How many commands have not finished: the prompt comes when none is left.
let running = Atomic(0)

write("Type shelf, all, sections or together; help for what else there is.\n> ")
while let line = readLine() {
  running.add(1, ordering: .relaxed)
  guard let command = app.begin(line) else { exit(0) }
  Task.detached {
    await command.finished()
    if running.subtract(1, ordering: .relaxed).newValue == 0 { write("> ") }
  }
}
// The end of the input leaves the cursor behind the prompt.
write("\n")
