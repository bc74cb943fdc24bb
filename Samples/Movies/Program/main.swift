import Flux
import Foundation
import MovieBrowser
import SampleTerminal
import SampleTerminalViews

let options = Options.given(to: "movies")
let logging: [Plugin<BrowserState>] = options.logs ? [.logging()] : []

if options.printsCrash || options.forgetsCrash {
  handleCrash()
} else if isatty(STDIN_FILENO) != 1 {
  await showTour()
} else if options.lines || !Terminal.canDraw {
  takeLines()
} else if options.logs, isatty(STDERR_FILENO) == 1 {
  FileHandle.standardError.write(
    Data("movies: The log would be written over the screen: add 2>log, or --lines.\n".utf8))
  exit(2)
} else {
  await showPanes()
}
