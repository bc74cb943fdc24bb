import FluxCore
import Foundation
import Synchronization
import TestSupport

/// Runs a random program on threads, and records what they and the observers see.
final class HistoryRecording: Sendable {
  private let program: RandomProgram
  private let store: Store<Counter>
  private let subject: StoreUnderTest
  private let observed: Shared<ObserverRecord>
  private let recorded = Recorder<RecordedOperation>()
  private let moments = Atomic(0)
  private let ready = Atomic(0)

  /// What was wrong with the run of a seed, in words; `nil` if nothing was.
  ///
  /// - Parameters:
  ///   - seed: Decides what the threads do, but not who is first.
  ///   - overlaps: Counts the histories in which operations overlapped.
  ///   - broken: Breaks the store.
  static func problem(
    seed: UInt64, overlaps: Shared<Int>? = nil, broken: (StoreUnderTest) -> StoreUnderTest = { $0 }
  ) -> String? {
    let recording = HistoryRecording(seed: seed, broken: broken)
    recording.run()
    let history = recording.recorded.values.sorted { $0.invoked < $1.invoked }
    // What an observer dispatches lies inside a thread's own operation, which is not what is meant here.
    let threads = history.filter { $0.thread >= 0 }
    let hasOverlap = zip(threads, threads.dropFirst()).contains { $1.invoked < $0.returned }
    if hasOverlap { overlaps?.increment() }
    var text: String { history.map { "\n  \($0)" }.joined() }
    guard LinearizabilityChecker.order(of: history) != nil else {
      return "seed \(seed): no single thread could have seen this:\(text)"
    }
    let contradiction = recording.observed.value.contradiction(
      to: history, endingWith: recording.store.state.log)
    return contradiction.map { "seed \(seed): \($0), while this happened:\(text)" }
  }

  private init(seed: UInt64, broken: (StoreUnderTest) -> StoreUnderTest) {
    let observed = Shared(ObserverRecord())
    self.observed = observed
    program = RandomProgram(seed: seed)
    store = Store(
      reducer: StoreUnderTest.reducer(0),
      plugins: [
        Plugin(
          onTransition: .actions { action, version in
            guard let action = action as? Append else { return }
            observed.change { $0.transitions.append(.init(action: action.element, version: version)) }
          })
      ], state: Counter())
    subject = broken(StoreUnderTest(store))
  }

  private func run() {
    let tokens = (0...1).map { observer in
      store.subscribe(initial: false) { [unowned self] state in hear(state.log, observer) }
    }
    onThreads(program.threads.count) { [self] thread in
      // The gate lets threads through one after the other; here they are told to go all at once.
      ready.wrappingAdd(1, ordering: .sequentiallyConsistent)
      while ready.load(ordering: .sequentiallyConsistent) < program.threads.count { sched_yield() }
      for timed in program.threads[thread] { perform(timed.step, yields: timed.yields, on: thread) }
    }
    perform(.read, on: program.threads.count)
    for token in tokens { token.cancel() }
  }

  private func hear(_ log: [Int], _ observer: Int) {
    let moment = nextMoment()
    observed.change { $0.calls.append(.init(observer: observer, log: log, moment: moment)) }
    let isNew = log.allSatisfy { SequentialStore.action(of: $0) != program.reaction.action }
    guard observer == 0, log.count >= program.reaction.length, isNew else { return }
    perform(.dispatch(program.reaction.action), on: -1)
  }

  private func perform(_ step: RandomProgram.Step, yields: Int = 0, on thread: Int) {
    switch step {
    case .dispatch(let action):
      record(thread, yields) {
        subject.dispatch(Append(element: action))
        return .dispatch(action)
      }
    case .read: record(thread, yields) { .read(subject.read()) }
    case .readInPlace: record(thread, yields) { .read(subject.readInPlace()) }
    // An observer without a first call has seen what no store has had.
    case .firstCall: record(thread, yields) { .read(subject.firstCall() ?? [-1]) }
    case .replaceReducer(let number):
      record(thread, yields) {
        subject.replaceReducer(number)
        return .replaceReducer(number)
      }
    // A batch holds back observers, not reductions: to a history it is the operations in it.
    case .batch(let steps): subject.batch { for step in steps { perform(step, yields: yields, on: thread) } }
    }
  }

  private func record(_ thread: Int, _ yields: Int, _ operation: () -> RecordedOperation.Kind) {
    let invoked = nextMoment()
    for _ in 0..<yields { sched_yield() }
    let kind = operation()
    recorded.record(.init(thread: thread, kind: kind, invoked: invoked, returned: nextMoment()))
  }

  private func nextMoment() -> Int { moments.wrappingAdd(1, ordering: .sequentiallyConsistent).newValue }
}
