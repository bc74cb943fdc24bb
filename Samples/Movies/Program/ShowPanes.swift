import Flux
import Foundation
import MovieBrowser
import SampleTerminal
import SampleTerminalViews
import Synchronization

/// An event that the screen of panes receives from outside the store.
private enum Event: Sendable {
  case key(Key)
  case signal(Int32)
  /// A notice for the user.
  case trouble(String)
  /// A shown value has changed.
  case change
  /// The terminal was closed.
  case end
}

/// Shows the browser on the whole screen, until the user leaves.
@MainActor
func showPanes() async -> Never {
  let (events, outside) = AsyncStream.makeStream(of: Event.self)
  let terminal = Terminal()
  let trouble = Mutex<String?>(nil)
  let run = JournaledRun(forTour: false)
  let browser = Browser(
    service: options.service, timeout: .seconds(options.timeout), storage: options.storage(forTour: false),
    plugins: run.plugins,
    tell: { text in
      trouble.withLock { $0 = text }
      outside.yield(.trouble(text))
    })
  let screen = BrowserScreen(
    browser, write: terminal.write, wake: { outside.yield(.change) })
  let signals = onSignals(SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGWINCH, SIGCONT) { outside.yield(.signal($0)) }

  func leave(_ status: Int32) -> Never {
    let areKept = browser.close()
    terminal.giveBack()
    if let notice = run.notice { StandardOutput.writeLine(notice) }
    guard !areKept else { exit(status) }
    if let text = trouble.withLock({ $0 }) { StandardOutput.writeLine(text) }
    exit(1)
  }

  terminal.take()
  screen.resize(to: terminal.size)
  screen.start(at: options.place)
  screen.renderer.draw()
  // The screen has room for one line. The other lines are shown after the user has left.
  if let line = run.notice?.split(separator: "\n").first { outside.yield(.trouble(String(line))) }
  terminal.readKeys(press: { outside.yield(.key($0)) }, end: { outside.yield(.end) })
  for await event in events {
    switch event {
    case .key(.control("z")): terminal.suspend()
    case .key(let key): screen.press(key)
    case .signal(SIGINT): screen.press(.control("c"))
    case .signal(SIGWINCH): screen.resize(to: terminal.size)
    case .signal(SIGCONT):
      terminal.retake()
      screen.renderer.forget()
      screen.resize(to: terminal.size)
    case .signal(let number): leave(128 + number)
    case .trouble(let text): screen.tell(text.hasPrefix("! ") ? String(text.dropFirst(2)) : text)
    case .change: break
    case .end: leave(0)
    }
    if screen.isLeaving { break }
    screen.renderer.draw()
  }
  withExtendedLifetime(signals) { leave(0) }
}
