import FluxAsync
import FluxCore
import FluxMiddleware
import FluxTesting
import Testing

/// A program in which a first step of work, or a last step of canceled work, is pending together
/// with events that depend on it, or that seem to depend on it.
///
/// The state contains the names of all events that other code can observe, so each order of these
/// events has another last state.
struct IndependentProgram: Sendable, CustomTestStringConvertible {
  let name: String
  let perform: @Sendable (_ logged: LoggedRun) async throws -> Void

  var testDescription: String { name }

  init(_ name: String, _ perform: @escaping @Sendable (_ logged: LoggedRun) async throws -> Void) {
    self.name = name
    self.perform = perform
  }

  static let all = beginning + canceling + observingEnds + policies
}

/// A run with a store whose state is the log of a program.
struct LoggedRun: Sendable {
  let run: ExplorationRun
  let store: Store<RaceState>
  let listeners = Listeners<RaceState>()

  init(_ run: ExplorationRun) {
    self.run = run
    store = Self.store(run, [listeners.plugin])
  }

  static func store(_ run: ExplorationRun, _ plugins: [Plugin<RaceState>] = []) -> Store<RaceState> {
    Store(
      reducer: { (state: inout RaceState, action: any Action) in
        switch action {
        case let change as Change: change.apply(&state)
        case is WorkFailed: state.names.append("failed")
        // The events of requests are part of the log.
        case is any RequestEvent: state.names.append("\(type(of: action))")
        default: break
        }
      }, plugins: [run.plugin()] + plugins, state: RaceState())
  }

  /// Dispatches a change that adds a name to the log, even if the calling work was canceled.
  func log(_ name: String) { store.dispatch(Self.entry(name)) }

  static func entry(_ name: String) -> Change { Change(name) { $0.names.append(name) } }

  /// Returns a job that logs its name.
  func logging(_ name: String, _ policy: WorkPolicy = .every, kind: String = "") -> Job {
    Job(name, policy, kind: kind) { $0.dispatch(Self.entry(name)) }
  }

  /// Dispatches a job.
  @discardableResult
  func start(
    _ name: String, _ policy: WorkPolicy = .every, kind: String = "",
    _ work: @escaping @Sendable (TaskContext<RaceState>) async throws -> Void
  ) -> DispatchTask {
    store.dispatchAsync(Job(name, policy, kind: kind, work))
  }

  /// Dispatches a job that cancels the work of another job.
  func startCanceling(_ name: String) {
    start("cancel \(name)") { _ in cancel(name) }
  }

  func cancel(_ name: String) { store.dispatch(CancelWork(of: Job.self, id: name)) }

  func call(_ name: String, isCancellable: Bool = true) async throws {
    try await run.answer(to: name, isCancellable: isCancellable) {}
  }

  /// Waits for an answer, and logs the outcome.
  func tryCall(_ name: String) async {
    do {
      try await call(name)
      log("\(name) answered")
    } catch {
      log("\(name) threw")
    }
  }
}
