import Flux
import Foundation
import MovieBrowser

let options: Options
do {
  options = try Options(Array(CommandLine.arguments.dropFirst()))
} catch {
  FileHandle.standardError.write(Data("movies: \(error.text)\n\(Options.usage)\n".utf8))
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
let browser = Browser(
  service: options.service, storage: options.storage(forTour: !isTerminal),
  plugins: options.logs ? [.logging()] : [], show: { write($0 + "\n") })
await browser.start()

if isTerminal {
  write("Type help for the commands there are.\n")
  while true {
    write("> ")
    guard let line = readLine() else {
      // The end of the input leaves the cursor behind the prompt.
      write("\n")
      break
    }
    guard await browser.run(line) else { break }
  }
} else {
  for line in tour {
    write("\n> \(line)\n")
    guard await browser.run(line) else { break }
  }
}
exit(browser.close() ? 0 : 1)
