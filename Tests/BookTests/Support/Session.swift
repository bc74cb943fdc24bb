import BookShelf
import Flux
import FluxTesting
import TestSupport

/// The program, and a user who reads what it shows.
final class Session: Sendable {
  let app: ShelfApp
  let clock = ManualClock()
  private let shown = Recorder<String>()
  private let log = Recorder<String>()

  init(_ service: any BookService = BundledService(), failing: Set<Conditions.Topic> = []) {
    app = ShelfApp(
      service: service, conditions: Conditions(failing: failing), clock: clock,
      plugins: [Plugin(onTransition: .states { [log] in log.record("\($0.action)") })],
      show: { [shown] in shown.record($0) })
  }

  /// Types lines; returns what was shown of the last one when all was done.
  @discardableResult
  func type(_ lines: String...) async -> [String] {
    for line in lines {
      shown.takeAll()
      _ = await app.run(line)
    }
    return self.lines()
  }

  /// Types a line, and does not wait for what it loads, which takes a while; returns what is shown so far.
  func begin(_ line: String, sleepers: Int) async -> (task: DispatchTask?, lines: [String]) {
    let task = app.begin(line)
    await clock.sleepers(atLeast: sleepers)
    return (task, lines())
  }

  /// The lines that were shown since this was asked last.
  func lines() -> [String] {
    shown.takeAll().flatMap { $0.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) }
  }

  /// The actions that were reduced since this was asked last.
  func actions() -> [String] { log.takeAll() }
}

/// The numbers of the books among some lines.
func numbers(in lines: [String]) -> [Int] {
  lines.filter { $0.contains(" · ") }.compactMap { line in Int(line.prefix(4).filter { $0 != " " }) }
}
