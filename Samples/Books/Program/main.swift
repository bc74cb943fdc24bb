import BookShelf
import Flux
import Foundation
import SampleTerminal

let options = Options.given(to: "books")
let app = ShelfApp(
  service: options.service, conditions: options.conditions, plugins: options.logs ? [.logging()] : [],
  show: StandardOutput.writeLine)

/// Runs a command as if the user had typed it; returns whether to continue.
func run(_ line: String) async -> Bool {
  StandardOutput.write("\n> \(line)\n")
  return await app.run(line)
}

if let screen = options.screen { await app.show(screen) }

guard isatty(STDIN_FILENO) == 1 else {
  guard var line = readLine() else {
    if options.screen != nil { exit(0) }
    for line in tour {
      guard await run(line) else { break }
    }
    exit(0)
  }
  while await run(line), let next = readLine() { line = next }
  exit(0)
}

let prompt = Prompt { StandardOutput.write("> ") }

/// Runs a command without waiting for its loads; returns whether to continue.
@Sendable func begin(_ line: String) -> Bool {
  prompt.commandBegins()
  guard let command = app.begin(line) else { return false }
  prompt.commandEnds { await command.finished() }
  return true
}

// Ctrl-C stops running loads, or exits the program if no loads are running.
let interrupts = onSignals(SIGINT) { _ in
  guard app.isLoading else {
    StandardOutput.write("\n")
    exit(130)
  }
  _ = begin("stop")
}

StandardOutput.write("Type shelf, all, sections or together; help for all commands.\n> ")
while let line = readLine() {
  guard begin(line) else { exit(0) }
}
// When the input ends, the cursor is still on the line of the prompt.
StandardOutput.write("\n")
