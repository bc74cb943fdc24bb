import Flux
import MovieBrowser
import Synchronization

/// A browser, with functions that type lines and read its output.
final class Session: Sendable {
  let browser: Browser
  private let pieces: Pieces
  private let panels: Pieces
  private let log: Pieces

  init(
    _ service: any MovieService = FileMovieService(), storage: any StateStorage = InMemoryStorage(),
    clock: any Clock<Duration> = QuickClock(), plugins: [Plugin<BrowserState>] = []
  ) {
    let (pieces, panels, log) = (Pieces(), Pieces(), Pieces())
    self.pieces = pieces
    self.panels = panels
    self.log = log
    browser = Browser(
      service: service, timeout: .seconds(30), clock: clock, storage: storage,
      plugins: plugins + [Plugin(onTransition: .states { log.append("\($0.action)") })],
      show: { pieces.append($0) }, draw: { panels.append($0) })
  }

  /// A session that has requested its first screen, which by default is the saved place.
  ///
  /// Its output is cleared.
  static func started(
    _ service: any MovieService = FileMovieService(), storage: any StateStorage = InMemoryStorage(),
    clock: any Clock<Duration> = QuickClock(), at address: Place? = nil
  ) async -> Session {
    let session = Session(service, storage: storage, clock: clock)
    await session.browser.start(at: address).value
    session.forget()
    return session
  }

  /// Clears the output.
  func forget() {
    for kept in [pieces, panels, log] { _ = kept.take() }
  }

  /// The lines that were shown since the last call.
  func lines() -> [String] { pieces.lines() }

  /// The progress that was shown since the last call, one panel after another.
  func drawn() -> [String] { panels.take() }

  /// The actions that were reduced since the last call.
  func actions() -> [String] { log.take() }

  /// Starts the browser; returns its output.
  @discardableResult
  func start(at address: Place? = nil) async -> [String] {
    await browser.start(at: address).value
    return lines()
  }

  /// Types a line; returns the output when the browser is ready for the next line.
  @discardableResult
  func type(_ line: String) async -> [String] {
    _ = await browser.run(line)
    return lines()
  }

  /// The films and the marks, which no failure may change.
  var belongings: Belongings {
    let state = browser.store.state
    return Belongings(pages: state.pages, marks: state.marks)
  }

  struct Belongings: Equatable {
    let pages: [FilmPage]
    let marks: BrowserState.Marks
  }
}

/// The output, in order.
private final class Pieces: Sendable {
  private let pieces = Mutex<[String]>([])

  func append(_ piece: String) {
    pieces.withLock { $0.append(piece) }
  }

  /// The output since the last call, piece by piece.
  func take() -> [String] {
    pieces.withLock { pieces in
      defer { pieces = [] }
      return pieces
    }
  }

  /// The output since the last call, line by line.
  func lines() -> [String] {
    take().flatMap { $0.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) }
  }
}
