import Foundation
import MovieBrowser
import SampleTerminal

/// Shows the browser's features, without a terminal.
@MainActor
func showTour() async -> Never {
  let run = JournaledRun(forTour: true)
  if let notice = run.notice { StandardOutput.writeLine(notice) }
  let browser = Browser(
    service: options.service, timeout: .seconds(options.timeout), storage: options.storage(forTour: true),
    plugins: run.plugins, show: StandardOutput.writeLine)
  await browser.start(at: options.place ?? .page(1)).value
  for line in tour {
    StandardOutput.write("\n> \(line)\n")
    guard await browser.run(line) else { break }
  }
  exit(browser.close() ? 0 : 1)
}
