import Flux
import Foundation
import MovieBrowser
import SampleTerminal
import SampleTerminalViews

/// Reads commands line by line.
@MainActor
func takeLines() -> Never {
  let output = LineOutput()
  let run = JournaledRun(forTour: false)
  if let notice = run.notice { output.write(notice + "\n") }
  let browser = Browser(
    service: options.service, timeout: .seconds(options.timeout), storage: options.storage(forTour: false),
    plugins: run.plugins, show: { output.write($0 + "\n") }, draw: output.draw)
  let keyboard = Keyboard()

  /// Restores the terminal, saves the marks and the place, and exits.
  @Sendable func leave(_ status: Int32) -> Never {
    let areKept = browser.close()
    output.draw("")
    keyboard.restore()
    exit(areKept ? status : 1)
  }

  let prompt = Prompt { output.write("> ") }

  // Ctrl-C stops running loads, or exits the program if no loads are running.
  let signals = onSignals(SIGINT, SIGTERM, SIGHUP) { number in
    guard number == SIGINT, browser.isWaiting else {
      output.write("\n")
      leave(128 + number)
    }
    // The empty line is a separate command, so that the prompt appears after the result of the
    // command is shown.
    prompt.commandBegins()
    let stop = browser.begin("")
    prompt.commandEnds { await stop?.finished() }
  }

  func begin(_ line: String) -> Bool {
    prompt.commandBegins()
    guard var command = browser.begin(line) else { return false }
    var decoder = KeyDecoder()
    while browser.isFinding {
      // Bytes that arrive together contain complete escape sequences, so the decoder does not
      // wait for further bytes.
      let keys = keyboard.keys().map { decoder.feed($0) + decoder.flush() } ?? [.escape]
      for key in keys where browser.isFinding { command = browser.press(key) }
    }
    keyboard.restore()
    prompt.commandEnds { [command] in await command.finished() }
    return true
  }

  return withExtendedLifetime(signals) {
    prompt.commandBegins()
    let start = browser.start(at: options.place)
    prompt.commandEnds { await start.value }
    while true {
      guard let line = keyboard.line() else {
        // When the input ends, the cursor is still on the line of the prompt.
        output.write("\n")
        break
      }
      guard begin(line) else { break }
    }
    leave(0)
  }
}
