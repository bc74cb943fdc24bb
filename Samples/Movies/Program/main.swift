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
  FileHandle.standardOutput.write(Data(text.utf8))
}

let browser = Browser(
  service: options.service, middleware: options.logs ? [loggingMiddleware()] : [], show: { write($0 + "\n") })
await browser.start()

if isatty(STDIN_FILENO) == 1 {
  write("Type help for the commands there are.\n")
  while true {
    write("> ")
    guard let line = readLine(), await browser.run(line) else { break }
  }
} else {
  for line in tour {
    write("\n> \(line)\n")
    guard await browser.run(line) else { break }
  }
}
