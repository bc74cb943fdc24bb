import Flux
import MovieBrowser
import SampleTerminalViews
import Synchronization

/// A browser on a screen of panes, and a user who presses keys and looks at it.
@MainActor
final class PanesSession {
  let browser: Browser
  let screen: BrowserScreen
  private let log: ActionLog
  private let wakes: AsyncStream<Void>

  private final class ActionLog: Sendable {
    let actions = Mutex<[String]>([])
  }

  init(
    _ service: any MovieService = FileMovieService(), clock: any Clock<Duration> = QuickClock(),
    columns: Int = 80, rows: Int = 24
  ) {
    let log = ActionLog()
    let (stream, wake) = AsyncStream.makeStream(of: Void.self)
    self.log = log
    wakes = stream
    browser = Browser(
      service: service, timeout: .seconds(30), clock: clock, storage: InMemoryStorage(),
      plugins: [
        Plugin(onTransition: .states { step in log.actions.withLock { $0.append("\(step.action)") } })
      ],
      tell: { _ in })
    screen = BrowserScreen(browser, write: { _ in }, wake: { wake.yield() })
    resize(columns, rows)
  }

  /// A session whose screen has a text; how it came to be is forgotten.
  static func showing(
    _ text: String, _ service: any MovieService = FileMovieService(),
    clock: any Clock<Duration> = QuickClock(), columns: Int = 80, rows: Int = 24
  ) async -> PanesSession {
    let session = PanesSession(service, clock: clock, columns: columns, rows: rows)
    await session.wait(for: text)
    _ = session.actions()
    return session
  }

  var state: BrowserState { browser.store.state }

  /// What is on the screen as it was drawn last.
  var text: String { screen.renderer.screen?.text ?? "" }

  func resize(_ columns: Int, _ rows: Int) {
    screen.resize(to: ScreenSize(columns: columns, rows: rows))
  }

  /// Draws what has changed.
  @discardableResult
  func draw() -> Renderer<BrowserPane>.Frame { screen.renderer.draw() }

  /// Presses keys and draws once.
  @discardableResult
  func press(_ keys: Key...) -> Renderer<BrowserPane>.Frame {
    for key in keys { screen.press(key) }
    return draw()
  }

  /// Types letters and draws once.
  @discardableResult
  func type(_ text: String) -> Renderer<BrowserPane>.Frame {
    for character in text { screen.press(.character(character)) }
    return draw()
  }

  /// Draws whenever there is something to draw, until the screen has a text.
  ///
  /// - Returns: The panes that were drawn meanwhile.
  @discardableResult
  func wait(for text: String) async -> Set<BrowserPane> {
    var panes = draw().panes
    guard !self.text.contains(text) else { return panes }
    for await _ in wakes {
      panes.formUnion(draw().panes)
      if self.text.contains(text) { break }
    }
    return panes
  }

  /// The actions that were reduced since this was asked last.
  func actions() -> [String] {
    log.actions.withLock { actions in
      defer { actions = [] }
      return actions
    }
  }
}
