import Flux
import Foundation
import MovieBrowser
import SampleTerminal

let options = Options.given(to: "movies")
let isTerminal = isatty(STDIN_FILENO) == 1
let screen = Screen()
let browser = Browser(
  service: options.service, timeout: .seconds(options.timeout),
  storage: options.storage(forTour: !isTerminal), plugins: options.logs ? [.logging()] : [],
  show: { screen.write($0 + "\n") }, draw: { if isTerminal { screen.draw($0) } })

guard isTerminal else {
  await browser.start()
  for line in tour {
    screen.write("\n> \(line)\n")
    guard await browser.run(line) else { break }
  }
  exit(browser.close() ? 0 : 1)
}

let keyboard = Keyboard()

/// Leaves the terminal as it was found, and the marks kept.
@Sendable func leave(_ status: Int32) -> Never {
  let areKept = browser.close()
  screen.draw("")
  keyboard.restore()
  exit(areKept ? status : 1)
}

let prompt = Prompt { screen.write("> ") }

// Ctrl-C stops what is being loaded; when there is nothing to stop it leaves.
let signals = onSignals(SIGINT, SIGTERM, SIGHUP) { number in
  guard number == SIGINT, browser.isWaiting else {
    screen.write("\n")
    leave(128 + number)
  }
  // A command of its own: the prompt comes when what it says is shown.
  prompt.commandBegins()
  let stop = browser.begin("")
  prompt.commandEnds { await stop?.finished() }
}

func begin(_ line: String) -> Bool {
  prompt.commandBegins()
  guard var command = browser.begin(line) else { return false }
  while browser.isFinding {
    let keys = keyboard.keys().map(Key.keys(in:)) ?? [.escape]
    for key in keys where browser.isFinding { command = browser.press(key) }
  }
  keyboard.restore()
  prompt.commandEnds { [command] in await command.finished() }
  return true
}

_ = begin("list")
while true {
  guard let line = keyboard.line() else {
    // The end of the input leaves the cursor behind the prompt.
    screen.write("\n")
    break
  }
  guard begin(line) else { break }
}
leave(0)
