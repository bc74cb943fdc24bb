import FluxCore
import FluxLog
import FluxMiddleware
import TestSupport
import Testing

@Suite("The steps of a writer of a history", .unlessItHangs)
struct LoggedHistoryStepTests {
  /// An executor that performs steps only when a test lets it.
  private final class HeldSteps: StepExecutor {
    private let steps = Shared<[UnownedJob]>([])

    func enqueue(_ job: consuming ExecutorJob) {
      let step = UnownedJob(job)
      steps.change { $0.append(step) }
    }

    /// Performs all steps, and returns their number.
    func perform() -> Int {
      var count = 0
      while let step = steps.change({ $0.isEmpty ? nil : $0.removeFirst() }) {
        step.runSynchronously(on: asUnownedTaskExecutor())
        count += 1
      }
      return count
    }
  }

  @Test("a dispatch writes nothing itself, and all actions that arrive before the first step share one write")
  func held() async throws {
    let (steps, appends) = (HeldSteps(), EventLog<Int>())
    let log = MemoryLog { operation in
      if case .append(let count, _) = operation { appends.record(count) }
      return nil
    }
    let (logged, canvas) = try await Timeline.$ofTest.withValue(
      Timeline(ContinuousClock(), executor: steps)
    ) {
      try await LoggedHistory.open(
        Canvas.makeHistory(), in: log, with: Canvas.registry, initial: Canvas(), reducer: Canvas.reducer)
    }
    let store = Store(reducer: Canvas.reducer, plugins: [logged.plugin], state: canvas)
    for stroke in 1...3 { store.dispatch(Draw(stroke)) }
    #expect(store.state.strokes == [1, 2, 3])
    #expect(try await log.end() == .start)
    #expect(steps.perform() > 0)
    #expect(try await log.end() == LogPosition(3))
    store.dispatch(HistoryAction.undo)
    #expect(steps.perform() > 0)
    #expect(appends.values == [3, 1])
    try await logged.flushed()
  }
}
