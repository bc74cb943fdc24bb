import FluxAsync
import FluxCore
import FluxTesting
import Foundation
import TestSupport

/// A state that counts arrived notes.
struct StormTally: FluxState, Equatable {
  var arrived = 0
  /// The lanes of the requests that were reduced and are not settled, by the numbers of the
  /// requests.
  var open: [Int: String] = [:]
  /// How many notes each piece of work has dispatched.
  var notes: [Int: Int] = [:]

  mutating func reduce(_ action: any Action) {
    arrived += 1
    switch action {
    case let request as StormRequest: open[request.number] = request.lane
    case let event as StormRequest.Fulfilled: open[event.request.number] = nil
    case let event as StormRequest.Rejected: open[event.request.number] = nil
    case let note as StormNote: notes[note.number, default: 0] += 1
    default: break
    }
  }
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
  /// The numbers of the requests of which an attempt was about to return or to fail.
  let answered: Shared<Set<Int>>
  var tracked: LifetimeTracker.Tracked?

  func perform(in context: RequestContext<StormTally>) async throws -> Int {
    await Task.yield()
    if way == .sleeps { try await clock.sleep(for: .seconds(1)) }
    answered.change { _ = $0.insert(number) }
    switch way {
    case .answers, .sleeps: break
    case .fails: throw Service.Trouble()
    case .failsFirst: if context.attempt == 1 { throw Service.Trouble() }
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
  /// The seed of all storms: 1, or the value of `STORM_SEED` in the environment.
  static let seed = ProcessInfo.processInfo.environment["STORM_SEED"].flatMap { UInt64($0) } ?? 1

  let clock = ManualClock()
  let actions = Recorder<any Action>()
  /// The numbers of the requests of which an attempt was about to return or to fail.
  let answered = Shared<Set<Int>>([])
  /// The numbers of the requests that a `CancelWork` canceled before they could settle by
  /// themselves.
  let canceled = Shared<Set<Int>>([])
  let store: Store<StormTally>

  init() {
    store = Store(
      reducer: { tally, action in tally.reduce(action) },
      plugins: [
        .asyncWork(clock: clock, onError: { _, _ in }),
        Plugin(onTransition: .actions { [actions] action, _ in actions.record(action) }),
      ],
      state: StormTally())
  }

  /// The notes that were reduced, in order.
  var notes: [StormNote] { actions.values.compactMap { $0 as? StormNote } }

  /// Returns how many notes a piece of work has dispatched that were reduced.
  func noteCount(of number: Int) -> Int {
    store.withState { $0.notes[number, default: 0] }
  }

  /// Dispatches a `CancelWork`, and collects the requests that it cancels.
  ///
  /// Those are the requests that were reduced before the dispatch, and of which no attempt had
  /// ended when the dispatch returned.
  func cancel(_ cancelWork: CancelWork, in isMeant: (_ lane: String) -> Bool) {
    let found = store.withState { tally in Set(tally.open.filter { isMeant($0.value) }.keys) }
    store.dispatch(cancelWork)
    let meant = found.subtracting(answered.value)
    canceled.change { $0.formUnion(meant) }
  }

  /// Runs a closure on sixteen threads at the same time, each with its own random numbers.
  func storm(
    _ work: @escaping @Sendable (_ index: Int, _ random: inout SeededGenerator) -> Void
  ) async {
    await resultOfThread {
      onThreads(16) { index in
        var random = SeededGenerator(seed: Self.seed &* 1000 &+ UInt64(index))
        work(index, &random)
      }
    }
  }

  /// Lets time pass until all work has ended.
  func finish() async {
    await clock.run(while: { await store.effects.finished() })
  }
}
