import FluxCore
import Foundation
import Synchronization
import TestSupport

/// Runs a random program on threads, and records the results of the threads and the observers.
final class HistoryRecording: Sendable {
  private let program: RandomProgram
  private let store: Store<Counter>
  private let subject: StoreUnderTest
  private let observed: Shared<ObserverRecord>
  private let recorded = Recorder<StoreOperation>()
  private let moments = Atomic(0)
  private let ready = Atomic(0)

  /// A description of the failure of a seed's run; `nil` if it did not fail.
  ///
  /// - Parameters:
  ///   - seed: Determines the operations of the threads, but not their order.
  ///   - overlaps: Counts the histories in which operations overlapped.
  ///   - broken: Breaks the store.
  static func problem(
    seed: UInt64, overlaps: Shared<Int>? = nil, broken: (StoreUnderTest) -> StoreUnderTest = { $0 }
  ) -> String? {
    let recording = HistoryRecording(seed: seed, broken: broken)
    recording.run()
    let history = recording.recorded.values.sorted { $0.invoked < $1.invoked }
    // An observer's dispatch happens inside a thread's own operation, and therefore does not count
    // as an overlap.
    let threads = history.filter { $0.thread >= 0 }
    let hasOverlap = zip(threads, threads.dropFirst()).contains { $1.invoked < $0.returned }
    if hasOverlap { overlaps?.increment() }
    var text: String { history.map { "\n  \($0)" }.joined() }
    guard LinearizabilityChecker<SequentialStore>.order(of: history) != nil else {
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
      // The gate releases threads one after another; here they are released together.
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
    // An observer without a first call records a log that no store has had.
    case .firstCall: record(thread, yields) { .read(subject.firstCall() ?? [-1]) }
    case .replaceReducer(let number):
      record(thread, yields) {
        subject.replaceReducer(number)
        return .replaceReducer(number)
      }
    // A batch delays observers, not reductions. For a history, a batch equals its operations.
    case .batch(let steps): subject.batch { for step in steps { perform(step, yields: yields, on: thread) } }
    }
  }

  private func record(_ thread: Int, _ yields: Int, _ operation: () -> SequentialStore.Operation) {
    let invoked = nextMoment()
    for _ in 0..<yields { sched_yield() }
    let kind = operation()
    recorded.record(.init(thread: thread, kind: kind, invoked: invoked, returned: nextMoment()))
  }

  private func nextMoment() -> Int { moments.wrappingAdd(1, ordering: .sequentiallyConsistent).newValue }
}
