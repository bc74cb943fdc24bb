import FluxAsync
import FluxCore
import FluxTesting
import TestSupport
import Testing

@Suite("Lifetimes of values that a test gives to an exploration")
struct ExplorationLifetimeTests {
  private let tracker = LifetimeTracker()
  private let reports = Reports()

  /// Gives tracked objects to everything that takes a closure.
  private func giveClosures(to run: ExplorationRun) -> TestStore<SearchState> {
    let (reducer, middleware, rule, end) = (tracker.make(), tracker.make(), tracker.make(), tracker.make())
    let (possible, service) = (tracker.make(), tracker.make())
    let store = run.store(
      reducer: { (state: inout SearchState, action) in
        reducer.touch()
        reduceSearch(&state, action)
      },
      middleware: [
        { _, _ in
          { next in
            { action in
              middleware.touch()
              next(action)
            }
          }
        }
      ],
      services: Services().with(
        TrackedFinder(held: HeldFinder(run: run), tracked: service), as: (any Finder).self),
      state: SearchState())
    run.always("always") { (_: SearchState) in
      rule.touch()
      return true
    }
    run.eventually("eventually") { (_: SearchState) in
      end.touch()
      return true
    }
    run.may("clear") {
      possible.touch()
      store.send(SetFound(found: []))
    }
    return store
  }

  private struct TrackedFinder: Finder {
    let held: HeldFinder
    let tracked: LifetimeTracker.Tracked

    func films(about words: String) async throws -> [String] {
      tracked.touch()
      return try await held.films(about: words)
    }
  }

  @Test("an ExplorationRun and everything that it was given are released after each order")
  func released() async {
    let alive = Recorder<Int>()
    await explore(reporter: reports.reporter) { run in
      alive.record(tracker.alive)
      let store = giveClosures(to: run)
      store.send(Search("a"))
      await run.untilQuiet()
    }
    #expect(alive.values.count > 2)
    #expect(alive.values.allSatisfy { $0 == 0 })
    #expect(tracker.alive == 0)
    #expect(reports.failures.isEmpty)
  }

  @Test("an ExplorationRun whose order fails is released with everything that it was given")
  func releasedAfterFailure() async {
    await explore(reporter: reports.reporter) { run in
      let store = giveClosures(to: run)
      store.send(Search("a"))
      run.always("nothing is found") { (state: SearchState) in state.found.isEmpty }
      await run.untilQuiet()
    }
    #expect(reports.failures.count == 1)
    #expect(tracker.alive == 0)
  }

  @Test("an ExplorationRun with leftover work is released with everything that it was given")
  func releasedWithLeftoverWork() async {
    struct Waits: TaskAction {
      func execute(state: SearchState, dispatch: @escaping DispatchFunction) async throws {
        for await _ in AsyncStream<Int>.makeStream().stream {}
      }
    }
    await explore(reporter: reports.reporter) { run in
      let store = giveClosures(to: run)
      store.send(Waits())
      store.send(Search("a"))
      await store.receive(WorkFailed.self)
    }
    #expect(reports.failures.count == 1)
    #expect(tracker.alive == 0)
  }
}
