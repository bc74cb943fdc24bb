import FluxCore
import FluxTesting
import TestSupport
import Testing

@Suite("Sources/FluxTesting/FluxTesting.docc/Testing.md", .unlessItHangs)
struct TestingGuideTests {
  @Test func loading() async {
    let store = TestStore(reducer: pageReducer, state: Page())

    store.send(Load()) { $0.isLoading = true }
    await store.receive(Loaded.self) {
      $0.isLoading = false
      $0.titles = ["Playtime"]
    }
    await store.finish()
  }

  @Test func receiving() async {
    let store = TestStore(reducer: pageReducer, state: Page())
    store.exhaustivity = .off
    for _ in 1...2 { store.send(Load()) }
    await store.receive(Loaded(titles: ["Playtime"]))
    await store.receive(where: { (action: Loaded) in action.titles.count == 1 })
    await store.finish()
  }

  @Test func failing() {
    let reports = Reports()
    let store = TestStore(reducer: pageReducer, state: Page(), reporter: reports.reporter)
    store.exhaustivity = .on
    store.send(Load()) { $0.isLoading = false }
    store.exhaustivity = .off
    #expect(
      reports.failures == [
        """
        Load() was sent, but the new state is not the expected state.
          expected → actual: isLoading: false → true
          before → after: isLoading: false → true
        """
      ])
  }

  @Test func relaxed() async {
    let store = TestStore(reducer: pageReducer, state: Page())
    store.exhaustivity = .off
    store.send(Load())
    await store.receive(Loaded.self) { $0.titles = ["Playtime"] }
    store.skipReceived()
    await store.skipRunningEffects()
  }

  @Test func ticking() async {
    let clock = ManualClock()
    let store = TestStore(reducer: pageReducer, state: Page())

    store.send(StartTimer(clock: clock))
    await clock.run(for: .seconds(2), sleepers: 1)
    await store.receive(Tick.self) { $0.ticks = 1 }
    await store.receive(Tick.self) { $0.ticks = 2 }
    await store.skipRunningEffects()
  }

  @Test("every Swift example of the guide is in these tests, word for word")
  func examplesAreTested() throws {
    try GuideExamples(of: "Sources/FluxTesting/FluxTesting.docc/Testing.md").expectTested(
      in: "Tests/FluxTestingTests/TestingGuideTests.swift", atLeast: 3)
  }
}

private struct Page: FluxState, Equatable {
  var isLoading = false
  var titles: [String] = []
  var ticks = 0
}

private struct Load: Action {
  func _startWork(in context: ActionContext) -> WorkStart? {
    return { context in context.effects.start { context.dispatch(Loaded(titles: ["Playtime"])) } }
  }
}

private struct Loaded: Action, Equatable {
  let titles: [String]
}

private struct StartTimer: Action {
  let clock: ManualClock

  func _startWork(in context: ActionContext) -> WorkStart? {
    return { context in
      context.effects.start {
        do {
          while true {
            try await clock.sleep(for: .seconds(1))
            context.dispatch(Tick())
          }
        } catch {
          // Canceled.
        }
      }
    }
  }
}

private struct Tick: Action {}

private let pageReducer: ActionHandlers<Page> = combine(
  on(Load.self) { page, _ in page.isLoading = true },
  on(Loaded.self) { page, action in
    page.isLoading = false
    page.titles = action.titles
  },
  on(Tick.self) { page, _ in page.ticks += 1 }
)
