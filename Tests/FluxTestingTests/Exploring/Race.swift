import FluxAsync
import FluxCore
import FluxTesting
import Testing

/// A program whose result depends on the order of events, and the corrected program.
struct Race: Sendable, CustomTestStringConvertible {
  let name: String
  /// The story that a person would tell about the failure, up to the failure.
  let story: String
  let wrong: @Sendable (RaceRun) async throws -> Void
  let right: @Sendable (RaceRun) async throws -> Void

  var testDescription: String { name }
}

/// The state of the programs: named numbers, and the names of events in the order of their actions.
struct RaceState: FluxState, Equatable {
  var numbers: [String: Int] = [:]
  var names: [String] = []

  subscript(name: String) -> Int {
    get { numbers[name, default: 0] }
    set { numbers[name] = newValue }
  }
}

/// An action with a name, which changes the state by a closure.
struct Change: Action, CustomStringConvertible {
  let description: String
  let apply: @Sendable (inout RaceState) -> Void

  init(_ name: String, _ apply: @escaping @Sendable (inout RaceState) -> Void = { _ in }) {
    description = name
    self.apply = apply
  }
}

/// An action with a name, whose work is a closure.
struct Job: TaskAction, CustomStringConvertible {
  let description: String
  let policy: WorkPolicy
  let apply: @Sendable (inout RaceState) -> Void
  let work: @Sendable (TaskContext<RaceState>) async throws -> Void

  /// Creates a job whose policy applies to the jobs with the same kind.
  init(
    _ name: String, _ policy: WorkPolicy = .every, kind: String = "",
    changing apply: @escaping @Sendable (inout RaceState) -> Void = { _ in },
    _ work: @escaping @Sendable (TaskContext<RaceState>) async throws -> Void
  ) {
    description = name
    self.policy = policy.keyed(by: kind.isEmpty ? name : kind)
    self.apply = apply
    self.work = work
  }

  func execute(in context: TaskContext<RaceState>) async throws { try await work(context) }
}

/// A failure that the services of the programs can report.
struct Refused: Error, CustomStringConvertible {
  var description: String { "refusal" }
}

/// A run with a store for the programs.
struct RaceRun: Sendable {
  let run: ExplorationRun
  let store: TestStore<RaceState>

  init(_ run: ExplorationRun, plugins: [Plugin<RaceState>] = [], state: RaceState = RaceState()) {
    self.run = run
    store = run.store(
      reducer: { (state: inout RaceState, action) in
        switch action {
        case let change as Change: change.apply(&state)
        case let job as Job: job.apply(&state)
        default: break
        }
      }, plugins: plugins, state: state)
  }

  func send(_ action: any Action) { store.send(action) }

  /// Declares an action that the user can send at any time.
  func may(_ action: any Action) {
    run.may("\(action)") { [store] in store.send(action) }
  }

  func call(_ name: String, mayFail: Bool = false, isCancellable: Bool = true) async throws {
    try await run.answer(to: name, failing: mayFail ? [Refused()] : [], isCancellable: isCancellable) {}
  }

  func eventually(_ name: String, _ isTrue: @escaping @Sendable (RaceState) -> Bool) {
    run.eventually(name, isTrue)
  }

  func always(_ name: String, _ isTrue: @escaping @Sendable (RaceState) -> Bool) {
    run.always(name, isTrue)
  }
}
