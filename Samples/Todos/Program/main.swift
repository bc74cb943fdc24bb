import Flux
import Foundation
import SampleTerminal
import TodoList

let options = Options.given(to: "todos")
let isTerminal = isatty(STDIN_FILENO) == 1

/// Opens the list, or ends the program with the reason why the list cannot be opened.
func openApp() async -> TodoApp {
  do {
    return try await TodoApp(
      in: options.folder, plugins: options.logs ? [.logging()] : [], show: StandardOutput.writeLine)
  } catch {
    FileHandle.standardError.write(Data("todos: \("\(error)".tame)\n".utf8))
    exit(1)
  }
}

let app = await openApp()

// Ctrl-C stops an import. If no import is running, Ctrl-C ends the program after all changes are
// saved.
let signals = onSignals(SIGINT, SIGTERM, SIGHUP) { number in
  guard number == SIGINT, app.stop() else {
    Task { exit(await app.saved() ? 128 + number : 1) }
    return
  }
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
  // When the next prompt appears, a kill of the program loses nothing.
  await app.finished()
}
exit(await app.saved() ? 0 : 1)
