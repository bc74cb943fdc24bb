import Flux
import MovieBrowser
import Synchronization

/// A browser, and a user who reads what it shows.
final class Session: Sendable {
  let browser: Browser
  private let pieces: Pieces

  init(
    _ service: any MovieService = FileMovieService(), storage: any StateStorage = InMemoryStorage()
  ) {
    let pieces = Pieces()
    self.pieces = pieces
    browser = Browser(service: service, storage: storage, show: { pieces.append($0) })
  }

  /// A session in which the first page has been asked for; what that has shown is forgotten.
  static func started(
    _ service: any MovieService = FileMovieService(), storage: any StateStorage = InMemoryStorage()
  ) async -> Session {
    let session = Session(service, storage: storage)
    await session.browser.start()
    _ = session.pieces.take()
    return session
  }

  /// Starts the browser; returns the lines that it has shown.
  func start() async -> [String] {
    await browser.start()
    return pieces.take()
  }

  /// Types a line; returns the lines that the browser has shown when it is ready for the next.
  @discardableResult
  func type(_ line: String) async -> [String] {
    _ = await browser.run(line)
    return pieces.take()
  }

  /// The films and the marks: what no trouble may change.
  var belongings: Belongings {
    let state = browser.store.state
    return Belongings(library: state.library, marks: state.marks)
  }

  struct Belongings: Equatable {
    let library: BrowserState.Library
    let marks: BrowserState.Marks
  }
}

/// What has been shown, in order.
private final class Pieces: Sendable {
  private let pieces = Mutex<[String]>([])

  func append(_ piece: String) {
    pieces.withLock { $0.append(piece) }
  }

  /// The lines shown since the last call.
  func take() -> [String] {
    pieces.withLock { pieces in
      defer { pieces = [] }
      return pieces.flatMap { $0.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) }
    }
  }
}
