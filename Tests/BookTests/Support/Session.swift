import BookShelf
import Flux
import FluxTesting
import TestSupport

/// The program, with functions that type lines and read its output.
final class Session: Sendable {
  let app: ShelfApp
  let clock = ManualClock()
  private let shown = Recorder<String>()
  private let log = Recorder<String>()

  init(
    _ service: any BookService = BundledService(), failing: Set<Conditions.Topic> = [],
    storage: (any StateStorage)? = nil
  ) {
    app = ShelfApp(
      service: service, conditions: Conditions(failing: failing), clock: clock, storage: storage,
      plugins: [Plugin(onTransition: .states { [log] in log.record("\($0.action)") })],
      show: { [shown] in shown.record($0) })
  }

  /// Types lines, and returns the output of the last one when all work is done.
  @discardableResult
  func type(_ lines: String...) async -> [String] {
    for line in lines {
      shown.takeAll()
      _ = await app.run(line)
    }
    return self.lines()
  }

  /// Shows the screen of an address or the saved screen, and returns the output.
  func start(at address: ShelfState.Screen? = nil) async -> [String] {
    _ = await app.start(at: address)
    return lines()
  }

  /// Types a line without waiting for its load, and returns the present output.
  func begin(_ line: String, sleepers: Int) async -> (task: DispatchTask?, lines: [String]) {
    let task = app.begin(line)
    await clock.sleepers(atLeast: sleepers)
    return (task, lines())
  }

  /// The lines that were shown since the last call.
  func lines() -> [String] {
    shown.takeAll().flatMap { $0.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) }
  }

  /// The actions that were reduced since the last call.
  func actions() -> [String] { log.takeAll() }
}

/// The numbers of the books in the given lines.
func numbers(in lines: [String]) -> [Int] {
  lines.filter { $0.contains(" · ") }.compactMap { line in Int(line.prefix(4).filter { $0 != " " }) }
}
