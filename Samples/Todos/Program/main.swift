import Flux
import Foundation
import SampleTerminal
import TodoList

let options = Options.given(to: "todos")
let isTerminal = isatty(STDIN_FILENO) == 1
let app = TodoApp(
  storage: FileStorage(directory: options.folder), plugins: options.logs ? [.logging()] : [],
  show: StandardOutput.writeLine)

// Ctrl-C stops an import. If no import is running, Ctrl-C ends the program after all changes are
// saved.
let signals = onSignals(SIGINT, SIGTERM, SIGHUP) { number in
  guard number == SIGINT, app.stop() else { exit(app.close() ? 128 + number : 1) }
}

if isTerminal { StandardOutput.writeLine("Type help to see all commands.") }
while true {
  if isTerminal { StandardOutput.write("> ") }
  guard let line = readLine() else {
    // When the input ends, the cursor is still on the line of the prompt.
    if isTerminal { StandardOutput.writeLine("") }
    break
  }
  if !isTerminal { StandardOutput.writeLine("\n> \(line)") }
  guard app.run(line) else { break }
  await app.finished()
}
exit(app.close() ? 0 : 1)
