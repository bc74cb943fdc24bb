import FluxAsync
import FluxCore
import FluxMiddleware
import FluxNavigation
import FluxTesting
import TestSupport
import Testing

/// Navigation during asynchronous work, in all orders, and planted races that are found.
@Suite("Navigation, in all orders", .unlessItHangs)
struct ExploredNavigationTests {
  struct App: FluxState, Equatable {
    var routes = RouteStack(root: Place.list, keepingPlaces: 3)
    /// The details of the screens, with the number of the visit that loaded them.
    var details: [ScreenID: Int] = [:]
    /// A Boolean value that indicates whether an answer arrived for a screen that is gone.
    var hasLateAnswer = false
    /// The place to which the newest navigation leads.
    var wanted: Place?
    var isLoggedOut = false
  }

  /// An action whose reducer resets the screens.
  struct LogOut: Action {}

  struct Loaded: Action {
    let screen: ScreenID
    let visit: Int
  }

  struct Want: Action {
    let place: Place
  }

  struct Load: TaskAction {
    let run: ExplorationRun
    let screen: ScreenID
    let visit: Int

    func execute(in context: TaskContext<App>) async throws {
      let answer = try await run.answer(to: "details for visit \(visit)", isCancellable: false) { visit }
      context.dispatch(Loaded(screen: screen, visit: answer))
    }
  }

  static let routing = RouteSlice(at: \App.routes).screenStates(in: \.details)

  static let reducer: MutatingReducer<App> = { state, action in
    switch action {
    case let loaded as Loaded:
      if !state.routes.contains(loaded.screen) { state.hasLateAnswer = true }
      state.details[loaded.screen] = loaded.visit
    case let want as Want: state.wanted = want.place
    case is LogOut:
      state.isLoggedOut = true
      state.routes.reset(root: .list)
    default: break
    }
  }

  static func makeStore(_ run: ExplorationRun, plugins: [Plugin<App>] = []) -> Store<App> {
    Store(
      reducer: reducer, plugins: [run.plugin(), routing.screens { _ in }] + plugins + [routing.plugin],
      state: App())
  }

  /// Navigates, and records the place to which the navigation leads.
  static func navigate(_ change: RouteChange<Place>, to place: Place, in store: Store<App>) {
    store.dispatch(Want(place: place))
    store.dispatch(routing.change(change))
  }

  // MARK: Answers

  /// Shows a film, and loads its details for its screen, or without a screen.
  private func visit(_ number: Int, in store: Store<App>, _ run: ExplorationRun, forScreen: Bool) {
    store.dispatch(Self.routing.push(.film(7)))
    let screen = store.state.routes.top.id
    let load = Load(run: run, screen: screen, visit: number)
    if forScreen {
      store.screen(screen, of: Self.routing)?.dispatch(load)
    } else {
      store.dispatch(load)
    }
  }

  private func answers(
    forScreen: Bool, reporter: TestReporter = .ofRunningTest
  ) async -> ExplorationReport {
    await explore(reporter: reporter) { run in
      let store = Self.makeStore(run)
      run.always("no answer arrives for a screen that is gone") { (state: App) in !state.hasLateAnswer }
      run.always("a screen shows its own details") { (state: App) in
        state.details.keys.allSatisfy(state.routes.contains)
      }
      visit(1, in: store, run, forScreen: forScreen)
      run.may("pop") { store.dispatch(Self.routing.pop()) }
      run.may("open a link") { store.dispatch(Self.routing.setPath([.about])) }
      run.may("back") { store.dispatch(Self.routing.back()) }
      await run.untilQuiet()
    }
  }

  @Test("an answer for a screen that is gone changes nothing, whatever removes the screen")
  func lateAnswers() async {
    let report = await answers(forScreen: true)
    #expect(report.isComplete)
    #expect(report.orders > 10)
  }

  @Test("work that does not belong to its screen is found to answer late")
  func plantedLateAnswer() async {
    let report = await answers(forScreen: false, reporter: TestReporter { _ in })
    #expect(report.failure != nil)
  }

  @Test("after a pop and a push, the answer of the earlier screen does not reach the later screen")
  func twoVisits() async {
    let report = await explore { run in
      let store = Self.makeStore(run)
      visit(1, in: store, run, forScreen: true)
      run.may("leave and return") {
        store.dispatch(Self.routing.pop())
        visit(2, in: store, run, forScreen: true)
      }
      await run.untilQuiet()
      let visits = store.state.routes.path.count
      let shown = store.state.details[store.state.routes.top.id]
      #expect(visits == 1 && store.state.details.count == 1)
      #expect(shown == 1 || shown == 2)
      #expect(!store.state.hasLateAnswer)
    }
    #expect(report.isComplete)
  }

  // MARK: Guards

  /// A guard that asks before the screen `about` is shown.
  private static func asking(_ run: ExplorationRun) -> Plugin<App> {
    routing.guards { navigation, _ in
      guard navigation.entering.contains(where: { $0.route == .about }) else { return .allow }
      return .wait { _ in
        let isAllowed = try? await run.answer(to: "may the screen be shown", isCancellable: false) { true }
        return isAllowed == true ? .allow : .refuse
      }
    }
  }

  /// A middleware that asks in the same way, without the rule of the newest navigation.
  private static func askingNaively(_ run: ExplorationRun) -> Plugin<App> {
    struct Ask: TaskAction {
      let run: ExplorationRun
      let next: DispatchFunction
      let action: any Action

      func execute(in context: TaskContext<App>) async throws {
        if try await run.answer(to: "may the screen be shown", { true }) { next(action) }
      }
    }
    return Plugin(middleware: { dispatch, _ in
      { next in
        { action in
          guard let push = action as? Navigate<RouteStack<Place>>, push.change == .push(.about) else {
            return next(action)
          }
          dispatch(Ask(run: run, next: next, action: action))
        }
      }
    })
  }

  private func guarded(
    _ asking: @escaping @Sendable (ExplorationRun) -> Plugin<App>, reporter: TestReporter = .ofRunningTest
  ) async -> ExplorationReport {
    await explore(reporter: reporter) { run in
      let store = Self.makeStore(run, plugins: [asking(run)])
      run.eventually("the newest navigation is shown") { (state: App) in
        state.routes.top.route == state.wanted
      }
      Self.navigate(.push(.about), to: .about, in: store)
      run.may("push") { Self.navigate(.push(.film(7)), to: .film(7), in: store) }
      run.may("open a link") { Self.navigate(.setPath([.film(8)]), to: .film(8), in: store) }
      await run.untilQuiet()
    }
  }

  @Test("a navigation that a guard allows late does not replace a newer navigation")
  func guards() async {
    let report = await guarded(Self.asking)
    #expect(report.isComplete)
  }

  /// Leads from the button of a modal to a guarded screen, while the view closes the modal.
  private func closing(
    _ style: ModalStyle, reporter: TestReporter = .ofRunningTest
  ) async -> ExplorationReport {
    await explore(reporter: reporter) { run in
      let store = Self.makeStore(run, plugins: [Self.asking(run)])
      run.eventually("the screen of the button is shown") { (state: App) in
        state.routes.entries.map(\.route) == [.list, .about]
      }
      store.dispatch(Self.routing.present(.film(7), as: style))
      let modal = store.state.routes.top.id
      store.dispatch(Self.routing.push(.about))
      run.may("close the modal") { store.dispatch(Self.routing.dismiss(modal)) }
      run.may("close the modal again") { store.dispatch(Self.routing.dismiss(modal)) }
      await run.untilQuiet()
    }
  }

  @Test("the report of a view that it has closed an alert does not drop the navigation of its button")
  func closedAlert() async {
    let report = await closing(.alert)
    #expect(report.isComplete)
  }

  @Test("a closed sheet is found to drop the navigation of its button")
  func plantedSheet() async {
    let report = await closing(.sheet, reporter: TestReporter { _ in })
    #expect(report.failure != nil)
  }

  private func loggingOut(
    _ asking: @escaping @Sendable (ExplorationRun) -> Plugin<App>, reporter: TestReporter = .ofRunningTest
  ) async -> ExplorationReport {
    await explore(reporter: reporter) { run in
      let store = Self.makeStore(run, plugins: [asking(run)])
      run.always("the screen of a member is not shown after the log-out") { (state: App) in
        !state.isLoggedOut || state.routes.entries.allSatisfy { $0.route != .about }
      }
      store.dispatch(Self.routing.push(.film(7)))
      store.dispatch(Self.routing.push(.about))
      run.may("log out") { store.dispatch(LogOut()) }
      run.may("pop") { store.dispatch(Self.routing.pop()) }
      await run.untilQuiet()
    }
  }

  @Test("a navigation that a guard allows late does not follow a log-out")
  func logOut() async {
    let report = await loggingOut(Self.asking)
    #expect(report.isComplete)
    #expect(report.orders > 2)
  }

  @Test("a guard that ignores the changes of a reducer is found to follow a log-out")
  func plantedLogOut() async {
    let report = await loggingOut(Self.askingNaively, reporter: TestReporter { _ in })
    #expect(report.failure != nil)
  }

  // MARK: Together

  /// A screen with work, a link to a guarded screen, a pop, and an undo.
  private func together(
    forScreen: Bool, reporter: TestReporter = .ofRunningTest
  ) async -> ExplorationReport {
    await explore(reporter: reporter) { run in
      let history = History<App>(records: .all)
      let store = Self.makeStore(run, plugins: [Self.asking(run), history.plugin])
      run.always("no answer arrives for a screen that is gone") { (state: App) in !state.hasLateAnswer }
      run.always("a screen shows its own details") { (state: App) in
        state.details.keys.allSatisfy(state.routes.contains)
      }
      visit(1, in: store, run, forScreen: forScreen)
      run.may("open a link") { store.dispatch(Self.routing.setPath([.film(8), .about])) }
      run.may("pop") { store.dispatch(Self.routing.pop()) }
      run.may("undo") { store.dispatch(HistoryAction.undo) }
      await run.untilQuiet()
    }
  }

  @Test("work, a guarded link, a pop, and an undo of one store keep the rules in every order")
  func allTogether() async {
    let report = await together(forScreen: true)
    #expect(report.isComplete)
    #expect(report.orders > 20)
  }

  @Test("beside a guarded link, a pop, and an undo, work without a screen is found to answer late")
  func plantedTogether() async {
    let report = await together(forScreen: false, reporter: TestReporter { _ in })
    #expect(report.failure != nil)
  }

  @Test("a guard that ignores newer navigation is found to replace it")
  func plantedGuard() async {
    let report = await guarded(Self.askingNaively, reporter: TestReporter { _ in })
    #expect(report.failure != nil)
  }
}
