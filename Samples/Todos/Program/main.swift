import Flux
import Foundation
import TodoList

let options: Options
do {
  options = try Options(Array(CommandLine.arguments.dropFirst()))
} catch {
  FileHandle.standardError.write(Data("todos: \(error.text)\n\(Options.usage)\n".utf8))
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

let isTerminal = isatty(STDIN_FILENO) == 1
let app = TodoApp(
  storage: FileStorage(directory: options.folder), plugins: options.logs ? [.logging()] : [],
  show: { write($0 + "\n") })

// Ctrl-C stops an import; where there is none it ends the program, with all that was changed kept.
signal(SIGINT, SIG_IGN)
let interrupts = DispatchSource.makeSignalSource(signal: SIGINT, queue: .global())
interrupts.setEventHandler {
  if !app.stop() { exit(app.close() ? 130 : 1) }
}
interrupts.resume()

if isTerminal { write("Type help for the commands there are.\n") }
while true {
  write(isTerminal ? "> " : "")
  guard let line = readLine() else {
    // The end of the input leaves the cursor behind the prompt.
    if isTerminal { write("\n") }
    break
  }
  if !isTerminal { write("\n> \(line)\n") }
  guard app.run(line) else { break }
  await app.finished()
}
exit(app.close() ? 0 : 1)
