import Flux
import MovieBrowser
import SampleTerminalViews
import Synchronization
import TestSupport

/// A browser on a screen of panes, with functions that press keys and read the screen.
@MainActor
final class PanesSession {
  let browser: Browser
  let screen: BrowserScreen
  private let log: ActionLog
  private let wakes: AsyncStream<Void>
  /// The newest states that the last subscribers have received, and a value for each delivery.
  private var heard: BrowserState?
  private let heardAnywhere = Shared<BrowserState?>(nil)
  private let (hearings, hearing) = AsyncStream.makeStream(of: Void.self)
  private var tokens: [SubscriptionToken] = []

  private final class ActionLog: Sendable {
    let actions = Mutex<[String]>([])
  }

  init(
    _ service: any MovieService = FileMovieService(), clock: any Clock<Duration> = QuickClock(),
    storage: any StateStorage = InMemoryStorage(), columns: Int = 80, rows: Int = 24
  ) {
    let log = ActionLog()
    let (stream, wake) = AsyncStream.makeStream(of: Void.self)
    self.log = log
    wakes = stream
    browser = Browser(
      service: service, timeout: .seconds(30), clock: clock, storage: storage,
      plugins: [
        Plugin(onTransition: .states { step in log.actions.withLock { $0.append("\(step.action)") } })
      ],
      tell: { _ in })
    screen = BrowserScreen(browser, write: { _ in }, wake: { wake.yield() })
    // The last subscriber is called last.
    tokens = [
      browser.store.subscribe(onMain: { [weak self] state in
        self?.heard = state
        self?.hearing.yield()
      }),
      browser.store.subscribe { [heardAnywhere, hearing] state in
        heardAnywhere.value = state
        hearing.yield()
      },
    ]
    screen.resize(to: ScreenSize(columns: columns, rows: rows))
  }

  /// A session whose screen contains a string.
  ///
  /// The earlier records are cleared.
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

  /// The content of the screen after the last drawing.
  var text: String { screen.renderer.screen?.text ?? "" }

  /// Gives the screen another size and draws once.
  func resize(_ columns: Int, _ rows: Int) async {
    screen.resize(to: ScreenSize(columns: columns, rows: rows))
    await draw()
  }

  /// Draws once, after all subscribers have received all changes.
  ///
  /// Subscribers may receive changes after a key has been handled, while a loading thread still
  /// delivers. Some subscribers dispatch actions, whose changes the screen shows.
  @discardableResult
  private func draw() async -> Renderer<BrowserPane>.Frame {
    if isDeliveryDue {
      for await _ in hearings where !isDeliveryDue { break }
    }
    return screen.renderer.draw()
  }

  private var isDeliveryDue: Bool {
    let state = state
    return heard != state || heardAnywhere.value != state
  }

  /// Loads all films and draws once, so that a search loads no page.
  func loadAll() async {
    _ = await browser.run("search dream")
    await draw()
  }

  /// Presses keys and draws once.
  @discardableResult
  func press(_ keys: Key...) async -> Renderer<BrowserPane>.Frame {
    for key in keys { screen.press(key) }
    return await draw()
  }

  /// Types letters and draws once.
  @discardableResult
  func type(_ text: String) async -> Renderer<BrowserPane>.Frame {
    for character in text { screen.press(.character(character)) }
    return await draw()
  }

  /// Draws whenever a drawing is needed, until the screen contains a string.
  ///
  /// - Returns: The panes that were drawn meanwhile.
  @discardableResult
  func wait(for text: String) async -> Set<BrowserPane> {
    var panes = screen.renderer.draw().panes
    guard !self.text.contains(text) else { return panes }
    for await _ in wakes {
      panes.formUnion(screen.renderer.draw().panes)
      if self.text.contains(text) { break }
    }
    return panes
  }

  /// Waits until the matches of the whole typed text have arrived, and draws once.
  ///
  /// The matches of the beginning of the text can have the same number.
  func waitForMatches() async {
    if !hasMatches {
      for await _ in hearings where hasMatches { break }
    }
    await draw()
  }

  private var hasMatches: Bool {
    let find = state.display.find
    return find?.found.text == find?.text
  }

  /// The actions that were reduced since the last call.
  func actions() -> [String] {
    log.actions.withLock { actions in
      defer { actions = [] }
      return actions
    }
  }
}
