import FluxAsync
import FluxCore
import FluxTesting
import TestSupport

/// A state that counts what arrives.
struct StormTally: FluxState, Equatable {
  var arrived = 0
}

/// A note of which work dispatched it, and as which attempt.
struct StormNote: Action, Equatable {
  enum Stage: Equatable {
    case began, middle, ended
  }

  let number: Int
  var lane = 0
  var attempt = 0
  let stage: Stage
}

/// A request that answers, fails, or takes one second of a manual clock.
struct StormRequest: AsyncRequest {
  enum Way: CaseIterable, Sendable {
    case answers, fails, failsFirst, sleeps
  }

  let number: Int
  let lane: String
  let policy: WorkPolicy
  let way: Way
  let clock: ManualClock
  var tracked: LifetimeTracker.Tracked?

  func perform(in context: RequestContext<StormTally>) async throws -> Int {
    await Task.yield()
    switch way {
    case .answers: break
    case .fails: throw Service.Trouble()
    case .failsFirst: if context.attempt == 1 { throw Service.Trouble() }
    case .sleeps: try await clock.sleep(for: .seconds(1))
    }
    return number
  }
}

/// Work that notes its beginning, its middle, and its end.
struct StormTask: TaskAction {
  let number: Int
  var lane = 0
  let policy: WorkPolicy
  /// Records each run.
  let runs: Recorder<Int>
  let body: @Sendable () async throws -> Void

  init(
    _ number: Int, lane: Int = 0, _ policy: WorkPolicy, runs: Recorder<Int> = Recorder(),
    body: @escaping @Sendable () async throws -> Void = { await Task.yield() }
  ) {
    self.number = number
    self.lane = lane
    self.policy = policy
    self.runs = runs
    self.body = body
  }

  func execute(state: StormTally, dispatch: @escaping DispatchFunction) async throws {
    runs.record(number)
    let attempt = runs.count
    dispatch(StormNote(number: number, lane: lane, attempt: attempt, stage: .began))
    try await body()
    dispatch(StormNote(number: number, lane: lane, attempt: attempt, stage: .middle))
    await Task.yield()
    dispatch(StormNote(number: number, lane: lane, attempt: attempt, stage: .ended))
  }
}

/// A store on a manual clock, with the actions that it has reduced, in order.
struct StormStore: Sendable {
  let clock = ManualClock()
  let actions = Recorder<any Action>()
  let store: Store<StormTally>

  init() {
    store = Store(
      reducer: { tally, _ in tally.arrived += 1 },
      plugins: [
        .asyncWork(clock: clock, onError: { _, _ in }),
        Plugin(onTransition: .actions { [actions] action, _ in actions.record(action) }),
      ],
      state: StormTally())
  }

  /// The notes that were reduced, in order.
  var notes: [StormNote] { actions.values.compactMap { $0 as? StormNote } }

  /// Runs a closure on sixteen threads at once, each with random numbers of its own.
  func storm(
    _ seed: UInt64, _ work: @escaping @Sendable (_ index: Int, _ random: inout SeededGenerator) -> Void
  ) async {
    await resultOfThread {
      onThreads(16) { index in
        var random = SeededGenerator(seed: seed &* 1000 &+ UInt64(index))
        work(index, &random)
      }
    }
  }

  /// Lets time pass until all work has ended.
  func finish() async {
    await clock.run(while: { await store.effects.finished() })
  }
}
