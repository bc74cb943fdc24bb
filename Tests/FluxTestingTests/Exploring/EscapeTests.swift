import FluxAsync
import FluxCore
import FluxTesting
import TestSupport
import Testing

@Suite("Code that leaves an explored run", .unlessItHangs)
struct EscapeTests {
  private let reports = Reports()

  /// An actor whose code runs on a thread outside the run.
  private actor Outside {
    private final class Executor: SerialExecutor {
      func enqueue(_ job: consuming ExecutorJob) {
        let (job, executor) = (UnownedJob(job), asUnownedSerialExecutor())
        Task.detached { job.runSynchronously(on: executor) }
      }
    }

    private let executor = Executor()
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    func perform(_ act: @Sendable () -> Void) { act() }
  }

  private func failures(
    _ work: @escaping @Sendable (TaskContext<RaceState>) async throws -> Void
  ) async -> [String] {
    let report = await explore(reporter: reports.reporter) { run in
      RaceRun(run).send(Job("job") { try await work($0) })
      await run.untilQuiet()
    }
    return report.failure?.messages ?? []
  }

  @Test("the return of work from the main actor is a failure that names the work")
  func mainActor() async {
    let failures = await failures { _ in await MainActor.run {} }
    #expect(failures == ["The run does not control everything: code outside the run continued job."])
  }

  @Test("an action that work dispatches on the main actor is a failure that names the action")
  func dispatchOnMainActor() async {
    let failures = await failures { context in await MainActor.run { context.dispatch(Change("move")) } }
    #expect(
      failures == ["The run does not control everything: move was dispatched by a thread outside the run."])
  }

  @Test("the return of work from an actor with its own executor is a failure that names the work")
  func actorWithExecutor() async {
    // An optimized program does not wait for an actor that does nothing.
    let (outside, performed) = (Outside(), Recorder<Bool>())
    let failures = await failures { _ in await outside.perform { performed.record(true) } }
    #expect(failures == ["The run does not control everything: code outside the run continued job."])
  }

  @Test("an action that an actor with its own executor dispatches is a failure that names the action")
  func dispatchOnActor() async {
    let outside = Outside()
    let failures = await failures { context in await outside.perform { context.dispatch(Change("move")) } }
    #expect(
      failures == ["The run does not control everything: move was dispatched by a thread outside the run."])
  }

  @Test("the return of the test from the main actor is a failure that names the test")
  func testOnMainActor() async {
    let report = await explore(reporter: reports.reporter) { _ in await MainActor.run {} }
    #expect(
      report.failure?.messages == [
        "The run does not control everything: code outside the run continued the test."
      ])
  }
}
