import FluxAsync
import FluxCore
import FluxNavigation
import FluxTesting
import TestSupport
import Testing

/// Work of a screen that starts other work, or is removed before.
///
/// TCA #3663: the first effect of a chain removed the screen, and the next effect still ran.
@Suite("Work of screens that starts other work", .unlessItHangs)
struct ChainedWorkTests {
  struct App: FluxState, Equatable {
    var routes = RouteStack(root: Place.list)
    var texts: [String] = []
  }

  struct Arrived: Action {
    let text: String
  }

  /// The second task of the chain.
  struct Save: TaskAction {
    let begun: Recorder<String>

    func execute(in context: TaskContext<App>) async throws {
      begun.record("save")
      context.dispatch(Arrived(text: "saved"))
    }
  }

  /// The first task of the chain, whose result removes the screen if a middleware reacts to it.
  struct Load: TaskAction {
    let begun: Recorder<String>

    func execute(in context: TaskContext<App>) async throws {
      begun.record("load")
      context.dispatch(Arrived(text: "loaded"))
      context.dispatch(Save(begun: begun))
    }
  }

  static let routing = RouteSlice(at: \App.routes)

  static let reducer: MutatingReducer<App> = { state, action in
    if let arrived = action as? Arrived { state.texts.append(arrived.text) }
  }

  /// A middleware that removes the screen when the first result arrives.
  static let removing: Middleware<App> = { dispatch, _ in
    { next in
      { action in
        next(action)
        if (action as? Arrived)?.text == "loaded" { dispatch(routing.pop()) }
      }
    }
  }

  let begun = Recorder<String>()

  func makeStore(removes: Bool) -> Store<App> {
    Store(
      reducer: Self.reducer, middleware: removes ? [Self.removing] : [],
      plugins: [Self.routing.screens { _ in }, Self.routing.plugin], state: App())
  }

  /// Pushes a screen, and waits for the end of an action that the screen dispatches.
  func run(_ action: any Action, in store: Store<App>) async throws {
    store.dispatch(Self.routing.push(.film(7)))
    let screen = try #require(store.screen(store.state.routes.top.id, of: Self.routing))
    await screen.dispatchAsync(action).finished()
    await store.effects.finished()
  }

  @Test("a task of a screen starts another task while the screen exists")
  func exists() async throws {
    let store = makeStore(removes: false)
    try await run(Load(begun: begun), in: store)
    #expect(begun.values == ["load", "save"])
    #expect(store.state.texts == ["loaded", "saved"])
  }

  @Test("if the result of a task removes its screen, the next task of the screen does not begin")
  func task() async throws {
    let store = makeStore(removes: true)
    try await run(Load(begun: begun), in: store)
    #expect(begun.values == ["load"])
    #expect(store.state.texts == ["loaded"])
    #expect(store.state.routes.path.isEmpty)
  }

  @Test("if the result of the first action of a composite removes the screen, the next action does nothing")
  func composite() async throws {
    let store = makeStore(removes: true)
    try await run(Arrived(text: "loaded").then(Save(begun: begun)), in: store)
    #expect(begun.values == [])
    #expect(store.state.texts == ["loaded"])
  }

  @Test("a plan of a screen that removes the screen dispatches nothing afterward")
  func plan() async throws {
    let store = makeStore(removes: true)
    let plan = ActionPlan<App> { store in
      store.dispatch(Arrived(text: "loaded"))
      store.dispatch(Save(begun: begun))
    }
    try await run(plan, in: store)
    #expect(begun.values == [])
    #expect(store.state.texts == ["loaded"])
  }

  // MARK: All orders

  /// A task that waits for an answer, and then starts the next task.
  struct Step: TaskAction {
    let run: ExplorationRun
    let number: Int

    func execute(in context: TaskContext<App>) async throws {
      let text = try await run.answer(to: "step \(number)", isCancellable: false) { "step \(number)" }
      context.dispatch(Arrived(text: text))
      if number < 3 { context.dispatch(Step(run: run, number: number + 1)) }
    }
  }

  private func steps(forScreen: Bool, reporter: TestReporter = .ofRunningTest) async -> ExplorationReport {
    await explore(reporter: reporter) { run in
      let store = Store(
        reducer: { (state: inout App, action: any Action) in
          // A result after the removal is recorded as late.
          let isLate = state.routes.path.isEmpty && action is Arrived
          Self.reducer(&state, isLate ? Arrived(text: "late") : action)
        }, plugins: [run.plugin(), Self.routing.screens { _ in }, Self.routing.plugin], state: App())
      run.always("no step of a removed screen changes the state") { (state: App) in
        !state.texts.contains("late")
      }
      store.dispatch(Self.routing.push(.film(7)))
      let step = Step(run: run, number: 1)
      if forScreen {
        store.screen(store.state.routes.top.id, of: Self.routing)?.dispatch(step)
      } else {
        store.dispatch(step)
      }
      run.may("pop") { store.dispatch(Self.routing.pop()) }
      await run.untilQuiet()
    }
  }

  @Test("in every order, no step of a chain changes the state after a pop")
  func everyOrder() async {
    let report = await steps(forScreen: true)
    #expect(report.isComplete)
    #expect(report.orders >= 4)
  }

  @Test("a chain that does not belong to its screen is found to change the state after a pop")
  func planted() async {
    let report = await steps(forScreen: false, reporter: TestReporter { _ in })
    #expect(report.failure != nil)
  }
}
