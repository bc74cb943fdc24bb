import BookShelf
import Flux
import Foundation
import SampleTerminal

let options = Options.given(to: "books")
let isTerminal = isatty(STDIN_FILENO) == 1
let app = ShelfApp(
  service: options.service, conditions: options.conditions,
  storage: options.storage(forTerminal: isTerminal), plugins: options.logs ? [.logging()] : [],
  show: StandardOutput.writeLine)

/// Saves the place, and exits.
@Sendable func leave(_ status: Int32 = 0) -> Never { exit(app.close() ? status : 1) }

/// Runs a command as if the user had typed it; returns whether to continue.
func run(_ line: String) async -> Bool {
  StandardOutput.write("\n> \(line)\n")
  return await app.run(line)
}

guard isTerminal else {
  let hasScreen = await app.start(at: options.screen)
  guard var line = readLine() else {
    if hasScreen { leave() }
    for line in tour {
      guard await run(line) else { break }
    }
    leave()
  }
  while await run(line), let next = readLine() { line = next }
  leave()
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
    leave(130)
  }
  _ = begin("stop")
}

StandardOutput.writeLine("Type shelf, all, sections or together; help for all commands.")
prompt.commandBegins()
let start = Task { await app.start(at: options.screen) }
prompt.commandEnds { _ = await start.value }
while let line = readLine() {
  guard begin(line) else { leave() }
}
// When the input ends, the cursor is still on the line of the prompt.
StandardOutput.write("\n")
leave()
