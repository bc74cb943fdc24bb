import FluxAsync
import FluxCore
import TestSupport
import Testing

@testable import FluxTesting

@Suite("The steps of tasks in all orders", .unlessItHangs)
struct SchedulesTests {
  private let reports = Reports()

  /// Starts two jobs of a number of parts each, which record their parts.
  ///
  /// - Parameter suspend: A closure that ends a part.
  private static func twoTasks(
    _ parts: Int, _ run: ExplorationRun, suspend: @escaping @Sendable (RaceRun) async throws -> Void
  ) async -> [String] {
    let race = RaceRun(run)
    for name in ["a", "b"] {
      race.send(
        Job(name) { context in
          for part in 1...parts {
            if part > 1 { try await suspend(race) }
            context.dispatch(Change("part") { $0.names.append(name) })
          }
        })
    }
    await run.untilQuiet()
    return race.store.state.names
  }

  @Test(
    "two tasks with k parts between calls have all C(2k, k) schedules, each once",
    arguments: [(1, 2), (2, 6), (3, 20), (4, 70), (5, 252)])
  func schedules(parts: Int, count: Int) async {
    let logs = Recorder<[String]>()
    let report = await Explorer(cutsOrders: false) { run in
      logs.record(await Self.twoTasks(parts, run) { try await $0.call("next") })
    }.explore(.exhaustive())
    #expect(report.isComplete)
    #expect(report.orders == count)
    #expect(Set(logs.values).count == count)
    #expect(logs.values.allSatisfy { log in log.count { $0 == "a" } == parts && log.count == 2 * parts })
  }

  @Test(
    "two tasks that yield between their parts have all schedules", arguments: [true, false],
    [(2, 6), (3, 20)])
  func yields(cutsOrders: Bool, program: (parts: Int, count: Int)) async {
    let logs = Recorder<[String]>()
    let report = await Explorer(cutsOrders: cutsOrders) { run in
      logs.record(await Self.twoTasks(program.parts, run) { _ in await Task.yield() })
    }.explore(.exhaustive())
    #expect(report.isComplete)
    #expect(Set(logs.values).count == program.count)
  }

  @Test("the child tasks of a group end in all orders")
  func group() async {
    let logs = Recorder<[String]>()
    let report = await explore(reporter: reports.reporter) { run in
      let race = RaceRun(run)
      race.send(
        Job("group") { context in
          await withTaskGroup(of: String.self) { group in
            for name in ["a", "b", "c"] {
              group.addTask {
                try? await race.call(name)
                return name
              }
            }
            for await name in group { context.dispatch(Change(name) { $0.names.append(name) }) }
          }
        })
      await run.untilQuiet()
      logs.record(race.store.state.names)
    }
    #expect(report.isComplete)
    #expect(reports.failures == [])
    #expect(Set(logs.values).count == 6)
  }

  @Test("a task continues when another task of the run resumes its continuation")
  func continuation() async {
    let logs = Recorder<[String]>()
    let report = await explore(reporter: reports.reporter) { run in
      let race = RaceRun(run)
      let waiting = Locked<CheckedContinuation<Void, Never>?>(nil)
      race.send(
        Job("wait") { context in
          await withCheckedContinuation { continuation in waiting.withLock { $0 = continuation } }
          context.dispatch(Change("waited") { $0.names.append("waited") })
        })
      await run.untilQuiet()
      for name in ["resume", "other"] {
        race.send(
          Job(name) { context in
            if name == "resume" { waiting.withLock { $0.take() }?.resume() }
            context.dispatch(Change(name) { $0.names.append(name) })
          })
      }
      await run.untilQuiet()
      logs.record(race.store.state.names)
    }
    #expect(report.isComplete)
    #expect(reports.failures == [])
    #expect(
      Set(logs.values) == [
        ["resume", "waited", "other"], ["resume", "other", "waited"], ["other", "resume", "waited"],
      ])
  }

  @Test("a task continues on the thread of the run when the driver resumes its continuation")
  func heldContinuation() async {
    let threads = Recorder<Bool>()
    let report = await explore(reporter: reports.reporter) { run in
      let race = RaceRun(run)
      let driver = ThreadIdentity.current
      race.send(
        Job("ask") { _ in
          try await race.call("question")
          threads.record(ThreadIdentity.current == driver)
        })
      await run.untilQuiet()
    }
    #expect(report.isComplete)
    #expect(threads.values == [true])
  }
}
