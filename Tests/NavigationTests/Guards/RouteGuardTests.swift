import FluxAsync
import FluxCore
import FluxMiddleware
import FluxNavigation
import TestSupport
import Testing

@Suite("Guards of navigation", .unlessItHangs)
struct RouteGuardTests {
  struct App: FluxState, Equatable {
    var routes = RouteStack(root: Place.list)
    var isLoggedIn = false
    var log: [String] = []
  }

  struct LogIn: Action {}

  typealias Routing = RouteSlice<App, RouteStack<Place>>

  static let routing = RouteSlice(at: \App.routes)

  static let reducer: MutatingReducer<App> = { state, action in
    if action is LogIn { state.isLoggedIn = true }
    state.log.append("\(action)")
  }

  let answers = EventLog<Void>()
  let asked = EventLog<Void>()

  typealias Decide = @Sendable (RouteProposal<RouteStack<Place>>, App) -> Routing.Decision

  func makeStore(plugins: [Plugin<App>] = [], _ decide: @escaping Decide) -> Store<App> {
    Store(
      reducer: Self.reducer, plugins: [Self.routing.guards(decide)] + plugins + [Self.routing.plugin],
      state: App())
  }

  /// Waits for an answer before a screen other than `film` is added.
  func makeWaitingStore(
    answer: @escaping @Sendable (StoreProxy<App>) -> Routing.Decision = { _ in .allow }
  ) -> Store<App> {
    makeStore { [answers, asked] navigation, _ in
      guard navigation.entering.contains(where: { $0.route == .about }) else { return .allow }
      return .wait { store in
        asked.record(())
        await answers.count(atLeast: 1)
        return answer(store)
      }
    }
  }

  @Test("a guard allows and refuses by the state and the screens that would appear")
  func allowsAndRefuses() {
    let store = makeStore { navigation, state in
      navigation.entering.contains { $0.route == .about } && !state.isLoggedIn ? .refuse : .allow
    }
    store.dispatch(Self.routing.push(.film(7)))
    store.dispatch(Self.routing.push(.about))
    #expect(store.state.routes.entries.map(\.route) == [.list, .film(7)])
    store.dispatch(Self.routing.setPath([.film(7), .about]))
    #expect(store.state.routes.entries.map(\.route) == [.list, .film(7)])
    store.dispatch(LogIn())
    store.dispatch(Self.routing.push(.about))
    #expect(store.state.routes.top.route == .about)
  }

  @Test("a refused action reaches neither the reducer nor a history")
  func refusedIsNotReduced() {
    let history = History<App>()
    let store = makeStore(plugins: [history.plugin]) { _, _ in .refuse }
    store.dispatch(Self.routing.push(.film(7)))
    #expect(store.state.log.isEmpty)
    #expect(!history.canUndo)
  }

  @Test("a guard sees the screens that would be gone")
  func leaving() {
    let store = makeStore { navigation, _ in
      navigation.leaving.contains { $0.route == .film(7) } ? .refuse : .allow
    }
    store.dispatch(Self.routing.push(.film(7)))
    store.dispatch(Self.routing.push(.about))
    store.dispatch(Self.routing.pop())
    store.dispatch(Self.routing.pop())
    store.dispatch(Self.routing.popToRoot())
    #expect(store.state.routes.top.route == .film(7))
  }

  @Test("a redirect replaces the change, and the guard does not receive it")
  func redirects() {
    let calls = Shared(0)
    let store = makeStore { _, _ in
      calls.increment()
      return .redirect(.present(.about, as: .cover))
    }
    store.dispatch(Self.routing.push(.film(7)))
    #expect(calls.value == 1)
    #expect(store.state.routes.entries.map(\.route) == [.list, .about])
    #expect(store.state.log == ["Navigate(present about as cover)"])
  }

  @Test("guards pass all other actions on")
  func others() {
    let store = makeStore { _, _ in .refuse }
    store.dispatch(LogIn())
    #expect(store.state.isLoggedIn)
  }

  @Test("a pending navigation is reduced after the decision, for which its dispatch waits")
  func waits() async {
    let store = makeWaitingStore()
    let navigation = store.dispatchAsync(Self.routing.push(.about))
    #expect(store.state.routes.path.isEmpty)
    answers.record(())
    await navigation.finished()
    #expect(store.state.routes.top.route == .about)
  }

  @Test(
    "a decision of a task can refuse, redirect, and wait again",
    arguments: [
      (.refuse, [.list]), (.redirect(.push(.film(7))), [.list, .film(7)]),
      (.wait { _ in .allow }, [.list, .about]),
    ] as [(Routing.Decision, [Place])])
  func answers(decision: Routing.Decision, routes: [Place]) async {
    let store = makeWaitingStore { _ in decision }
    answers.record(())
    await store.dispatchAsync(Self.routing.push(.about)).finished()
    #expect(store.state.routes.entries.map(\.route) == routes)
  }

  @Test("the task of a guard can use the store, for example to log in")
  func usesStore() async {
    let store = makeWaitingStore { store in
      store.dispatch(LogIn())
      return store.state?.isLoggedIn == true ? .allow : .refuse
    }
    answers.record(())
    await store.dispatchAsync(Self.routing.push(.about)).finished()
    #expect(store.state.isLoggedIn)
    #expect(store.state.routes.top.route == .about)
  }

  @Test("a newer navigation cancels the task of a pending navigation, which is dropped")
  func newer() async {
    let ended = EventLog<Bool>()
    let store = makeStore { [answers, asked] navigation, _ in
      guard navigation.after.top.route == .about else { return .allow }
      return .wait { _ in
        asked.record(())
        await answers.count(atLeast: 1)
        ended.record(Task.isCancelled)
        return .allow
      }
    }
    let pending = store.dispatchAsync(Self.routing.push(.about))
    await asked.count(atLeast: 1)
    store.dispatch(Self.routing.push(.film(7)))
    answers.record(())
    await pending.finished()
    #expect(ended.values == [true])
    #expect(store.state.routes.entries.map(\.route) == [.list, .film(7)])
  }

  @Test("a newer navigation that is refused cancels a pending navigation")
  func newerRefused() async {
    let store = makeStore { [answers] navigation, _ in
      guard navigation.after.top.route == .about else { return .refuse }
      return .wait { _ in
        await answers.count(atLeast: 1)
        return .allow
      }
    }
    let pending = store.dispatchAsync(Self.routing.push(.about))
    store.dispatch(Self.routing.push(.film(7)))
    answers.record(())
    await pending.finished()
    #expect(store.state.routes.path.isEmpty)
  }

  @Test("of two navigations that wait, only the newer one is reduced")
  func twoWait() async {
    let store = makeStore { [answers] _, _ in
      .wait { _ in
        await answers.count(atLeast: 1)
        return .allow
      }
    }
    let first = store.dispatchAsync(Self.routing.push(.about))
    let second = store.dispatchAsync(Self.routing.push(.film(7)))
    answers.record(())
    await first.finished()
    await second.finished()
    #expect(store.state.routes.entries.map(\.route) == [.list, .film(7)])
  }

  @Test("a navigation on its way from its guard to the reducer is dropped if a newer one arrives")
  func newerOnTheWay() async {
    // The middleware stands for another thread that navigates at this moment.
    let meanwhile = Plugin<App>(middleware: { dispatch, _ in
      { next in
        { action in
          if "\(action)".contains("about") { dispatch(Self.routing.push(.film(7))) }
          next(action)
        }
      }
    })
    let store = Store(
      reducer: Self.reducer,
      plugins: [
        Self.routing.guards { [answers] navigation, _ in
          guard navigation.after.top.route == .about else { return .allow }
          return .wait { _ in
            await answers.count(atLeast: 1)
            return .allow
          }
        }, meanwhile, Self.routing.plugin,
      ], state: App())
    let pending = store.dispatchAsync(Self.routing.push(.about))
    answers.record(())
    await pending.finished()
    #expect(store.state.routes.entries.map(\.route) == [.list, .film(7)])
  }

  @Test("the cancellation of a dispatch drops its pending navigation")
  func cancelledDispatch() async {
    let store = makeWaitingStore()
    let pending = store.dispatchAsync(Self.routing.push(.about))
    pending.cancel()
    answers.record(())
    await pending.finished()
    #expect(store.state.routes.path.isEmpty)
  }

  @Test("a pending navigation of a screen ends with the screen")
  func screenIsGone() async throws {
    struct GoHome: Action {}
    let store = Store(
      reducer: { (state: inout App, action) in if action is GoHome { state.routes.popToRoot() } },
      plugins: [
        Self.routing.screens { _ in },
        Self.routing.guards { [answers] navigation, _ in
          guard navigation.after.top.route == .about else { return .allow }
          return .wait { _ in
            await answers.count(atLeast: 1)
            return .allow
          }
        }, Self.routing.plugin,
      ], state: App())
    store.dispatch(Self.routing.push(.film(7)))
    let screen = try #require(store.screen(store.state.routes.top.id, of: Self.routing))
    let pending = screen.dispatchAsync(Self.routing.push(.about))
    store.dispatch(GoHome())
    answers.record(())
    await pending.finished()
    #expect(store.state.routes.path.isEmpty)
  }

  @Test("work that an allowed navigation starts does not end with the next navigation")
  func workOfNavigation() async throws {
    let ended = EventLog<Bool>()
    let leaving = EventLog<Void>()
    let store = makeWaitingStore()
    let token = store.subscribe { state in
      guard state.routes.top.route == .about, state.log.count == 1 else { return }
      store.dispatch(
        ActionPlan<App> { _ async in
          await leaving.count(atLeast: 1)
          ended.record(Task.isCancelled)
        })
      store.dispatch(Self.routing.push(.film(7)))
    }
    let navigation = store.dispatchAsync(Self.routing.push(.about))
    answers.record(())
    await asked.count(atLeast: 1)
    leaving.record(())
    await navigation.finished()
    #expect(ended.values == [false])
    withExtendedLifetime(token) {}
  }

  @Test("the store that a decision receives dispatches nothing after a newer navigation")
  func boundStore() async {
    let store = makeWaitingStore { store in
      store.dispatch(LogIn())
      return .allow
    }
    let pending = store.dispatchAsync(Self.routing.push(.about))
    await asked.count(atLeast: 1)
    store.dispatch(Self.routing.push(.film(7)))
    answers.record(())
    await pending.finished()
    #expect(!store.state.isLoggedIn)
  }

  @Test("a navigation whose guard navigates is dropped, because the other navigation is newer")
  func guardNavigates() {
    let running = Shared<Store<App>?>(nil)
    let store = makeStore { navigation, _ in
      if navigation.after.top.route == .about { running.value?.dispatch(Self.routing.push(.film(7))) }
      return .allow
    }
    _ = running.exchange(store)
    store.dispatch(Self.routing.push(.about))
    #expect(store.state.routes.entries.map(\.route) == [.list, .film(7)])
    _ = running.exchange(nil)
  }

  @Test("two guards of a slice in one store stop the program")
  func twoGuards() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let store = Store(
        reducer: Self.reducer,
        plugins: [Self.routing.guards { _, _ in .allow }, Self.routing.guards { _, _ in .allow }],
        state: App())
      withExtendedLifetime(store) {}
    }
    expect(result, says: "combine several guards in one closure")
  }

  @Test("in tabs, a guard sees the screens of all tabs")
  func tabs() {
    struct Tabbed: FluxState {
      var tabs = RouteTabs(selected: 0, [0: Place.list, 1: .about])
    }
    let routing = RouteSlice(at: \Tabbed.tabs)
    let seen = Recorder<[Place]>()
    let store = Store(
      reducer: { (_: inout Tabbed, _) in },
      plugins: [
        routing.guards { navigation, _ in
          seen.record(navigation.entering.map(\.route))
          return .allow
        }, routing.plugin,
      ], state: Tabbed())
    store.dispatch(routing.select(1))
    store.dispatch(routing.change(.stack(.push(.film(7)), in: 0)))
    #expect(seen.values == [[], [.film(7)]])
  }

  @Test("a guard that compares the top screen protects a tab, also from back and from links")
  func protectedTab() {
    struct Tabbed: FluxState {
      var tabs = RouteTabs(selected: 0, [0: Place.list, 1: .about], keepingPlaces: 3)
      var isLoggedIn = false
    }
    let routing = RouteSlice(at: \Tabbed.tabs)
    let store = Store(
      reducer: { (state: inout Tabbed, action: any Action) in
        if action is LogIn { state.isLoggedIn.toggle() }
      },
      plugins: [
        routing.guards { navigation, state in
          navigation.after.stack.entries.contains { $0.route == .about } && !state.isLoggedIn
            ? .refuse : .allow
        }, routing.plugin,
      ], state: Tabbed())
    store.dispatch(routing.select(1))
    #expect(store.state.tabs.selected == 0)
    store.dispatch(routing.change(.open([.film(7)], in: 1)))
    #expect(store.state.tabs.selected == 0)
    store.dispatch(LogIn())
    store.dispatch(routing.select(1))
    #expect(store.state.tabs.selected == 1)
    store.dispatch(routing.select(0))
    store.dispatch(LogIn())
    store.dispatch(routing.back())
    #expect(store.state.tabs.selected == 0)
  }

  @Test("the guards of one call in two stores stop the program")
  func shared() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let guards = Self.routing.guards { _, _ in .allow }
      let first = Store(reducer: Self.reducer, plugins: [guards], state: App())
      let second = Store(reducer: Self.reducer, plugins: [guards], state: App())
      withExtendedLifetime((first, second)) {}
    }
    expect(result, says: "once for each store")
  }
}
